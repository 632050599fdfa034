/** Weft's cookies: the browser session, a random value for browsers that are not signed in, and the time zone. */

import { parseCookie, stringifySetCookie } from 'cookie'
import type { Theme } from '../http/browser-request.ts'

/**
 * `weft_session` holds the session secret, `weft_visit` a random value for CSRF tokens, `weft_result` a form's result for
 * the next page (see result-cookie.ts), `weft_browser` a value that tells browsers apart (see known-browser.ts),
 * `weft_typed` the keys of forms that were sent after the session had ended (see forms/typed-forms.ts), `weft_tour` marks a tour
 * of the demo account (see demo-tour.ts), `weft_home` holds the times of the last visits (see pages/activity/agent-changes.ts), and
 * `weft_recent` the people whose pages were opened last (see pages/person/recent-people.ts).
 */
type CookieName =
  | 'weft_session'
  | 'weft_visit'
  | 'weft_oidc'
  | 'weft_result'
  | 'weft_browser'
  | 'weft_typed'
  | 'weft_tour'
  | 'weft_home'
  | 'weft_recent'

/**
 * Set by a script on the pages, so it is not secret and has no `__Host-` prefix. The script also sets `weft_member`, which only
 * it reads (see html/assets/weft.js).
 */
const TIME_ZONE_COOKIE = 'weft_time_zone'

/** As reported by the browser, such as `Europe/Berlin`. Not validated. */
export function readTimeZone(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[TIME_ZONE_COOKIE]
}

const THEME_COOKIE = 'weft_theme'

/** The colors that were chosen in this browser. */
export function readTheme(header: string | undefined): Theme | undefined {
  const theme = header === undefined ? undefined : parseCookie(header)[THEME_COOKIE]
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

/** A `Set-Cookie` value that chooses light or dark colors, or those of the system. */
export function themeCookie(theme: Theme | undefined, publicUrl: string): string {
  return choiceCookie(THEME_COOKIE, theme, publicUrl)
}

/** Read by a script on the pages, so scripts may read it and it has no `__Host-` prefix. */
const KEYS_COOKIE = 'weft_keys'

/** True if the member turned off the single keys of the pages in this browser. */
export function areKeysOff(header: string | undefined): boolean {
  return header !== undefined && parseCookie(header)[KEYS_COOKIE] === 'off'
}

/** A `Set-Cookie` value that turns the single keys of the pages off, or on again. */
export function keysCookie(isOff: boolean, publicUrl: string): string {
  return choiceCookie(KEYS_COOKIE, isOff ? 'off' : undefined, publicUrl)
}

const CHOICE_SECONDS = 400 * 24 * 60 * 60

/** Without a value, the choice is forgotten. */
function choiceCookie(name: string, value: string | undefined, publicUrl: string): string {
  return stringifySetCookie({
    name,
    value: value ?? '',
    path: '/',
    secure: publicUrl.startsWith('https:'),
    sameSite: 'lax',
    maxAge: value === undefined ? 0 : CHOICE_SECONDS,
  })
}

interface Cookies {
  read(header: string | undefined, name: CookieName): string | undefined
  /** A `Set-Cookie` value. `maxAge` is in seconds; without it, the cookie ends with the browser session. */
  write(name: CookieName, value: string, maxAge?: number): string
  clear(name: CookieName): string
}

/**
 * With HTTPS, names start with `__Host-`: the browser accepts the cookie only from this host and sends it only over HTTPS
 * (RFC 6265bis section 4.1.3.2). `Lax`, because people arrive from their agents' sites.
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
