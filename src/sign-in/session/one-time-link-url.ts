/** The URLs of one-time links. The secret is in the URL, so each link is single-use. */

import { LINK } from '../../access/one-time-link.ts'
import { JOIN_PATH, RESET_PATH, UNSUBSCRIBE_PATH, VERIFY_EMAIL_PATH } from '../../html/site-map.ts'

/** Where an invitation is accepted. */
export function joinAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}${JOIN_PATH}?${LINK}=${secret}`
}

/** Where an email address is confirmed. */
export function verifyAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}${VERIFY_EMAIL_PATH}?${LINK}=${secret}`
}

/** Where a new password is set. */
export function resetAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}${RESET_PATH}?${LINK}=${secret}`
}

/** Where summaries by email are ended. */
export function unsubscribeAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}${UNSUBSCRIBE_PATH}?${LINK}=${secret}`
}
