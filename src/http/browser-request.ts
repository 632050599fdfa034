/** A browser request and its session, derived from its cookies. */

export type Theme = 'light' | 'dark'

export interface BrowserRequest {
  readonly member: SignedIn | undefined
  /** CSRF token that every form carries as `form_token`. Other sites cannot know it. */
  readonly formToken: string
  /** The `formToken` of the session that the browser's cookie names, if that session has ended. */
  readonly endedFormToken?: string
  /** The time zone of the member. Before it is known, as the browser reports it, not validated; `UTC` if not reported. */
  readonly timeZone: string
  /** Chosen on the account page; undefined follows the system. */
  readonly theme?: Theme | undefined
  /** The cookie that tells the browser apart, if it sent one; see access/known-browser.ts. */
  readonly browserSecret?: string | undefined
  /** The own session of a member who is on a tour. */
  readonly outsideTour?: BrowserRequest
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
  /** The ID of their photo. */
  readonly photo?: string | null
  /** The session: the hash of its secret. */
  readonly sessionId: string
  readonly signedInAt: number
  /** The demo account, seen by a visitor or another member. It can only be read. */
  readonly isTour?: true
  /** On a tour: whether people can join without an invitation. */
  readonly canJoin?: boolean
}

export type ReadBrowserRequest = (cookies: string | undefined) => Promise<BrowserRequest>
