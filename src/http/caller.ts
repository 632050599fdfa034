/** The authenticated caller of a request. */

export interface Caller {
  readonly memberId: number
  readonly username: string
  readonly name: string
  /** IANA name, from the last browser; UTC before. */
  readonly timeZone: string
  readonly credential: Credential
  readonly limits: AgentLimits
}

/** What the holder of a credential may do. */
export interface AgentLimits {
  readonly readOnly: boolean
  /** Groups of tools; null allows all. */
  readonly groups: readonly string[] | null
  /** Leaves free text out of all results: see `tools/free-text.ts`. */
  readonly withholdsText: boolean
  /** Per calendar month (UTC); null allows all. */
  readonly monthlyCredits: number | null
  /** The credential may expire earlier. */
  readonly endsAt: number | null
}

export const NO_LIMITS: AgentLimits = {
  readOnly: false,
  groups: null,
  withholdsText: false,
  monthlyCredits: null,
  endsAt: null,
}

export interface Credential {
  /** ID of an API token, or of an access token's grant. */
  readonly id: string
  readonly kind: 'api_token' | 'oauth_access_token'
  /** Name of the API token or the client. */
  readonly name: string
  /** Who holds the credential. */
  readonly holder: 'ai_client' | 'cloud_agent'
  readonly agent: string | null
  /** Client of an access token. */
  readonly clientId: string | null
  readonly createdAt: number
  readonly expiresAt: number | null
}

/** The device of a request that syncs the address book. */
export interface DeviceCaller {
  readonly memberId: number
  readonly username: string
  /** The member's name. */
  readonly name: string
  readonly email: string | null
  readonly credential: Pick<Credential, 'id' | 'name'>
  readonly isReadOnly: boolean
  /** Its changes wait for the member. */
  readonly isPaused: boolean
  /** Only people with this tag are synced; null for everyone. */
  readonly tag: string | null
}
