/** `POST /sign-in/link`: connects an existing account to the person's account at the identity provider. */

import { phrase } from '../../languages/message.ts'
import { addIdentity, hasIdentityOf } from '../../access/provider-identity.ts'
import { lockMember } from '../../access/lock-member.ts'
import { revokeLinksOfMember } from '../../access/one-time-link.ts'
import { isPasswordHash } from '../../access/passwords/password.ts'
import {
  findPendingIdentity,
  takePendingIdentity,
  type PendingIdentity,
  type PendingKey,
} from '../../access/pending-identity.ts'
import { recordAnonymousSubmission, type Submission } from '../../forms/submission.ts'
import { requireMember } from '../../members/member.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { repeatedSignIn } from '../session/already-signed-in.page.ts'
import { endAllAccess } from '../session/end-access.ts'
import { isSessionOf, unlessEntered } from '../session/repeated-sign-in.ts'
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
import { formRoute } from '../../forms/page-route.ts'
import type { Answer } from '../../http/response.ts'
import type { Route } from '../../http/route.ts'
import type { PasswordHash } from '../../access/passwords/password-hash.ts'
import type { ProviderDeps } from './provider-deps.ts'
import type { Transaction } from '../../db/database.ts'

export function linkRoute(deps: ProviderDeps): Route {
  const { database, publicUrl } = deps
  return formRoute(deps, {
    path: LINK_PATH,
    access: 'browser',
    async whenSignedInSince({ body, browser, submission }) {
      const isSame = await isSessionOf(database, submission, browser)
      const memberId = isSame ? browser.member.memberId : undefined
      return repeatedSignIn({ browser, publicUrl, body, memberId })
    },
    async handle({ body, browser, address, header, requestId, now, submission }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
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

async function tryToLink(deps: ProviderDeps, given: LinkAttempt): Promise<Answer> {
  const { body, entry, submission, returnTo } = given
  const { browser, now } = entry
  const key = { secret: body.get(PENDING) ?? '', formToken: browser.formToken }
  const pending = await findPendingIdentity(deps.database, key, now)
  if (!pending) return unknownSignInPage()
  const { memberId, issuer, subject } = pending
  const proof = { kind: 'identity', identity: { issuer, subject } } as const
  const linking = { key, pending, entry: { ...entry, memberId, proof }, submission }
  if (body.get(CONFIRM_BY) !== BY_NOTHING) return linkByPassword(deps, given, linking)
  const entered = await deps.database.write(async (tx) => {
    if (!(await claim(tx, linking))) return undefined
    await endAllAccess(tx, memberId, now)
    return link(tx, linking)
  })
  return answerOf(deps.publicUrl, entered, returnTo)
}

interface Linking {
  readonly key: PendingKey
  readonly pending: PendingIdentity
  readonly entry: Entry
  readonly submission: Submission | undefined
}

async function linkByPassword(
  deps: ProviderDeps,
  { body, returnTo, address, requestId }: LinkAttempt,
  linking: Linking,
): Promise<Answer> {
  const { database, log, publicUrl, provider, attempts } = deps
  const { memberId } = linking.pending
  const { username, email } = await requireMember(database, memberId)
  const page = { ...linking.key, account: email ?? username, returnTo, provider, legal: deps }
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
    if (!(await claim(tx, linking, hash))) return undefined
    await attempt.succeed(tx)
    await revokeLinksOfMember(tx, memberId)
    return link(tx, linking)
  })
  return answerOf(publicUrl, entered, returnTo)
}

const WRONG = phrase('Incorrect password. Try again, or connect the account without it.')

/** Locks the member and consumes the pending identity. False if it, or the password, is no longer valid. */
async function claim(
  tx: Transaction,
  { key, pending: { memberId, issuer }, entry }: Linking,
  hash?: PasswordHash,
): Promise<boolean> {
  await lockMember(tx.member(memberId))
  if (!(await takePendingIdentity(tx, key, entry.now))) return false
  if (await hasIdentityOf(tx.member(memberId), issuer)) return false
  return hash === undefined || isPasswordHash(tx.member(memberId), hash)
}

async function link(
  tx: Transaction,
  { pending, entry, submission }: Linking,
): Promise<Entered | undefined> {
  const { memberId, issuer, subject } = pending
  const member = tx.member(memberId)
  await addIdentity(member, { issuer, subject }, entry.now)
  await recordSecurityEvent(member, { event: 'identity_linked', details: { issuer } }, entry.now)
  const entered = await startBrowserSession(tx, entry)
  if (entered) await recordAnonymousSubmission(tx, submission, entered)
  return entered
}

function answerOf(publicUrl: string, entered: Entered | undefined, returnTo: string) {
  return entered ? enterAnswer(publicUrl, entered, returnTo) : unknownSignInPage()
}
