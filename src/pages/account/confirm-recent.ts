/**
 * Sensitive actions require proof of identity, because an open session does not prove who uses the browser. For some, a
 * recent sign-in is enough; otherwise the member enters the password or uses a passkey, or signs in again at the
 * identity provider.
 */

import { takeConfirmation } from '../../access/confirmation.ts'
import type { ConfirmedAction } from '../../access/passkey-challenge.ts'
import { MINUTE, type Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { SignedIn, SignedInRequest } from '../../http/browser-request.ts'
import type { ConfirmPassword } from './confirm-password.ts'

interface ConfirmDeps {
  readonly database: Database
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

export const CONFIRMATION_EXPIRED = 'The confirmation has expired. Confirm it’s you again.'

interface Typed {
  readonly browser: SignedInRequest
  readonly address: string
  /** The password. */
  readonly typed: string
}

/** Resolves to an error sentence, or to undefined if the member signed in recently or entered the password. */
export async function confirmRecent(
  { clock, passwords }: Omit<ConfirmDeps, 'database'>,
  { browser: { member }, address, typed }: Typed,
): Promise<string | undefined> {
  if (isFresh(member, clock.now())) return undefined
  if (!passwords) return SIGN_IN_AGAIN
  return typed === ''
    ? 'Enter your password to confirm it’s you.'
    : passwords.confirm(member, address, typed)
}

/**
 * Consumes the confirmation that a passkey gave for this action. Resolves to an error sentence, or to undefined if it is
 * valid.
 */
export async function useConfirmation(
  { database, clock }: Omit<ConfirmDeps, 'passwords'>,
  { formToken }: SignedInRequest,
  { action, confirmation }: { readonly action: ConfirmedAction; readonly confirmation: string },
): Promise<string | undefined> {
  const isTaken = await database.write((tx) =>
    takeConfirmation(tx, confirmation, { action, formToken }, clock.now()),
  )
  return isTaken ? undefined : CONFIRMATION_EXPIRED
}
