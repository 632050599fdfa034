/** Compares the number of rows of each table of a copy with the original. */

import { RequestError } from '../base/request-error.ts'

export type RowCounts = Readonly<Record<string, number>>

/** @throws {RequestError} `conflict` when they differ; it names the tables. */
export function assertSameCounts(origin: RowCounts, copy: RowCounts, what: string): void {
  const names = [...new Set([...Object.keys(origin), ...Object.keys(copy)])].sort()
  const different = names.filter((name) => (origin[name] ?? 0) !== (copy[name] ?? 0))
  if (different.length === 0) return
  const list = different.map(
    (name) => `${name} (${copy[name] ?? 0} instead of ${origin[name] ?? 0})`,
  )
  throw new RequestError('conflict', `${what} is not complete: ${list.join(', ')}.`, {
    hint: 'Try again. If the error persists, report it as a bug.',
  })
}

/** A database that Weft has used has migrations, and members: at least the demo account or a record of its deletion. */
export function assertNotEmpty(counts: RowCounts, what: string): void {
  const rows = (table: string) => counts[table] ?? 0
  if (rows('schema_migrations') > 0 && rows('members') + rows('demo_deletion') > 0) return
  throw new RequestError('conflict', `${what} contains no members, so it is not a backup of Weft.`)
}
