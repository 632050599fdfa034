/** Rate-limit policies, which routes declare, and the interface of the counter that enforces them. */

export interface LimitPolicy {
  readonly name: string
  /** Requests allowed per window. */
  readonly quota: number
  /** Seconds. */
  readonly window: number
  /** Which requests are counted together. `member`: those of a signed-in member, else those of an address. */
  readonly per: 'address' | 'credential' | 'member'
}

export interface LimitVerdict {
  readonly allowed: boolean
  /** How many of the requests were within the limit. */
  readonly admitted: number
  /** Seconds until the next request is allowed; 0 if one is allowed now. */
  readonly retryAfter: number
  /** Headers for every response, successful or not. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Limits {
  /** Counts one request of `key`, or several that arrive together. */
  take(policy: LimitPolicy, key: string, requests?: number): LimitVerdict | Promise<LimitVerdict>
}
