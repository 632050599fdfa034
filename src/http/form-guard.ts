/** CSRF protection: forms must come from this site and carry the browser's own token. */

import { t } from '../languages/message.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { RequestError } from '../base/request-error.ts'
import { isSameSecret } from '../base/secrets.ts'
import type { BrowserRequest } from './browser-request.ts'
import type { Answer } from './response.ts'

/** Form field that carries the CSRF token. */
export const FORM_TOKEN = 'form_token'

/** Form field that identifies one copy of a form; see forms/submission.ts. */
export const FORM_KEY = 'form_key'

/**
 * Rejects cross-site forms before reading them, by Fetch Metadata, Origin and Host, each if present. No single header is
 * enough: with DNS rebinding, the browser treats the attacker's host as same-origin. Clients that send none of these
 * headers still need the token.
 */
export function assertSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  if ((site ?? 'same-origin') !== 'same-origin' || (origin ?? publicUrl) !== publicUrl)
    throw new RequestError(
      'forbidden',
      t('This form was submitted from another site, so it was rejected.'),
      { hint: t('Open {publicUrl} and try again.', { publicUrl }) },
    )
  if (host !== undefined && !isHostOf(publicUrl, host))
    throw new RequestError(
      'forbidden',
      t('This form was submitted to a host other than {host}, so it was rejected.', {
        host: new URL(publicUrl).host,
      }),
      {
        hint: t(
          'Open {publicUrl} and try again. A reverse proxy must pass the Host header through unchanged.',
          { publicUrl },
        ),
      },
    )
}

/** Ignores case and the scheme's default port (RFC 9110 section 4.2.3). */
function isHostOf(publicUrl: string, host: string): boolean {
  const { protocol, host: expected } = new URL(publicUrl)
  return URL.parse(`${protocol}//${host}`)?.host === expected
}

/** Whether the form belongs to the browser and its session. Otherwise it must have no effect. */
export function hasFormToken(
  { formToken }: Pick<BrowserRequest, 'formToken'>,
  form: URLSearchParams,
): boolean {
  return isSameSecret(sessionPart(form.get(FORM_TOKEN) ?? ''), sessionPart(formToken))
}

/** The page with the token of the browser in each form that is sent to this site. Text of a page has no unescaped `<` or `>`. */
export function withFormToken(
  answer: Answer,
  { formToken }: Pick<BrowserRequest, 'formToken'>,
): Answer {
  const { body, headers } = answer
  if (typeof body !== 'string' || !headers['content-type']?.startsWith('text/html')) return answer
  const field = `<input type="hidden" name="${FORM_TOKEN}" value="${formToken}" />`
  return { ...answer, body: body.replaceAll(POST_FORM, (form) => form + field) }
}

const POST_FORM = /<form\b(?=[^<>]*\smethod="post")(?=[^<>]*\saction="\/(?!\/))[^<>]*>/g

/** The form token without the part that tells whose form it is, which outlives the session. */
export function sessionPart(formToken: string): string {
  return formToken.split('.', 1)[0] ?? ''
}

/** Fields that hold passwords and other secrets. `textField` accepts no other name for a password. */
export function isSecretField(name: string): boolean {
  return /password|credential|secret|token|^confirmation$|^link$/.test(name)
}

/** The error for a form without the browser's token. */
export function formExpired(): RequestError {
  return new RequestError('forbidden', t('This form has expired, so it was not submitted.'), {
    hint: t('Go back, reload the page and submit it again. Cookies must be enabled.'),
  })
}
