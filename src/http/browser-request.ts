/** A browser request and its session, derived from its cookies. */

import type { Answer } from './response.ts'

export interface BrowserRequest {
  readonly member: SignedIn | undefined
  /** CSRF token that every form carries as `form_token`. Other sites cannot know it. */
  readonly formToken: string
  /** The `formToken` of the session that the browser's cookie names, if that session has ended. */
  readonly endedFormToken?: string
  /** The time zone of the member. Before it is known, as the browser reports it, not validated; `UTC` if not reported. */
  readonly timeZone: string
  /** The cookie that tells the browser apart, if it sent one; see access/known-browser.ts. */
  readonly browserSecret?: string | undefined
  /** `Set-Cookie` values for a browser that does not have its cookies yet. */
  readonly cookies: readonly string[]
}

export interface SignedInRequest extends BrowserRequest {
  readonly member: SignedIn
}

/** An admin manages the service and its members, but sees no other member's data. */
export type MemberRole = 'member' | 'admin'

export interface SignedIn {
  readonly memberId: number
  readonly username: string
  readonly name: string
  readonly role: MemberRole
  /** Chosen on the account page; null follows the browser. */
  readonly language?: string | null
  /** The session: the hash of its secret. */
  readonly sessionId: string
  readonly signedInAt: number
  /** The demo account, seen by someone without an account. It can only be read. */
  readonly isTour?: true
}

export type ReadBrowserRequest = (cookies: string | undefined) => Promise<BrowserRequest>

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
  /** Without the query. */
  readonly path: string
}
