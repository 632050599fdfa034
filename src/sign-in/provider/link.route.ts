/** `POST /sign-in/link`: connects an existing account to the person's account at the identity provider. */

import { addIdentity, hasIdentityOf } from '../../access/provider-identity.ts'
import { lockMember } from '../../access/lock-member.ts'
import { revokeLinksOfMember } from '../../access/one-time-link.ts'
import { isPasswordHash } from '../../access/password.ts'
import {
  findPendingIdentity,
  takePendingIdentity,
  type PendingIdentity,
  type PendingKey,
} from '../../access/pending-identity.ts'
import {
  earlierSubmissionOf,
  recordAnonymousSubmission,
  submissionOf,
  type Submission,
} from '../../guards/form-submission.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { requireMember } from '../../members/member.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { ALREADY_SIGNED_IN, alreadySignedInPage } from '../session/already-signed-in.page.ts'
import { endAllAccess } from '../session/end-access.ts'
import { isSessionOf, unlessEntered } from '../session/repeated-entry.ts'
import {
  enterAnswer,
  startBrowserSession,
  type Entered,
  type Entry,
} from '../session/start-session.ts'
import { logFailedSignIn, type FailedSignIn } from '../session/failed-sign-in.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { verifyOrCancel, waitSentence } from '../password/sign-in.page.ts'
import { unknownSignInPage } from './callback.route.ts'
import { BY_NOTHING, CONFIRM_BY, LINK_PATH, linkPage, PENDING } from './link.page.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { PasswordHash, PasswordHasher } from '../../access/password-hash.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Database, Transaction } from '../../db/database.ts'
import type { SignInAttempts } from '../session/attempts.ts'
import type { Provider } from './provider.ts'

interface LinkDeps extends OperatorTexts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly hasher: PasswordHasher
  readonly publicUrl: string
  readonly provider: Provider
  readonly attempts: SignInAttempts
}

const MAX_FORM_BYTES = 64 * 1024

export function linkRoute(deps: LinkDeps): Route {
  const { database, clock, publicUrl } = deps
  return defineRoute({
    method: 'POST',
    path: LINK_PATH,
    operationId: 'linkIdentity',
    summary: 'Connect an existing account to the identity provider',
    access: 'browser',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Connected and signed in; redirects to return_to' },
      400: { description: 'This sign-in was not started in this browser', type: 'text/html' },
      403: {
        description: 'The account is disabled, or the form was submitted from another site',
        type: 'text/html',
      },
      ...ALREADY_SIGNED_IN,
      422: { description: 'Incorrect password; the page with the error', type: 'text/html' },
      429: { description: 'Too many failed attempts; the page with the error', type: 'text/html' },
    },
    onError: errorPage,
    async whenSignedInSince({ body, browser }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const submission = earlierSubmissionOf({ body, form: LINK_PATH, now: clock.now() })
      return (await isSessionOf(database, submission, browser))
        ? seeOther(returnTo)
        : alreadySignedInPage(browser, returnTo)
    },
    async handle({ body, browser, address, header, requestId }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const now = clock.now()
      const submission = submissionOf({ browser, body, form: LINK_PATH, now })
      const entry = { browser, userAgent: header('user-agent'), now }
      const attempt = { body, entry, submission, returnTo, address, requestId }
      const answer = await tryToLink(deps, attempt)
      return unlessEntered({ database, publicUrl, submission, returnTo }, answer)
    },
  })
}

interface LinkAttempt {
  readonly body: URLSearchParams
  readonly entry: Pick<Entry, 'browser' | 'userAgent' | 'now'>
  readonly submission: Submission | undefined
  readonly returnTo: string
  readonly address: string
  readonly requestId: string
}

async function tryToLink(deps: LinkDeps, given: LinkAttempt): Promise<Answer> {
  const { database, log, publicUrl, provider, attempts } = deps
  const { body, submission, returnTo, address, requestId } = given
  const { browser, now } = given.entry
  const key = { secret: body.get(PENDING) ?? '', formToken: browser.formToken }
  const pending = await findPendingIdentity(database, key, now)
  if (!pending) return unknownSignInPage()

  const { memberId } = pending
  const identity = { issuer: pending.issuer, subject: pending.subject }
  const proof = { kind: 'identity', identity } as const
  const entry = { ...given.entry, memberId, proof }
  if (body.get(CONFIRM_BY) === BY_NOTHING) {
    const entered = await database.write(async (tx) => {
      if (!(await claim(tx, key, pending, now))) return undefined
      await endAllAccess(tx, memberId, now)
      return link(tx, pending, entry, submission)
    })
    return answerOf(publicUrl, entered, returnTo)
  }

  const { username, email } = await requireMember(database, memberId)
  const page = { ...key, account: email ?? username, returnTo, provider, legal: deps }
  const fail = (reason: FailedSignIn['reason']) =>
    logFailedSignIn(log, { method: 'link_identity', reason, address, requestId })
  const attempted = { method: 'password', name: username, memberId, address } as const
  const attempt = await attempts.begin(attempted)
  if (!attempt.allowed) {
    fail('rate_limited')
    const { retryAfter } = attempt
    const headers = { 'retry-after': String(retryAfter) }
    return linkPage({ ...page, error: waitSentence(retryAfter), status: 429, headers })
  }
  const tried = attempt.canSucceed ? memberId : undefined
  const hash = await verifyOrCancel(deps, attempt, tried, body.get('password') ?? '')
  if (hash === undefined) {
    fail('not_accepted')
    return linkPage({ ...page, error: WRONG, status: 422 })
  }
  const entered = await database.write(async (tx) => {
    if (!(await claim(tx, key, pending, now, hash))) return undefined
    await attempt.succeed(tx)
    await revokeLinksOfMember(tx, memberId)
    return link(tx, pending, entry, submission)
  })
  return answerOf(publicUrl, entered, returnTo)
}

const WRONG = 'Incorrect password. Try again, or connect the account without it.'

/** Locks the member and consumes the pending identity. False if it, or the password, is no longer valid. */
async function claim(
  tx: Transaction,
  key: PendingKey,
  { memberId, issuer }: PendingIdentity,
  now: number,
  hash?: PasswordHash,
): Promise<boolean> {
  await lockMember(tx, memberId)
  if (!(await takePendingIdentity(tx, key, now))) return false
  if (await hasIdentityOf(tx.member(memberId), issuer)) return false
  return hash === undefined || isPasswordHash(tx.member(memberId), hash)
}

async function link(
  tx: Transaction,
  { memberId, issuer, subject }: PendingIdentity,
  entry: Entry,
  submission: Submission | undefined,
): Promise<Entered> {
  const member = tx.member(memberId)
  await addIdentity(member, { issuer, subject }, entry.now)
  await recordSecurityEvent(member, { event: 'identity_linked', details: { issuer } }, entry.now)
  const entered = await startBrowserSession(tx, entry)
  if (entered.kind !== 'outdated') await recordAnonymousSubmission(tx, submission, entered)
  return entered
}

function answerOf(publicUrl: string, entered: Entered | undefined, returnTo: string) {
  return entered === undefined || entered.kind === 'outdated'
    ? unknownSignInPage()
    : enterAnswer(publicUrl, entered, returnTo)
}
