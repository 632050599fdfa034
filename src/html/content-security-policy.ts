/** What a page may load, and where its forms may lead (CSP Level 3). Nothing inline, nothing from elsewhere. */

import { isIPv4 } from 'node:net'
import { RequestError } from '../base/request-error.ts'

/** `formTargets` are sources that `formTarget` made. */
export function contentSecurityPolicy(formTargets: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/**
 * The CSP source of an address that a form is redirected to: browsers drop the redirect of a form to where form-action
 * does not lead. Of a web address its origin, of any other its scheme; so is a host that CSP has no words for, such as
 * `[::1]`, answered by its scheme. Whatever the address holds, the source has no space, comma or semicolon in it.
 */
export function formTarget(redirectUri: string): string {
  const url = URL.parse(redirectUri)
  if (!url)
    throw new RequestError('invalid_request', 'The redirect address cannot be read as a URL.')
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && isHostSource(url.hostname) ? url.origin : url.protocol
}

/** CSP 3 section 2.3.1, host-part; section 6.7.2.8 lets no address but 127.0.0.1 match. */
function isHostSource(hostname: string): boolean {
  return isIPv4(hostname) ? hostname === '127.0.0.1' : HOST_PART.test(hostname)
}

const HOST_PART = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/
