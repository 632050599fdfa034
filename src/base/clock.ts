/** A clock to inject wherever code needs the current time, so that tests can control it. */

import { memoize } from './memoize.ts'

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** RFC 3339 in UTC, the format of every time in a response: `2026-11-21T11:03:00.000Z`. */
export function rfc3339(at: number): string
export function rfc3339(at: number | null): string | null
export function rfc3339(at: number | null): string | null {
  return at === null ? null : textOf(at)
}

/** Most answers repeat the same times: of the member, the credential and the month. */
const textOf = memoize((at: number) => new Date(at).toISOString())
