/**
 * The signed time at which a consent page was rendered. An approval that arrives faster than a person can read is a click
 * meant for another page, such as the second half of a double-click.
 */

import { createHmac } from 'node:crypto'
import { SECOND } from '../../base/clock.ts'
import { isSameSecret } from '../../base/secrets.ts'

/** The field of the form that carries the timestamp. */
export const RENDERED_AT = 'rendered_at'

/** Longer than any double-click: operating systems allow up to 900 ms between its clicks. */
export const MIN_CONSENT_AGE_MS = SECOND

interface ConsentForm {
  readonly formToken: string
  /** The authorization request as received (a query string). */
  readonly request: string
}

/** `<milliseconds>.<HMAC>`, valid only in this browser session and for this request. */
export function consentTimestamp(form: ConsentForm, now: number): string {
  return `${now}.${signatureOf(form, String(now))}`
}

/** Also false for a timestamp that is missing, altered, or from the form of another request or session. */
export function isOldEnough(form: ConsentForm, timestamp: string, now: number): boolean {
  const [renderedAt = '', signature = ''] = timestamp.split('.')
  if (!isSameSecret(signature, signatureOf(form, renderedAt))) return false
  return now - Number(renderedAt) >= MIN_CONSENT_AGE_MS
}

function signatureOf({ formToken, request }: ConsentForm, renderedAt: string): string {
  return createHmac('sha256', formToken)
    .update(`consent\n${renderedAt}\n${request}`)
    .digest('base64url')
}
