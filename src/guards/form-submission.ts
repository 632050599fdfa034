/**
 * Forms whose second submission would create a second thing or charge again. Each form has a new key; the result of a
 * submission is stored with it in the transaction of its effect. A repeated submission, such as the second click of a
 * double-click without scripts, gets that result instead of running again. Results may contain secrets, so they are
 * encrypted with the key, of which the database has only a hash.
 */

import { hash } from 'node:crypto'
import { RequestError } from '../base/request-error.ts'
import { seal, unseal, type SealKey } from '../base/seal.ts'
import { memberStatement } from '../db/statement.ts'
import { FORM_KEY, FORM_TOKEN } from '../http/form-guard.ts'
import { requestKey, type RequestKey } from './idempotency-key.ts'
import {
  findAnonymousAnswer,
  findAnswer,
  forgetAnswer,
  recordAnonymousAnswer,
  recordAnswer,
} from './idempotency-record.ts'
import type { MemberReader, MemberTransaction, Reader, Transaction } from '../db/database.ts'
import type { BrowserRequest } from '../http/browser-request.ts'

/** A submitted form. */
export interface Submission {
  readonly request: RequestKey
  readonly sealKey: SealKey
  readonly now: number
}

interface SubmittedForm {
  readonly browser: Pick<BrowserRequest, 'formToken'>
  readonly body: URLSearchParams
  /** Identifies the form, so that no other form returns its result. */
  readonly form: string
  readonly now: number
}

/**
 * Undefined for a form without a key. All fields count: after the browser's Back button, changed values are another
 * submission.
 */
export function submissionOf({ browser, body, form, now }: SubmittedForm): Submission | undefined {
  const key = body.get(FORM_KEY) ?? ''
  if (!/^[\w-]{22}$/.test(key)) return undefined
  const fingerprint = hash('sha256', `${key}\n${body.toString()}`, 'hex')
  const scope = hash('sha256', browser.formToken, 'hex')
  return {
    request: requestKey({ scope, surface: `form ${form}`, key: fingerprint, fingerprint }),
    sealKey: { secret: key, purpose: `weft form ${form}` },
    now,
  }
}

/** The result of an earlier submission of the same form. `T` must be the type that `submitOnce` stores for it. */
export async function findSubmitted<T>(
  reader: MemberReader,
  submission: Submission | undefined,
): Promise<T | undefined> {
  if (!submission) return undefined
  return resultOf<T>(submission, await findAnswer(reader, submission.request, submission.now))
}

/** The same for people who are not signed in. */
export async function findSubmittedAnonymously<T>(
  reader: Reader,
  submission: Submission | undefined,
): Promise<T | undefined> {
  if (!submission) return undefined
  const { request, now } = submission
  return resultOf<T>(submission, await findAnonymousAnswer(reader, request, now))
}

/**
 * For a form whose token is not the browser's, because the browser loaded the form in an earlier session or before it
 * signed in. Do not send its result: any browser could send this form.
 */
export function earlierSubmissionOf(form: Omit<SubmittedForm, 'browser'>): Submission | undefined {
  return submissionOf({ ...form, browser: { formToken: form.body.get(FORM_TOKEN) ?? '' } })
}

/**
 * Runs `work` once per form. Its result must be JSON. Undefined means that nothing was done, so it is not stored. If
 * `isCurrent` says that what an earlier submission created is gone, the form is submitted as a new one: the person has
 * gone back to it.
 */
export async function submitOnce<T>(
  tx: MemberTransaction,
  submission: Submission | undefined,
  work: () => Promise<T>,
  isCurrent: (earlier: T) => Promise<boolean> = async () => true,
): Promise<T> {
  if (!submission) return work()
  await tx.run(LOCK, {})
  const earlier = await findSubmitted<T>(tx, submission)
  if (earlier !== undefined && (await isCurrent(earlier))) return earlier
  if (earlier !== undefined) await forgetAnswer(tx, submission.request)
  const result = await work()
  if (result !== undefined) await record(tx, submission, result)
  return result
}

/**
 * Stores the result of a person who is not signed in, in the transaction of its effect. False if the same form was
 * submitted before, also to another node.
 */
export async function recordAnonymousSubmission(
  tx: Transaction,
  submission: Submission | undefined,
  result: unknown,
): Promise<boolean> {
  if (!submission) return true
  const { request, sealKey, now } = submission
  return recordAnonymousAnswer(tx, request, seal(sealKey, result), now)
}

/** Agents can reach the daily limit of stored results, which must not stop the member: then nothing is stored. */
async function record(
  tx: MemberTransaction,
  { request, sealKey, now }: Submission,
  result: unknown,
): Promise<void> {
  try {
    await recordAnswer(tx, request, seal(sealKey, result), now)
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'rate_limited') throw error
  }
}

/** A no-op that locks the row on every engine, so that a submission to another node waits for this one. */
const LOCK = memberStatement()(
  'update networks set keyed_day = keyed_day where member_id = :member_id',
)

function resultOf<T>({ sealKey }: Submission, kept: string | undefined): T | undefined {
  // Authenticated, and stored for this form, so it has its type.
  return kept === undefined ? undefined : (unseal(sealKey, kept) as T)
}
