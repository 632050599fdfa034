/** Forms that a browser sends: from this site alone, and from a page that this very visitor was shown. */

import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { RequestError } from '../base/request-error.ts'
import type { BrowserRequest } from './browser-request.ts'

/** The field in which every form carries its visitor's token. */
export const FORM_TOKEN = 'form_token'

/**
 * A form of another site is rejected before it is read: by Fetch Metadata, by Origin and by Host, each where it is sent.
 * One alone is not enough: to a browser, a name that was pointed at this machine (DNS rebinding) is a site of its own,
 * whose forms are same-origin. A client that sends none of them still needs the token.
 */
export function assertSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  if ((site ?? 'same-origin') !== 'same-origin' || (origin ?? publicUrl) !== publicUrl)
    throw new RequestError(
      'forbidden',
      'This form was submitted from another site, so it was rejected.',
      { hint: `Open ${publicUrl} and try again.` },
    )
  if (host !== undefined && !isHostOf(publicUrl, host))
    throw new RequestError(
      'forbidden',
      `This form was submitted to another host than ${new URL(publicUrl).host}, so it was rejected.`,
      {
        hint: `Open ${publicUrl} and try again. A reverse proxy has to pass the Host header on unchanged.`,
      },
    )
}

/** Whatever its case, and with or without the scheme's own port (RFC 9110 section 4.2.3). */
function isHostOf(publicUrl: string, host: string): boolean {
  const { protocol, host: expected } = new URL(publicUrl)
  return URL.parse(`${protocol}//${host}`)?.host === expected
}

export function assertFormToken({ formToken }: BrowserRequest, form: URLSearchParams): void {
  const sent = Buffer.from(form.get(FORM_TOKEN) ?? '')
  const expected = Buffer.from(formToken)
  if (sent.length === expected.length && timingSafeEqual(sent, expected)) return
  throw new RequestError(
    'forbidden',
    'This page is older than your present visit. Nothing was done.',
    {
      hint: 'Go back, reload the page and send it again. Cookies must be allowed.',
    },
  )
}
