/** The authenticated caller of a request. */

export interface Caller {
  readonly memberId: number
  readonly username: string
  readonly name: string
  /** IANA name of the time zone of the member's browser; UTC until they sign in to one. */
  readonly timeZone: string
  readonly credential: Credential
  readonly limits: AgentLimits
}

/** What the member allows the holder of a credential. */
export interface AgentLimits {
  /** Only tools that change nothing. */
  readonly readOnly: boolean
  /** Names of groups of tools; null allows all, also those of later versions. */
  readonly groups: readonly string[] | null
  /** Leaves notes and other free text out of all results. See `tools/free-text.ts`. */
  readonly withholdsText: boolean
  /** Credits per calendar month (UTC); null allows all of the member's. */
  readonly monthlyCredits: number | null
  /** When access ends; null if it does not. The credential may expire earlier. */
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
  /** The ID of an API token, or of an access token's grant, which outlives each token. */
  readonly id: string
  readonly kind: 'api_token' | 'oauth_access_token'
  /** The name that the member gave an API token, or the name of the access token's client. */
  readonly name: string
  /** Whether the member's own AI client or one of their cloud agents holds the credential. */
  readonly holder: 'ai_client' | 'cloud_agent'
  /** Name of the cloud agent that holds the credential. */
  readonly agent: string | null
  /** The OAuth client it was issued to. */
  readonly clientId: string | null
  readonly createdAt: number
  readonly expiresAt: number | null
}
