/**
 * Sensitive actions require proof of identity, because an open session does not prove who uses the browser. For some, a
 * recent sign-in is enough; otherwise the member enters the password or uses a passkey, or signs in again at the
 * identity provider.
 */

import { phrase, t } from '../../languages/message.ts'
import { waitSentence, verifyOrCancel } from '../../sign-in/password/sign-in.page.ts'
import { countSignInAttempts } from '../../sign-in/session/sign-in-attempts.ts'
import { MINUTE } from '../../base/clock.ts'
import { takeConfirmation } from '../../access/reauthentication.ts'
import type { FormRequest, PageDeps } from '../../forms/page-route.ts'
import type { PasswordHasher } from '../../access/passwords/password-hash.ts'
import type { AccountDeps, ConfirmPassword } from './account-view.ts'
import type { ConfirmedAction } from '../../access/passkey-challenge.ts'
import type { SignedIn } from '../../http/browser-request.ts'

/**
 * Failures are rate-limited like those of the sign-in page, but counted separately: failed sign-ins by strangers
 * do not block a signed-in member from confirming.
 */
export function passwordConfirmation({
  database,
  clock,
  hasher,
}: PageDeps & { readonly hasher: PasswordHasher }): ConfirmPassword {
  const attempts = countSignInAttempts({ database, clock })
  return async ({ memberId }, address, typed) => {
    const name = String(memberId)
    const attempted = { method: 'confirmation', name, memberId: undefined, address } as const
    const attempt = await attempts.begin(attempted)
    if (!attempt.allowed) return waitSentence(attempt.retryAfter)
    const hash = await verifyOrCancel({ database, hasher }, attempt, memberId, typed)
    if (hash === undefined) return t('Incorrect password.')
    await database.write((tx) => attempt.succeed(tx))
    return undefined
  }
}

/** A recent sign-in, within 10 minutes, replaces the password prompt. */
export function isFresh({ signedInAt }: SignedIn, now: number): boolean {
  return now - signedInAt < 10 * MINUTE
}

export const SIGN_IN_AGAIN = phrase(
  'Sign out and sign in again to confirm it’s you. You can then do this for 10 minutes.',
)

export const ENTER_PASSWORD = phrase('Enter your password to confirm it’s you.')

export const CONFIRMATION_EXPIRED = phrase('The confirmation has expired. Confirm it’s you again.')

/** Resolves to an error sentence, or to undefined if the member signed in recently or entered the password. */
export async function confirmRecent(
  { passwords }: Pick<AccountDeps, 'passwords'>,
  { browser: { member }, address, now }: Pick<FormRequest, 'browser' | 'address' | 'now'>,
  typed: string,
): Promise<string | undefined> {
  if (isFresh(member, now)) return undefined
  if (!passwords) return SIGN_IN_AGAIN
  return typed === '' ? ENTER_PASSWORD : passwords.confirm(member, address, typed)
}

/**
 * Consumes the confirmation that a passkey gave for this action. Resolves to an error sentence, or to undefined if it is
 * valid.
 */
export async function useConfirmation(
  { database }: Pick<PageDeps, 'database'>,
  { browser: { formToken }, now }: Pick<FormRequest, 'browser' | 'now'>,
  { action, confirmation }: { readonly action: ConfirmedAction; readonly confirmation: string },
): Promise<string | undefined> {
  const isTaken = await database.write((tx) =>
    takeConfirmation(tx, confirmation, { action, formToken }, now),
  )
  return isTaken ? undefined : CONFIRMATION_EXPIRED
}
