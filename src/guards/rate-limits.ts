/** Counts requests against their policies, in the memory of this process, and says in headers what is left. */

import { serializeItem } from 'structured-headers'
import { SECOND, type Clock } from '../base/clock.ts'
import { fixedWindows } from './fixed-windows.ts'
import type { LimitPolicy, Limits, LimitVerdict } from '../http/rate-limit-policy.ts'

export interface RateLimitDeps {
  /** What the operator sets instead of a policy's own figures, by its name; the window in seconds. */
  readonly overrides: Readonly<Record<string, Pick<LimitPolicy, 'quota' | 'window'>>>
  readonly clock: Clock
}

/**
 * Of each policy twice as many are remembered, in 7 MB; a flood of more addresses than that makes it forget those that
 * have not asked for longest.
 */
const MAX_KEYS = 25_000

export interface RateLimits extends Limits {
  /** Since this process began, by policy; only those by which anybody was refused. */
  refusals(): RejectedRequests[]
}

export interface RejectedRequests {
  readonly policy: string
  readonly refused: number
  readonly lastAt: number
}

/** Policies of one name are counted together, each key by itself. */
export function createRateLimits({ overrides, clock }: RateLimitDeps): RateLimits {
  const counters = new Map<string, Count>()
  const refusals = new Map<string, RejectedRequests>()
  const noteRefusal = (policy: string, now: number) => {
    const refused = (refusals.get(policy)?.refused ?? 0) + 1
    refusals.set(policy, { policy, refused, lastAt: now })
  }
  return {
    take(policy, key, requests = 1) {
      let count = counters.get(policy.name)
      if (!count) {
        count = counterOf({ ...policy, ...overrides[policy.name] })
        counters.set(policy.name, count)
      }
      const now = clock.now()
      const verdict = count(key, now, requests)
      if (!verdict.allowed) noteRefusal(policy.name, now)
      return verdict
    },
    refusals: () => [...refusals.values()],
  }
}

type Count = (key: string, now: number, requests: number) => LimitVerdict

/**
 * Two families of headers: RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-11, and the three of
 * that draft up to its version 6. What a policy never changes is written once.
 */
function counterOf({ name, quota, window: length }: LimitPolicy): Count {
  const windowOf = fixedWindows(length * SECOND, MAX_KEYS)
  const quoted = serializeItem(name)
  const policy = `${quoted};q=${quota};w=${length}`
  const limit = String(quota)
  return (key, now, requests) => {
    const window = windowOf(key, now)
    const admitted = Math.min(requests, Math.max(0, quota - window.used))
    const allowed = admitted === requests
    window.used += requests
    const remaining = String(Math.max(0, quota - window.used))
    const seconds = Math.ceil((window.endsAt - now) / SECOND)
    const reset = String(seconds)
    const headers = {
      ratelimit: `${quoted};r=${remaining};t=${reset}`,
      'ratelimit-policy': policy,
      'ratelimit-limit': limit,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': reset,
    }
    return { allowed, admitted, retryAfter: allowed ? 0 : seconds, headers }
  }
}
