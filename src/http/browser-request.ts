/** A person's browser, as its cookies tell it. */

export interface BrowserRequest {
  readonly member: SignedIn | undefined
  /** What every form of this visitor carries as `form_token`; no other site can know it. */
  readonly formToken: string
  /** Of the person, as their browser said; `UTC` where it said nothing. Not checked. */
  readonly timeZone: string
  /** `Set-Cookie` lines for a browser that brought no cookie yet. */
  readonly cookies: readonly string[]
}

export interface SignedInRequest extends BrowserRequest {
  readonly member: SignedIn
}

/** An admin runs the service: lets people in and shuts them out. Nobody sees what another member has. */
export type MemberRole = 'member' | 'admin'

export interface SignedIn {
  readonly memberId: number
  readonly username: string
  readonly name: string
  readonly role: MemberRole
  /** Of the browser session: the hash of its secret. */
  readonly sessionId: string
  readonly signedInAt: number
}

export type ReadBrowserRequest = (cookies: string | undefined) => Promise<BrowserRequest>
