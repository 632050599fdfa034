/**
 * Proof that the member of a browser session has just authenticated again, beyond the session cookie. Browsers send
 * cookies to every port of a host, so another program on this computer may hold the cookie. A confirmation exists only in
 * the page that answered the proof. It allows one action, within five minutes.
 */

import { createChallenge, takeChallenge, type ConfirmedAction } from './passkey-challenge.ts'
import type { Transaction } from '../db/database.ts'

interface Confirmed {
  readonly action: ConfirmedAction
  /** Belongs to the browser session. */
  readonly formToken: string
}

/** Returns the secret of the confirmation, which goes into the page. */
export function createConfirmation(
  tx: Transaction,
  { action, formToken }: Confirmed,
  now: number,
): Promise<string> {
  return createChallenge(tx, { purpose: action, formToken }, now)
}

/** Consumes it. Returns false if it is unknown, used or expired, or belongs to another session or action. */
export function takeConfirmation(
  tx: Transaction,
  confirmation: string,
  { action, formToken }: Confirmed,
  now: number,
): Promise<boolean> {
  return takeChallenge(tx, confirmation, { purpose: action, formToken }, now)
}
