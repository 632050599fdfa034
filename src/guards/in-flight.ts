/**
 * Requests with an idempotency key that are in progress in this process. A duplicate waits for the response of the
 * first.
 */

import { RequestError } from '../base/request-error.ts'
import { withinTime } from '../base/concurrency/within-time.ts'
import { keyReused } from './idempotency-record.ts'
import type { RequestKey } from './idempotency-key.ts'

export interface InFlight {
  /** Runs `run`, unless the same request is in progress: then resolves with its response and `joined`. */
  join<T>(key: RequestKey, run: () => Promise<T>): Promise<{ value: T; joined: boolean }>
}

/** How long a duplicate waits for the first request. Milliseconds. */
const JOIN_TIMEOUT_MS = 5_000
/** Retry-After of a duplicate that waited too long. Seconds. */
const COME_AGAIN = 2

/** Joins duplicates within one process. The database resolves duplicates in different processes. */
export function createInFlight(timeoutMs: number = JOIN_TIMEOUT_MS): InFlight {
  const flights = new Map<string, { fingerprint: string; answer: Promise<unknown> }>()
  return {
    async join<T>(key: RequestKey, run: () => Promise<T>) {
      const id = `${key.scope}\n${key.keyHash}`
      const other = flights.get(id)
      if (other) {
        if (other.fingerprint !== key.fingerprint) throw keyReused()
        // The same key and request, so the response has the same type.
        return {
          value: (await withinTime(timeoutMs, other.answer, stillRunning)) as T,
          joined: true,
        }
      }
      const answer = run()
      flights.set(id, { fingerprint: key.fingerprint, answer })
      try {
        return { value: await answer, joined: false }
      } finally {
        flights.delete(id)
      }
    },
  }
}

function stillRunning(): RequestError {
  return new RequestError(
    'idempotency_in_flight',
    'The first request with this Idempotency-Key is still in progress.',
    {
      retryAfter: COME_AGAIN,
      hint: 'Retry with the same key to get its response.',
    },
  )
}
