/** The authorization response (RFC 6749 section 4.1.2): a redirect to the client with a code or an error. */

import { t } from '../languages/message.ts'
import { isLoopbackUri, redirectHost } from './redirect-uri.ts'
import { messagePage } from '../html/message.page.ts'
import { seeOther, type Answer } from '../http/response.ts'
import type { SignedIn } from '../http/browser-request.ts'
import type { CheckedRequest, ReturnAddress } from './authorization-request.ts'

export function returnCode(request: ReturnAddress, code: string, publicUrl: string): Answer {
  return returnTo(request, publicUrl, { code })
}

/**
 * Reports an error to the client through the browser. Anyone can register a client, so a signed-out person is not
 * redirected to a website they did not choose to visit (RFC 9700 section 4.11.2).
 */
export function returnError(
  { error, returnTo: address }: Extract<CheckedRequest, { ok: false }>,
  member: SignedIn | undefined,
  publicUrl: string,
): Answer {
  const answer = { error: error.code, error_description: error.message }
  if (member || isLoopbackUri(address.redirectUri)) return returnTo(address, publicUrl, answer)
  return messagePage({
    status: 400,
    title: t('The app sent an invalid request'),
    text: `${error.code}: ${error.message}.`,
    hint: t('Nothing was connected. Contact the developer of the app.'),
    action: {
      href: locationOf(address, publicUrl, answer),
      label: t('Back to {redirectUri}', { redirectUri: redirectHost(address.redirectUri) }),
    },
  })
}

export function returnTo(
  address: ReturnAddress,
  publicUrl: string,
  answer: Readonly<Record<string, string>>,
): Answer {
  return seeOther(locationOf(address, publicUrl, answer))
}

/** Always adds `iss`, which identifies this server to the client (RFC 9207), on errors too. */
function locationOf(
  { redirectUri, state }: ReturnAddress,
  publicUrl: string,
  answer: Readonly<Record<string, string>>,
): string {
  const added = new URLSearchParams(answer)
  if (state !== undefined) added.set('state', state)
  added.set('iss', publicUrl)
  // The registered URI itself must stay unchanged.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added.toString()}`
}
