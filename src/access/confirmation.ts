/**
 * Proof that the member of a browser session has just authenticated again, beyond the session cookie. Browsers send
 * cookies to every port of a host, so another program on this computer may hold the cookie. A confirmation exists only in
 * the page that answered the proof. It allows creating one API token, within five minutes.
 */

import { createChallenge, takeChallenge } from './passkey-challenge.ts'
import type { Transaction } from '../db/database.ts'

const PURPOSE = 'create_token'

/** `formToken` belongs to the browser session. */
export function createConfirmation(
  tx: Transaction,
  formToken: string,
  now: number,
): Promise<string> {
  return createChallenge(tx, { purpose: PURPOSE, formToken }, now)
}

/** Consumes it. Returns false if it is unknown, used or expired, or belongs to another session. */
export function takeConfirmation(
  tx: Transaction,
  confirmation: string,
  formToken: string,
  now: number,
): Promise<boolean> {
  return takeChallenge(tx, confirmation, { purpose: PURPOSE, formToken }, now)
}
