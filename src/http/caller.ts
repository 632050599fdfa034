/** Who a request comes from, once its credential was checked. */

export interface Caller {
  readonly memberId: number
  readonly username: string
  readonly name: string
  readonly credential: Credential
}

export interface Credential {
  readonly id: string
  readonly kind: 'api_token'
  /** The name the member gave it. */
  readonly name: string
  /** Whether it belongs to a person's own AI client or to one of the member's cloud agents. */
  readonly holder: 'ai_client' | 'cloud_agent'
  readonly createdAt: number
  readonly expiresAt: number | null
}
