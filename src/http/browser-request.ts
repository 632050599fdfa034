/** A browser request and its session, derived from its cookies. */

export interface BrowserRequest {
  readonly member: SignedIn | undefined
  /** CSRF token that every form carries as `form_token`. Other sites cannot know it. */
  readonly formToken: string
  /** The `formToken` of the session that the browser's cookie names, if that session has ended. */
  readonly endedFormToken?: string
  /** The member's time zone as reported by the browser, not validated; `UTC` if not reported. */
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
  /** The session: the hash of its secret. */
  readonly sessionId: string
  readonly signedInAt: number
}

export type ReadBrowserRequest = (cookies: string | undefined) => Promise<BrowserRequest>
