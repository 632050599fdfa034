/** Takes away what has expired, so that nothing grows for ever: sessions, grants, unused clients, kept answers. */

import { sweepSessions } from '../access/browser-session.ts'
import { sweepLinks } from '../access/one-time-link.ts'
import { HOUR, type Clock } from '../base/clock.ts'
import { sweepIdempotencyRecords } from '../guards/idempotency-record.ts'
import { sweepClients } from '../oauth/client.ts'
import { sweepGrants } from '../oauth/grant.ts'
import type { Log } from '../base/log.ts'
import type { Database, Transaction } from '../db/database.ts'

/** Nothing that has expired is believed in any case: an hour more costs only room. */
const INTERVAL = HOUR

const SWEEPS: readonly ((tx: Transaction, now: number) => Promise<number>)[] = [
  sweepSessions,
  sweepLinks,
  sweepGrants,
  sweepClients,
  sweepIdempotencyRecords,
]

/** Each in a transaction of its own, behind whatever is waiting. Tells how many rows went. */
export async function sweep(database: Database, now: number): Promise<number> {
  let swept = 0
  for (const one of SWEEPS) swept += await database.write((tx) => one(tx, now), { bulk: true })
  return swept
}

export function sweepRegularly(parts: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}): AsyncDisposable {
  const { database, clock, log } = parts
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = sweep(database, clock.now()).then(
      (swept) => log.debug({ swept }, 'swept'),
      (error: unknown) => log.error({ err: error }, 'sweep failed'),
    )
  }, INTERVAL)
  timer.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
    },
  }
}
