/** Keyed requests that are being answered right now: whoever repeats one waits for its answer. */

import { RequestError } from '../base/request-error.ts'
import { keyReused } from './idempotency-record.ts'
import type { RequestKey } from './idempotency-key.ts'

export interface InFlight {
  /** Runs `run`, unless the same request is being answered: then its answer comes, `joined`. */
  join<T>(key: RequestKey, run: () => Promise<T>): Promise<{ value: T; joined: boolean }>
}

/** How long a repeated request waits for the first before it is told to come again; milliseconds. */
const PATIENCE = 5_000
/** What it is told then; seconds. */
const COME_AGAIN = 2

/** For one process: requests that meet in different ones meet in the database. */
export function createInFlight(patience: number = PATIENCE): InFlight {
  const flights = new Map<string, { fingerprint: string; answer: Promise<unknown> }>()
  return {
    async join<T>(key: RequestKey, run: () => Promise<T>) {
      const id = `${key.scope}\n${key.keyHash}`
      const other = flights.get(id)
      if (other) {
        if (other.fingerprint !== key.fingerprint) throw keyReused()
        // The same key and the same request: the same kind of answer.
        return { value: (await inTime(other.answer, patience)) as T, joined: true }
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

async function inTime<T>(answer: Promise<T>, patience: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const impatience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(stillRunning()), patience)
  })
  try {
    return await Promise.race([answer, impatience])
  } finally {
    clearTimeout(timer)
  }
}

function stillRunning(): RequestError {
  return new RequestError(
    'idempotency_in_flight',
    'The first request with this Idempotency-Key is still being answered.',
    {
      retryAfter: COME_AGAIN,
      hint: 'Send it again with the same key: its answer will be replayed.',
    },
  )
}
