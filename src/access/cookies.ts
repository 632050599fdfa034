/** The cookies of Weft: a browser session, and a mark for browsers that are not signed in. */

import { parseCookie, stringifySetCookie } from 'cookie'

/** `weft_session` holds a session's secret; `weft_visit` a random value that a visitor's forms are bound to. */
export type CookieName = 'weft_session' | 'weft_visit' | 'weft_oidc'

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
