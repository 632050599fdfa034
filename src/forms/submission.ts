/**
 * Forms that create something or charge. The result of a submission is stored with the key of the form in the transaction
 * of its effect, and a repeated submission gets it. Results are encrypted with the key, which is stored as a hash.
 */

import { hash } from 'node:crypto'
import { RequestError } from '../base/request-error.ts'
import { seal, unseal, type SealKey } from '../base/seal.ts'
import { LOCK_NETWORK } from '../access/lock-member.ts'
import { FORM_KEY, sessionPart } from '../http/form-guard.ts'
import { requestKey, type RequestKey } from '../guards/idempotency-key.ts'
import {
  findAnonymousAnswer,
  findAnswer,
  forgetAnswer,
  recordAnonymousAnswer,
  recordAnswer,
} from '../guards/idempotency-record.ts'
import type { MemberReader, MemberTransaction, Reader, Transaction } from '../db/database.ts'
import type { BrowserRequest } from '../http/browser-request.ts'

export interface Submission {
  readonly request: RequestKey
  readonly sealKey: SealKey
  readonly now: number
}

interface SubmittedForm {
  readonly browser: Pick<BrowserRequest, 'formToken'>
  readonly body: URLSearchParams
  /** No other form returns its result. */
  readonly form: string
  readonly now: number
}

/**
 * Returns undefined for a form without a key. All fields count, so values changed after the Back button are another
 * submission.
 */
export function submissionOf({ browser, body, form, now }: SubmittedForm): Submission | undefined {
  const key = body.get(FORM_KEY) ?? ''
  if (!/^[\w-]{22}$/.test(key)) return undefined
  const fingerprint = hash('sha256', `${key}\n${body.toString()}`, 'hex')
  const scope = hash('sha256', sessionPart(browser.formToken), 'hex')
  return {
    request: requestKey({
      scope,
      surface: `form ${form}`,
      key: fingerprint,
      fingerprint,
    }),
    sealKey: { secret: key, purpose: `weft form ${form}` },
    now,
  }
}

/** Returns the result of an earlier submission. `T` must be the type that `submitOnce` stores for the form. */
export async function findSubmitted<T>(
  reader: MemberReader,
  submission: Submission | undefined,
): Promise<T | undefined> {
  if (!submission) return undefined
  return resultOf<T>(submission, await findAnswer(reader, submission.request, submission.now))
}

/** As `findSubmitted`, for people who are not signed in. */
export async function findSubmittedAnonymously<T>(
  reader: Reader,
  submission: Submission | undefined,
): Promise<T | undefined> {
  if (!submission) return undefined
  const { request, now } = submission
  return resultOf<T>(submission, await findAnonymousAnswer(reader, request, now))
}

/**
 * Runs `work` once per form and stores its JSON result, unless it is undefined. If `isCurrent` rejects an earlier result,
 * the form is submitted as a new one: the person has gone back to it.
 */
export async function submitOnce<T>(
  tx: MemberTransaction,
  submission: Submission | undefined,
  work: () => Promise<T>,
  isCurrent: (earlier: T) => Promise<boolean> = async () => true,
): Promise<T> {
  if (!submission) return work()
  await tx.run(LOCK_NETWORK, {})
  const earlier = await findSubmitted<T>(tx, submission)
  if (earlier !== undefined && (await isCurrent(earlier))) return earlier
  if (earlier !== undefined) await forgetAnswer(tx, submission.request)
  const result = await work()
  if (result !== undefined) await record(tx, submission, result)
  return result
}

/**
 * Stores the result of an anonymous form in the transaction of its effect. Returns false if the form was submitted before.
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

/** Skips storing at the daily limit, which agents can reach, so that the member can go on. */
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

function resultOf<T>({ sealKey }: Submission, kept: string | undefined): T | undefined {
  // Authenticated, and stored for this form, so it has its type.
  return kept === undefined ? undefined : (unseal(sealKey, kept) as T)
}
