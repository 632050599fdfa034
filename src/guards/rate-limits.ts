/**
 * Counts requests against their policies and reports the remaining requests in headers. Several nodes share their counters
 * in Redis. Without Redis, and while it does not respond, each process counts in its memory.
 */

import { serializeItem } from 'structured-headers'
import { SECOND, type Clock } from '../base/clock.ts'
import { fixedWindows, type FindWindow, type FixedWindow } from './fixed-windows.ts'
import type { LimitPolicy, Limits, LimitVerdict } from '../http/rate-limit-policy.ts'
import type { SharedWindows } from './shared-windows.ts'

export interface RateLimitDeps {
  /** Overrides of policies, by name; windows in seconds. */
  readonly overrides: Readonly<Record<string, Pick<LimitPolicy, 'quota' | 'window'>>>
  readonly clock: Clock
  /** Counters that all nodes share. Without them, each process counts by itself. */
  readonly shared?: Pick<SharedWindows, 'count'> | undefined
}

/**
 * Per policy, twice as many keys are remembered, in 7 MB. Under a flood of more addresses, the least recently used are
 * forgotten first.
 */
const MAX_KEYS = 25_000

export interface RateLimits extends Limits {
  /** Rejected requests since the process started, by policy; policies without rejections are omitted. */
  rejected(): RejectedRequests[]
  /** Requests that were counted by this process alone because Redis did not respond. */
  readonly countedLocally: number
}

interface RejectedRequests {
  readonly policy: string
  readonly count: number
  readonly lastAt: number
}

/** Policies with the same name share their counters. Keys are counted separately. */
export function createRateLimits({ overrides, clock, shared }: RateLimitDeps): RateLimits {
  const counters = new Map<string, Counter>()
  const rejected = new Map<string, RejectedRequests>()
  let countedLocally = 0
  const counterFor = (policy: LimitPolicy): Counter => {
    const known = counters.get(policy.name)
    if (known) return known
    const counter = counterOf({ ...policy, ...overrides[policy.name] })
    counters.set(policy.name, counter)
    return counter
  }
  const judge = (
    counter: Counter,
    window: FixedWindow,
    requests: number,
    now: number,
  ): LimitVerdict => {
    const { name } = counter
    const verdict = counter.verdictOf(window, requests, now)
    if (!verdict.allowed) {
      const count = (rejected.get(name)?.count ?? 0) + 1
      rejected.set(name, { policy: name, count, lastAt: now })
    }
    return verdict
  }
  const takeLocally = (counter: Counter, key: string, requests: number): LimitVerdict => {
    const now = clock.now()
    const window = counter.windowOf(key, now)
    window.used += requests
    return judge(counter, window, requests, now)
  }
  const takeShared = async (
    counter: Counter,
    key: string,
    requests: number,
    windows: Pick<SharedWindows, 'count'>,
  ): Promise<LimitVerdict> => {
    const answer = await windows.count(`${counter.name}:${key}`, requests, counter.length)
    if (!answer) {
      countedLocally += requests
      return takeLocally(counter, key, requests)
    }
    // Kept here too: if Redis fails, this process continues from the count of all nodes.
    const now = clock.now()
    const window = counter.windowOf(key, now)
    window.used = answer.used
    window.endsAt = now + answer.endsIn
    return judge(counter, window, requests, now)
  }
  return {
    take(policy, key, requests = 1) {
      const counter = counterFor(policy)
      // A key that has used up its quota stays rejected until its window ends, so a flood costs Redis nothing.
      if (!shared || counter.windowOf(key, clock.now()).used >= counter.quota)
        return takeLocally(counter, key, requests)
      return takeShared(counter, key, requests, shared)
    },
    rejected: () => [...rejected.values()],
    get countedLocally() {
      return countedLocally
    },
  }
}

interface Counter extends Pick<LimitPolicy, 'name' | 'quota'> {
  /** Milliseconds. */
  readonly length: number
  readonly windowOf: FindWindow
  /** After the requests were added to the window. */
  verdictOf(window: FixedWindow, requests: number, now: number): LimitVerdict
}

/**
 * Two families of headers: RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-11, and the three of
 * that draft up to version 6. Values that never change are computed once per policy.
 */
function counterOf({ name, quota, window: seconds }: LimitPolicy): Counter {
  const length = seconds * SECOND
  const quoted = serializeItem(name)
  const policy = `${quoted};q=${quota};w=${seconds}`
  const limit = String(quota)
  return {
    name,
    quota,
    length,
    windowOf: fixedWindows(length, MAX_KEYS),
    verdictOf({ used, endsAt }, requests, now) {
      const admitted = Math.min(requests, Math.max(0, quota - (used - requests)))
      const allowed = admitted === requests
      const remaining = String(Math.max(0, quota - used))
      const left = Math.ceil((endsAt - now) / SECOND)
      const reset = String(left)
      const headers = {
        ratelimit: `${quoted};r=${remaining};t=${reset}`,
        'ratelimit-policy': policy,
        'ratelimit-limit': limit,
        'ratelimit-remaining': remaining,
        'ratelimit-reset': reset,
      }
      return { allowed, admitted, retryAfter: allowed ? 0 : left, headers }
    },
  }
}
