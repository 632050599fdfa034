/** Counts requests against their policies in process memory, and reports the remaining requests in headers. */

import { serializeItem } from 'structured-headers'
import { SECOND, type Clock } from '../base/clock.ts'
import { fixedWindows } from './fixed-windows.ts'
import type { LimitPolicy, Limits, LimitVerdict } from '../http/rate-limit-policy.ts'

export interface RateLimitDeps {
  /** Overrides of policies, by name; windows in seconds. */
  readonly overrides: Readonly<Record<string, Pick<LimitPolicy, 'quota' | 'window'>>>
  readonly clock: Clock
}

/**
 * Per policy, twice as many keys are remembered, in 7 MB. Under a flood of more addresses, the least recently used are
 * forgotten first.
 */
const MAX_KEYS = 25_000

export interface RateLimits extends Limits {
  /** Rejected requests since the process started, by policy; policies without rejections are omitted. */
  rejected(): RejectedRequests[]
}

interface RejectedRequests {
  readonly policy: string
  readonly count: number
  readonly lastAt: number
}

/** Policies with the same name share their counters. Keys are counted separately. */
export function createRateLimits({ overrides, clock }: RateLimitDeps): RateLimits {
  const counters = new Map<string, Count>()
  const rejected = new Map<string, RejectedRequests>()
  const countRejection = (policy: string, now: number) => {
    const count = (rejected.get(policy)?.count ?? 0) + 1
    rejected.set(policy, { policy, count, lastAt: now })
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
      if (!verdict.allowed) countRejection(policy.name, now)
      return verdict
    },
    rejected: () => [...rejected.values()],
  }
}

type Count = (key: string, now: number, requests: number) => LimitVerdict

/**
 * Two families of headers: RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-11, and the three of
 * that draft up to version 6. Values that never change are computed once per policy.
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
