/**
 * Limits the requests that this process sends to servers that members choose, such as calendars and webhooks: how many at a
 * time, and how long each may take. Every such request has a permit of the process's one pool, so a slow server delays only
 * the members who use it.
 */

import { SECOND } from '../clock.ts'
import { HostLimits } from './host-limits.ts'
import { KeyedSemaphore } from './keyed-semaphore.ts'

/** All members together. A member has one at a time, and a host as many as `HostLimits` says. */
export const MAX_OUTGOING_REQUESTS = 16
/** A member has at most some tens of calendars and webhooks. */
const MAX_WAITING_PER_MEMBER = 50
/** From the name lookup to the last byte, over all redirects. */
const TIME_LIMIT_MS = 20 * SECOND
/** The limit while others wait for a permit. With it, 50 servers that never answer are through in half a minute. */
const BUSY_TIME_LIMIT_MS = 10 * SECOND

interface Outgoing {
  readonly memberId: number
  /** The host of the first address, if there are redirects. */
  readonly host: string
  /** Ends the wait for a permit, and the request. */
  readonly signal?: AbortSignal
}

interface OutgoingLimits {
  readonly timeLimitMs?: number
  readonly busyTimeLimitMs?: number
}

/** Allows one request at a time, with its redirects. Only `OutgoingPool` creates permits. */
class Permit {
  /** Aborts when the time limit has passed. The wait for the permit does not count. */
  readonly signal: AbortSignal
  /** Keeps other objects with a signal from being a permit. */
  protected readonly isGranted = true

  constructor(signal: AbortSignal) {
    this.signal = signal
  }
}

export type OutgoingPermit = Permit

export class OutgoingPool {
  readonly #members = new KeyedSemaphore<number>({
    permits: MAX_OUTGOING_REQUESTS,
    permitsPerKey: 1,
    waitingPerKey: MAX_WAITING_PER_MEMBER,
  })
  readonly #hosts = new HostLimits()
  /** Requests that end as soon as someone waits for their permit. */
  readonly #overdue = new Set<AbortController>()
  readonly #timeLimitMs: number
  readonly #busyTimeLimitMs: number

  constructor(limits: OutgoingLimits = {}) {
    const { timeLimitMs = TIME_LIMIT_MS, busyTimeLimitMs = BUSY_TIME_LIMIT_MS } = limits
    this.#timeLimitMs = timeLimitMs
    this.#busyTimeLimitMs = Math.min(busyTimeLimitMs, timeLimitMs)
  }

  get usage(): { readonly size: number; readonly used: number; readonly waiting: number } {
    const { held, waiting } = this.#members
    return { size: MAX_OUTGOING_REQUESTS, used: held, waiting }
  }

  /**
   * Runs `work` when a permit is free; members take turns. `work` sends its requests with the permit, one after the other,
   * and may process the answer: the permit is held until it settles, so answers do not pile up in memory.
   *
   * @throws {RequestError} `rate_limited` when too much work of this member is waiting.
   */
  async run<T>(
    { memberId, host, signal }: Outgoing,
    work: (permit: OutgoingPermit) => Promise<T>,
  ): Promise<T> {
    const granted = this.#members.acquire(memberId, signal, () => this.#hosts.take(host))
    this.#endOverdue()
    await granted
    const limit = this.#startTimeLimit()
    const startedAt = performance.now()
    try {
      return await work(new Permit(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal))
    } finally {
      limit.stop()
      this.#hosts.release(host, performance.now() - startedAt)
      this.#members.release(memberId)
    }
  }

  #startTimeLimit(): { readonly signal: AbortSignal; readonly stop: () => void } {
    const controller = new AbortController()
    const end = () => controller.abort(new Error('the request took too long'))
    const timers = [
      setTimeout(end, this.#timeLimitMs),
      setTimeout(() => {
        this.#overdue.add(controller)
        this.#endOverdue()
      }, this.#busyTimeLimitMs),
    ]
    const stop = () => {
      for (const timer of timers) clearTimeout(timer)
      this.#overdue.delete(controller)
    }
    return { signal: controller.signal, stop }
  }

  #endOverdue(): void {
    if (!this.#members.isExhausted) return
    for (const controller of this.#overdue)
      controller.abort(new Error('the request took too long while others waited'))
    this.#overdue.clear()
  }
}
