/** Whether this node can serve requests, for `/readyz`. */

import { withinTime } from '../base/concurrency/within-time.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { NotReady } from '../http/probes.ts'

export interface Readiness {
  /** Why this node must get no requests; undefined if it is ready. Answers within a second. */
  check(): Promise<NotReady | undefined>
  start(database: Pick<Database, 'isReady'>): void
  /** The service is stopping. */
  drain(): void
  /** The schema is too new for this version. */
  outdate(): void
}

/** A proxy must learn within a second that the database is gone. Milliseconds. */
const CHECK_TIMEOUT_MS = 800
/**
 * Probes share a check for this long, which limits the checks per second, because anyone can send probes. Milliseconds.
 */
const CACHE_MS = 200

export function createReadiness(log: Log): Readiness {
  let state: 'starting' | 'started' | 'draining' | 'outdated' = 'starting'
  let database: Pick<Database, 'isReady'> | undefined
  let last: { readonly result: Promise<boolean>; readonly at: number } | undefined
  let wasReady = true
  const isDatabaseReady = async (): Promise<boolean> => {
    if (!last || performance.now() - last.at > CACHE_MS)
      last = { result: isReadyInTime(database), at: performance.now() }
    const isReady = await last.result
    if (isReady !== wasReady) {
      wasReady = isReady
      if (isReady) log.info('the database responds again; /readyz reports 200')
      else log.error('the database does not respond; /readyz reports 503')
    }
    return isReady
  }
  return {
    async check() {
      if (state !== 'started') return state
      return (await isDatabaseReady()) ? undefined : 'database'
    },
    start(opened) {
      database = opened
      state = 'started'
    },
    drain() {
      state = 'draining'
    },
    outdate() {
      if (state === 'started') state = 'outdated'
    },
  }
}

function isReadyInTime(database: Pick<Database, 'isReady'> | undefined): Promise<boolean> {
  const ready = database?.isReady() ?? Promise.resolve(false)
  return withinTime(CHECK_TIMEOUT_MS, ready, () => new Error('too late')).catch(() => false)
}
