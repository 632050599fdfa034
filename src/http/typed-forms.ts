/** Forms that were sent after their session had ended. */

import type { BrowserRequest, SignedInRequest } from './browser-request.ts'
import type { Answer } from './response.ts'

/**
 * Keeps what was typed into forms that were sent after their session had ended, until the same member has signed in
 * again in the same browser.
 */
export interface TypedForms {
  /** `Set-Cookie` values that lead back to the fields. Undefined without typed text or a member to keep it for. */
  keep(form: SentForm): Promise<readonly string[] | undefined>
  /** The response of a signed-in browser: its page with the kept form filled in, or without the form that was sent. */
  restore(answer: Answer, visit: TypedFormVisit): Promise<Answer>
}

/** A form whose token is not that of the browser's session. */
export interface SentForm {
  readonly browser: BrowserRequest
  readonly cookies: string | undefined
  readonly action: string
  readonly page: string
  readonly fields: URLSearchParams
}

export interface TypedFormVisit {
  readonly browser: SignedInRequest
  readonly cookies: string | undefined
  readonly method: string
  /** The path without the query. */
  readonly path: string
}
