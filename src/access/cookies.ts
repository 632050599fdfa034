/** The cookies of Weft: a browser session, a mark for browsers that are not signed in, and the reader's time zone. */

import { parseCookie, stringifySetCookie } from 'cookie'

/**
 * `weft_session` holds a session's secret; `weft_visit` a random value that a visitor's forms are bound to; `weft_result` what a form
 * hands to the page after it (see result-cookie.ts).
 */
export type CookieName = 'weft_session' | 'weft_visit' | 'weft_oidc' | 'weft_result'

/** Written by the script of the pages, so it is no secret and has no `__Host-` in front. */
const TIME_ZONE_COOKIE = 'weft_time_zone'

/** As the browser calls it, such as `Europe/Berlin`; anybody's word, so unchecked. */
export function readTimeZone(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[TIME_ZONE_COOKIE]
}

export interface Cookies {
  read(header: string | undefined, name: CookieName): string | undefined
  /** A `Set-Cookie` line; `maxAge` in seconds, without one it ends with the browser. */
  write(name: CookieName, value: string, maxAge?: number): string
  clear(name: CookieName): string
}

/**
 * Over https every name begins with `__Host-`: the browser then takes it from this very host alone, and sends it only
 * encrypted (RFC 6265bis section 4.1.3.2). `Lax`, because people come here from their agents' own sites.
 */
export function cookiesFor(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:')
  const fullName = (name: CookieName) => (secure ? `__Host-${name}` : name)
  const write = (name: CookieName, value: string, maxAge?: number) =>
    stringifySetCookie({
      name: fullName(name),
      value,
      path: '/',
      httpOnly: true,
      secure,
      sameSite: 'lax',
      ...(maxAge !== undefined && { maxAge }),
    })
  return {
    read: (header, name) =>
      header === undefined ? undefined : parseCookie(header)[fullName(name)],
    write,
    clear: (name) => write(name, '', 0),
  }
}
