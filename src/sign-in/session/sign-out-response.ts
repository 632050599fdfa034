/** The answer that signs a browser out. */

import { sessionCookies } from '../../access/browser-session.ts'
import { seeOther, type Answer } from '../../http/response.ts'

/**
 * Redirects, deletes the session's cookie, and removes what the browser has stored of the member: drafts, photos and
 * scripts. Other cookies stay, because they hold the language, the time zone and the token of the next form.
 */
export function leaveAnswer(publicUrl: string, location: string): Answer {
  const answer = seeOther(location, sessionCookies(publicUrl).signOut())
  return { ...answer, headers: { ...answer.headers, 'clear-site-data': '"cache", "storage"' } }
}
