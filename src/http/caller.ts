/** Who a request comes from, once its credential was checked. */

export interface Caller {
  readonly memberId: number
  readonly username: string
  readonly name: string
  readonly credential: Credential
}

export interface Credential {
  /** Of an API token its own id; of an access token its grant's, which outlives every token. */
  readonly id: string
  readonly kind: 'api_token' | 'oauth_access_token'
  /** Of an API token the name the member gave it, of an access token its client's. */
  readonly name: string
  /** Whether it belongs to a person's own AI client or to one of the member's cloud agents. */
  readonly holder: 'ai_client' | 'cloud_agent'
  /** The cloud agent that holds it, by name. */
  readonly agent: string | null
  /** The OAuth client it was issued to. */
  readonly clientId: string | null
  readonly createdAt: number
  readonly expiresAt: number | null
}
