/**
 * Over plain http, other programs on this computer receive the session cookie, because cookies ignore ports. So a member
 * must have just signed in to connect an app: signing in adds a confirmation to the URL of the consent page, which no
 * cookie contains. See `access/reauthentication.ts`.
 */

import { AUTHORIZE_PATH } from '../../html/site-map.ts'

/** Its name in the URL of the consent page and in its form. */
export const CONNECT_CONFIRMATION = 'confirmation'

/** Whether connecting an app requires it. */
export function needsConfirmation(publicUrl: string): boolean {
  return publicUrl.startsWith('http:')
}

/** The path after signing in, with the confirmation if it is the consent page. */
export function confirmedPath(publicUrl: string, confirmation: string, path: string): string {
  if (!needsConfirmation(publicUrl) || !path.startsWith(`${AUTHORIZE_PATH}?`)) return path
  return `${path}&${CONNECT_CONFIRMATION}=${confirmation}`
}

/** The authorization request and the confirmation, which is empty without one. */
export function splitConfirmation(search: string): {
  readonly request: string
  readonly confirmation: string
} {
  const at = search.lastIndexOf(MARKER)
  const confirmation = search.slice(at + MARKER.length)
  return at >= 0 && VALUE.test(confirmation)
    ? { request: search.slice(0, at), confirmation }
    : { request: search, confirmation: '' }
}

const MARKER = `&${CONNECT_CONFIRMATION}=`
const VALUE = /^[\w-]{1,200}$/
