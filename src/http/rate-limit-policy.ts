/** How often a path may be asked: a policy is a record of its route, and whoever counts is handed in. */

export interface LimitPolicy {
  /** As the `RateLimit` headers name it. */
  readonly name: string
  /** Requests within the window. */
  readonly quota: number
  /** Seconds. */
  readonly window: number
  /** Whose requests are counted together. */
  readonly per: 'address' | 'credential'
}

export interface LimitVerdict {
  /** Whether there was room for all of them. */
  readonly allowed: boolean
  /** How many of them there was room for. */
  readonly admitted: number
  /** Seconds until there is room again; 0 where there is. */
  readonly retryAfter: number
  /** What every answer says of the limit, refusal or not. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Limits {
  /** Counts requests of `key`: one, or as many as come in one. */
  take(policy: LimitPolicy, key: string, requests?: number): LimitVerdict | Promise<LimitVerdict>
}
