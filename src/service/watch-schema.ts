/** Watches whether a newer version of Weft has migrated the database, as it does during a rolling upgrade. */

import { SECOND } from '../base/clock.ts'
import { findIncompatibleMigration } from '../db/migrate.ts'
import type { Database } from '../db/database.ts'

interface SchemaWatch {
  readonly database: Pick<Database, 'get' | 'all'>
  /** The number of the latest migration that this version knows. */
  readonly newest: number
  /** Called once, with the name of the first migration that this version cannot work with. */
  readonly onIncompatible: (migration: string) => void
  readonly intervalMs?: number | undefined
}

/** One short read. A node that is too old notices soon after the migration. Milliseconds. */
const INTERVAL_MS = 5 * SECOND

export function watchSchema(watch: SchemaWatch): Disposable {
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
