/** The content security policy of pages (CSP Level 3): no inline code, nothing from other origins, restricted form
 * targets. */

import { t } from '../languages/message.ts'
import { isIPv4 } from 'node:net'
import { RequestError } from '../base/request-error.ts'

/** `formTargets` are sources from `formTarget`. */
export function contentSecurityPolicy(formTargets: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/**
 * The CSP source for a redirect after a form submission. Browsers block such a redirect unless form-action allows
 * it. The source of a web URL is its origin, of any other URL its scheme. A host that CSP cannot express, such as
 * `[::1]`, is also replaced by its scheme. The source never contains a space, comma or semicolon.
 */
export function formTarget(redirectUri: string): string {
  const url = URL.parse(redirectUri)
  if (!url) throw new RequestError('invalid_request', t('The redirect URI is not a valid URL.'))
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && isHostSource(url.hostname) ? url.origin : url.protocol
}

/** CSP 3 section 2.3.1, host-part; by section 6.7.2.8, 127.0.0.1 is the only IP address that matches. */
function isHostSource(hostname: string): boolean {
  return isIPv4(hostname) ? hostname === '127.0.0.1' : HOST_PART.test(hostname)
}

const HOST_PART = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/
