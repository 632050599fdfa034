/**
 * A confirmation: the member of a browser session has just proved who they are, beyond the session's cookie. Browsers
 * send a cookie to every port of a host, so another program on this computer can have it. A confirmation is only in the
 * page that the proof was answered with. It lets one API token be created, within five minutes.
 */

import { createChallenge, takeChallenge } from './passkey-challenge.ts'
import type { Transaction } from '../db/database.ts'

const PURPOSE = 'create_token'

/** `formToken` is that of the browser session. */
export function createConfirmation(
  tx: Transaction,
  formToken: string,
  now: number,
): Promise<string> {
  return createChallenge(tx, { purpose: PURPOSE, formToken }, now)
}

/** Uses it up; false when it is unknown, used, expired, or of another session. */
export function takeConfirmation(
  tx: Transaction,
  confirmation: string,
  formToken: string,
  now: number,
): Promise<boolean> {
  return takeChallenge(tx, confirmation, { purpose: PURPOSE, formToken }, now)
}
