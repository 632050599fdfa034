/**
 * Passes a form's result, such as a new token or link, to the page it redirects to, which shows it once. Neither the URL
 * nor the database may hold it, so the browser carries it in an encrypted cookie (decisions/0017).
 */

import { MINUTE, SECOND } from '../base/clock.ts'
import { seal, unseal, type SealKey } from '../base/seal.ts'
import { seeOther, type Answer } from '../http/response.ts'
import { cookiesFor } from './cookies.ts'
import type { SignedIn, SignedInRequest } from '../http/browser-request.ts'

/** Long enough for a redirect on a slow connection. */
const LIFETIME_MS = MINUTE

interface ResultRequest {
  readonly browser: SignedInRequest
  readonly header: (name: string) => string | undefined
}

interface ResultCookies<Result> {
  /** Redirects (303) to the page that shows the result. */
  redirect(member: SignedIn, result: Result): Answer
  /**
   * The page with the result for this session; undefined if there is none or it is not authentic. The response deletes
   * the result: reloading does not show it again.
   */
  show(
    request: ResultRequest,
    page: (result: Result | undefined) => Answer | Promise<Answer>,
  ): Promise<Answer>
}

/** `path` is the page. No other page accepts the result. */
export function resultCookies<Result>(publicUrl: string, path: string): ResultCookies<Result> {
  const cookies = cookiesFor(publicUrl)
  return {
    redirect: (member, result) =>
      seeOther(path, [
        cookies.write('weft_result', seal(keyOf(path, member), result), LIFETIME_MS / SECOND),
      ]),
    async show({ browser, header }, page) {
      const sealed = cookies.read(header('cookie'), 'weft_result') ?? ''
      // Decryption succeeds only for this page, so the value has its type.
      const result = unseal(keyOf(path, browser.member), sealed) as Result | undefined
      const shown = await page(result)
      if (result === undefined) return shown
      return { ...shown, cookies: [...(shown.cookies ?? []), cookies.clear('weft_result')] }
    },
  }
}

/** Only the service and this session's browser can derive the key. */
function keyOf(path: string, { sessionId }: SignedIn): SealKey {
  return { secret: sessionId, purpose: `weft result ${path}` }
}
