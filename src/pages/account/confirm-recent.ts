/**
 * Sensitive actions ask who is at the browser, because an open session does not prove it. A recent sign-in is enough; later
 * the member enters the password, or signs in again with a passkey or at the identity provider.
 */

import { MINUTE, type Clock } from '../../base/clock.ts'
import type { SignedIn } from '../../http/browser-request.ts'
import type { ConfirmPassword } from './confirm-password.ts'

interface ConfirmRecentDeps {
  readonly clock: Clock
  /** Undefined when people sign in with an identity provider. */
  readonly passwords: { readonly confirm: ConfirmPassword } | undefined
}

/** A recent sign-in, within 10 minutes, replaces the password prompt. */
export function isFresh({ signedInAt }: SignedIn, now: number): boolean {
  return now - signedInAt < 10 * MINUTE
}

export const SIGN_IN_AGAIN =
  'Sign out and sign in again to confirm it’s you. You can then do this for 10 minutes.'

/** Resolves to an error sentence, or to undefined if it is the member. */
export async function confirmRecent(
  { clock, passwords }: ConfirmRecentDeps,
  member: SignedIn,
  { address, typed }: { readonly address: string; readonly typed: string },
): Promise<string | undefined> {
  if (isFresh(member, clock.now())) return undefined
  if (!passwords) return SIGN_IN_AGAIN
  return typed === ''
    ? 'Enter your password to confirm it’s you.'
    : passwords.confirm(member, address, typed)
}
