/**
 * Passes a form's result, such as a new token or link, to the page it redirects to, which shows it once. Neither the URL
 * nor the database may hold it, so the browser carries it in an encrypted cookie (decisions/0017).
 */

import { MINUTE, SECOND } from '../base/clock.ts'
import { seal, unseal, type SealKey } from '../base/seal.ts'
import { seeOther, type Answer } from '../http/response.ts'
import { cookiesFor } from './cookies.ts'
import type { SignedIn } from '../http/browser-request.ts'

/** Long enough for a redirect on a slow connection. */
const LIFETIME_MS = MINUTE

interface ResultCookies<Result> {
  /** Redirects (303) to the page that reads the result. */
  redirect(location: string, member: SignedIn, result: Result): Answer
  /** The result for this session and page; undefined if there is none or it is not authentic. */
  read(cookies: string | undefined, member: SignedIn): Result | undefined
  /** The page, with a header that deletes the result: reloading does not show it again. */
  shownOnce(page: Answer): Answer
}

/** `purpose` identifies the page, so that no other page accepts the result. */
export function resultCookies<Result>(publicUrl: string, purpose: string): ResultCookies<Result> {
  const cookies = cookiesFor(publicUrl)
  return {
    redirect: (location, member, result) =>
      seeOther(location, [
        cookies.write('weft_result', seal(keyOf(purpose, member), result), LIFETIME_MS / SECOND),
      ]),
    // Decryption succeeds only for this purpose, so the value has the purpose's type.
    read: (header, member) =>
      unseal(keyOf(purpose, member), cookies.read(header, 'weft_result') ?? '') as
        | Result
        | undefined,
    shownOnce: (page) => ({
      ...page,
      cookies: [...(page.cookies ?? []), cookies.clear('weft_result')],
    }),
  }
}

/** Only the service and this session's browser can derive the key. */
function keyOf(purpose: string, { sessionId }: SignedIn): SealKey {
  return { secret: sessionId, purpose: `weft result ${purpose}` }
}
