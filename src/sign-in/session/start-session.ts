/** Starts a browser session for an authenticated member. */

import { phrase, t } from '../../languages/message.ts'
import { browserName } from '../../access/browser-name.ts'
import {
  endSession,
  formTokenOf,
  sessionCookies,
  startSession,
} from '../../access/browser-session.ts'
import { createConfirmation } from '../../access/reauthentication.ts'
import { browserCookie, recordBrowser } from '../../access/known-browser.ts'
import { findIdentityHolder, type Identity } from '../../access/provider-identity.ts'
import { lockMember } from '../../access/lock-member.ts'
import { recordPasskeyUse, type PasskeyUse } from '../../access/passkey.ts'
import { isPasswordHash } from '../../access/passwords/password.ts'
import { confirmedPath } from '../../oauth/consent/connect-confirmation.ts'
import { recordAdminAction } from '../../members/admin-log.ts'
import { findMember } from '../../members/member.ts'
import { listAdmins } from '../../members/admin-role.ts'
import { messagePage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import type { PasswordHash } from '../../access/passwords/password-hash.ts'
import type { Transaction } from '../../db/database.ts'
import type { BrowserRequest } from '../../http/browser-request.ts'

/**
 * How the person authenticated. The proof was checked before the transaction that starts the session, and is checked
 * again in it, because a password can change, a passkey can be removed and an identity can be unlinked in between.
 */
export type SignInProof =
  | { readonly kind: 'password'; readonly hash: PasswordHash }
  | { readonly kind: 'passkey'; readonly use: PasskeyUse }
  | { readonly kind: 'identity'; readonly identity: Identity }
  /** A one-time link that was used in the same transaction. */
  | { readonly kind: 'link' }

export interface Entry {
  readonly memberId: number
  readonly proof: SignInProof
  readonly browser: BrowserRequest
  /** `User-Agent`, so that members can tell their sessions apart. */
  readonly userAgent: string | undefined
  /** Whether the account was created in this request. */
  readonly hasJoined?: boolean
  readonly now: number
}

export type Entered =
  /** With the secret of the new session, the value that tells the browser apart, and a confirmation to connect an app. */
  | {
      readonly kind: 'entered'
      readonly secret: string
      readonly browserSecret: string
      readonly confirmation: string
    }
  | { readonly kind: 'disabled' }

/**
 * Ends any earlier session of the browser, which prevents session fixation. Locks the member's row first, so that a
 * concurrent password change or disabling either commits before and is seen here, or runs after and ends this session
 * with the others. Undefined if the proof is no longer valid.
 */
export async function startBrowserSession(
  tx: Transaction,
  { memberId, proof, browser, userAgent, hasJoined = false, now }: Entry,
): Promise<Entered | undefined> {
  const locked = await lockMember(tx.member(memberId))
  if (!locked) return undefined
  if (locked.isDisabled) return { kind: 'disabled' }
  if (!(await isProofValid(tx, memberId, proof, now))) return undefined
  const before = browser.member
  if (before) await endSession(tx.member(before.memberId), before.sessionId)
  const member = tx.member(memberId)
  const { secret } = await startSession(member, { userAgent, now })
  const { secret: browserSecret, isNew } = await recordBrowser(member, browser.browserSecret, now)
  const details = { method: METHODS[proof.kind], browser: browserName(userAgent ?? null) }
  // A reset with a link has a separate notice.
  const notify = isNew && !hasJoined && proof.kind !== 'link'
  await recordSecurityEvent(member, { event: 'session_started', details, notify }, now)
  await recordAdminSignIn(tx, memberId, now)
  const connecting = { action: 'connect_app', formToken: formTokenOf(secret) } as const
  const confirmation = await createConfirmation(tx, connecting, now)
  return { kind: 'entered', secret, browserSecret, confirmation }
}

async function recordAdminSignIn(tx: Transaction, memberId: number, now: number): Promise<void> {
  if (!(await listAdmins(tx)).has(memberId)) return
  const admin = (await findMember(tx, memberId))?.username ?? null
  await recordAdminAction(tx, { at: now, admin, action: 'sign_in' })
}

const METHODS = {
  password: phrase('password'),
  passkey: phrase('passkey'),
  identity: phrase('identity provider'),
  link: phrase('one-time link'),
} as const satisfies Record<SignInProof['kind'], string>

async function isProofValid(
  tx: Transaction,
  memberId: number,
  proof: SignInProof,
  now: number,
): Promise<boolean> {
  if (proof.kind === 'password') return isPasswordHash(tx.member(memberId), proof.hash)
  if (proof.kind === 'passkey') return recordPasskeyUse(tx.member(memberId), proof.use, now)
  if (proof.kind === 'identity') return (await findIdentityHolder(tx, proof.identity)) === memberId
  return true
}

/**
 * Sets the session cookie and redirects. `returnTo` must be a path of this site. The consent page gets the confirmation that
 * the person has just signed in, which other programs on this computer cannot read, unlike the cookie.
 */
export function enterAnswer(publicUrl: string, entered: Entered, returnTo: string): Answer {
  if (entered.kind === 'disabled') return disabledPage()
  return seeOther(confirmedPath(publicUrl, entered.confirmation, returnTo), [
    ...sessionCookies(publicUrl).signIn(entered.secret),
    browserCookie(publicUrl, entered.browserSecret),
  ])
}

/** Only for people who have authenticated. */
export function disabledPage(): Answer {
  return messagePage({
    status: 403,
    title: t('Your account is disabled'),
    text: t('You are not signed in. Your data is kept.'),
    hint: t('Ask your administrator to enable it again.'),
  })
}
