/** The URLs of the address book. They never change, so members have their number instead of their username. */

import { decodedUri } from '../base/parse-text.ts'

export const DAV_PATH = '/dav/'

export const WELL_KNOWN_PATH = '/.well-known/carddav'

export const BOOK_NAME = 'contacts'

/** The member as a WebDAV principal, and the home of the address book. */
export function principalHref(memberId: number): string {
  return `${DAV_PATH}${memberId}/`
}

/** With a slash at its end, like all collections. */
export function bookHref(memberId: number): string {
  return `${principalHref(memberId)}${BOOK_NAME}/`
}

export function cardHref(memberId: number, name: string): string {
  return bookHref(memberId) + encodeName(name)
}

/** Always the same encoding, because clients compare hrefs as text. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The name in the href of a card, in any encoding and also as an absolute URL. Undefined for any other resource. */
export function nameInHref(memberId: number, href: string): string | undefined {
  const path = href.trim().replace(/^https?:\/\/[^/]*/i, '')
  const base = bookHref(memberId)
  const decoded = decodedUri(path)
  if (decoded === undefined || !decoded.startsWith(base)) return undefined
  const segments = path.split('/')
  const name = decodedUri(segments.at(-1) ?? '')
  return segments.length !== base.split('/').length || name === '' ? undefined : name
}
