/**
 * Counts requests against their policies: in Redis for all nodes, or in memory without Redis and while it does not respond.
 */

import { serializeItem } from 'structured-headers'
import { SECOND, type Clock } from '../base/clock.ts'
import type { LimitPolicy, Limits, LimitVerdict } from '../http/rate-limit-policy.ts'
import type { SharedWindows } from './shared-windows.ts'

export interface RateLimitDeps {
  /** By name; windows in seconds. */
  readonly overrides: Readonly<Record<string, Pick<LimitPolicy, 'quota' | 'window'>>>
  readonly clock: Clock
  /** Shared by all nodes. */
  readonly shared?: Pick<SharedWindows, 'count'> | undefined
}

/** Per policy and generation, in 7 MB. A flood of more addresses evicts the least recently used. */
const MAX_KEYS = 25_000

export interface RateLimits extends Limits {
  /** Rejected requests by policy, if any. */
  rejected(): RejectedRequests[]
  /** Requests counted here because Redis did not respond. */
  readonly countedLocally: number
}

interface RejectedRequests {
  readonly policy: string
  readonly count: number
  readonly lastAt: number
}

/** Counts keys separately. Policies with the same name share their counters. */
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
    const verdict = counter.verdictOf(window, requests, now)
    if (!verdict.allowed) countRejection(rejected, counter.name, now)
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
    // If Redis fails, this process continues from the shared count.
    const now = clock.now()
    const window = counter.windowOf(key, now)
    window.used = answer.used
    window.endsAt = now + answer.endsIn
    return judge(counter, window, requests, now)
  }
  return {
    take(policy, key, requests = 1) {
      const counter = counterFor(policy)
      // A key without quota stays rejected until its window ends, so a flood costs Redis nothing.
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

function countRejection(rejected: Map<string, RejectedRequests>, policy: string, now: number) {
  const count = (rejected.get(policy)?.count ?? 0) + 1
  rejected.set(policy, { policy, count, lastAt: now })
}

interface Counter extends Pick<LimitPolicy, 'name' | 'quota'> {
  /** Milliseconds. */
  readonly length: number
  readonly windowOf: FindWindow
  /** After the requests were added. */
  verdictOf(window: FixedWindow, requests: number, now: number): LimitVerdict
}

/** Sends the headers of draft-ietf-httpapi-ratelimit-headers-11 and of its versions up to 6. */
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

/** Begins with the first request of a key and counts all requests until it ends. */
export interface FixedWindow {
  /** Requests counted so far. */
  used: number
  /** Milliseconds since 1970. At most one window length after now. */
  endsAt: number
}

/** Returns the key's current window, or starts a new one. */
export type FindWindow = (key: string, now: number) => FixedWindow

/**
 * Windows of `length` milliseconds in two generations of at most `maxKeys` each. Every lookup moves a window to the
 * younger generation. When that is full, or is one window length old, it becomes the older generation and the previous
 * older one is dropped. This needs no sweep. Under a flood of new keys, the least recently used keys are dropped first,
 * so active clients stay counted.
 */
export function fixedWindows(length: number, maxKeys: number): FindWindow {
  let younger = new Map<string, FixedWindow>()
  let older = new Map<string, FixedWindow>()
  let turnsAt = 0
  const makeRoom = (now: number) => {
    if (younger.size < maxKeys && isWithin(turnsAt, now, length)) return
    older = younger
    younger = new Map()
    turnsAt = now + length
  }
  return (key, now) => {
    const young = younger.get(key)
    if (young && isWithin(young.endsAt, now, length)) return young
    const old = older.get(key)
    const found = old && isWithin(old.endsAt, now, length) ? old : { used: 0, endsAt: now + length }
    makeRoom(now)
    younger.set(key, found)
    return found
  }
}

/** If the clock is set back, no key may stay in a window that ends too far in the future. */
function isWithin(end: number, now: number, length: number): boolean {
  return now < end && end - now <= length
}
