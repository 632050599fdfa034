/**
 * How many requests a host gets at a time: one, and one more after each prompt answer, because most calendars are on a few
 * large hosts. A slow answer halves it, so that a host that hangs cannot take all permits (decisions/0041).
 */

import { SECOND } from '../clock.ts'

const MAX_REQUESTS_PER_HOST = 8
const PROMPT_MS = 2 * SECOND
/** Hosts that are remembered while they have no request. */
const MAX_IDLE_HOSTS = 1000

interface HostState {
  limit: number
  held: number
}

export class HostLimits {
  /** The host that was used last is at the end. */
  readonly #hosts = new Map<string, HostState>()

  /** Counts a request. False, without counting, if the host has as many as it may. */
  take(host: string): boolean {
    const state = this.#hosts.get(host) ?? { limit: 1, held: 0 }
    if (state.held >= state.limit) return false
    state.held += 1
    this.#hosts.set(host, state)
    return true
  }

  /** Counts the end of a request, which took `milliseconds`. */
  release(host: string, milliseconds: number): void {
    const state = this.#hosts.get(host)
    if (!state) return
    state.held -= 1
    state.limit =
      milliseconds <= PROMPT_MS
        ? Math.min(state.limit + 1, MAX_REQUESTS_PER_HOST)
        : Math.ceil(state.limit / 2)
    this.#hosts.delete(host)
    this.#hosts.set(host, state)
    this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const [host, { held }] of this.#hosts) {
      if (this.#hosts.size <= MAX_IDLE_HOSTS) return
      if (held === 0) this.#hosts.delete(host)
    }
  }
}
