/** Forms that a browser sends: from this site alone, and from a page that this very visitor was shown. */

import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../base/refusal.ts'
import type { Visit } from './visit.ts'

/** The field in which every form carries its visitor's token. */
export const FORM_TOKEN = 'form_token'

/**
 * A form of another site is refused before it is read (Fetch Metadata). Browsers without Sec-Fetch-Site send Origin;
 * whoever sends neither still needs the token.
 */
export function refuseForeignForm(headers: IncomingHttpHeaders, publicUrl: string): void {
  const site = headers['sec-fetch-site']
  const origin = headers.origin
  const foreign =
    site === undefined ? origin !== undefined && origin !== publicUrl : site !== 'same-origin'
  if (foreign)
    throw new Refusal('forbidden', 'This form was sent from another site. Nothing was done.')
}

export function refuseForgedForm({ formToken }: Visit, form: URLSearchParams): void {
  const sent = Buffer.from(form.get(FORM_TOKEN) ?? '')
  const expected = Buffer.from(formToken)
  if (sent.length === expected.length && timingSafeEqual(sent, expected)) return
  throw new Refusal('forbidden', 'This page is older than your present visit. Nothing was done.', {
    hint: 'Go back, reload the page and send it again. Cookies must be allowed.',
  })
}
