/** Watches whether a newer version of Weft has migrated the database, as it does during a rolling upgrade. */

import { SECOND } from '../base/clock.ts'
import { findIncompatibleMigration } from '../db/migrate.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Jobs } from './background-work.ts'
import type { Readiness } from '../operate/readiness.ts'

interface OutdatedDeps {
  readonly database: Pick<Database, 'get' | 'all'>
  /** The number of the latest migration that this version knows. */
  readonly newest: number
  readonly log: Log
  readonly readiness: Pick<Readiness, 'outdate'>
  readonly jobs: Pick<Jobs, 'stop'>
  readonly intervalMs?: number | undefined
}

/** From the first migration that this version cannot work with, `/readyz` reports 503 and jobs go to other nodes. */
export function drainWhenOutdated({ log, readiness, jobs, ...watch }: OutdatedDeps): Disposable {
  return watchSchema({
    ...watch,
    onIncompatible(migration) {
      log.error(
        { migration },
        'a newer version of Weft has migrated the database; restart this node with that version',
      )
      readiness.outdate()
      void jobs.stop()
    },
  })
}

interface SchemaWatch extends Pick<OutdatedDeps, 'database' | 'newest' | 'intervalMs'> {
  /** Called once, with the name of the migration. */
  readonly onIncompatible: (migration: string) => void
}

/** One short read. A node that is too old notices soon after the migration. Milliseconds. */
const INTERVAL_MS = 5 * SECOND

function watchSchema(watch: SchemaWatch): Disposable {
  const { database, newest, onIncompatible, intervalMs = INTERVAL_MS } = watch
  let checking = false
  const check = async () => {
    if (checking) return
    checking = true
    try {
      const migration = await findIncompatibleMigration(database, newest)
      if (migration === undefined) return
      clearInterval(timer)
      onIncompatible(migration)
    } catch {
      // The database does not respond, which /readyz reports.
    } finally {
      checking = false
    }
  }
  const timer = setInterval(() => void check(), intervalMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
