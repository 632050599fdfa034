/** The changes of each import per connection, for its undo: the table `import_changes`. */

import { memberStatement } from '../../db/statement.ts'
import { NO_VALUES, type Connection } from '../model/connection.ts'
import { MAX_MERGED_ROWS, NOTHING_ADDED, type ImportedChange } from './imported-change.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

const CREATED: ImportedChange = { ...NOTHING_ADDED, is_created: true }

/**
 * Null for a connection that the import only created. Empty fields of connections are not stored: SQLite takes a page of 4 kB
 * for what a row has beyond 1,000 bytes.
 */
function writeImportedChange({ connection, undone, ...change }: ImportedChange): string | null {
  const additions = filled(change)
  if (change.is_created === true && Object.keys(additions).length === 1) return null
  return JSON.stringify({
    ...additions,
    connection: connection && filled(connection),
    undone: undone && filled(undone),
  })
}

function filled(values: object): object {
  const isFilled = (value: unknown) =>
    typeof value === 'object' ? value !== null && Object.keys(value).length > 0 : true
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isFilled(value)))
}

/** Reads a stored change; null is a connection that the import only created. */
export function readImportedChange(json: string | null): ImportedChange {
  if (json === null) return CREATED
  const { connection, undone, ...change } = JSON.parse(json) as Partial<ImportedChange>
  return {
    ...NOTHING_ADDED,
    ...change,
    ...(connection && { connection: wholeConnection(connection) }),
    ...(undone && { undone: wholeConnection(undone) }),
  }
}

function wholeConnection(stored: Connection): Connection {
  return { ...NO_VALUES, ...NO_STATE, ...stored }
}

/** What Weft records about a connection, if it is empty. */
const NO_STATE = { fieldSources: {}, importJobId: null, deletedAt: null, mergedInto: null } as const

/** The changes of an import to these connections so far. */
export async function readImportedChanges(
  reader: MemberReader,
  jobId: number,
  ids: readonly number[],
): Promise<Map<number, ImportedChange>> {
  const rows = await readStoredChanges(reader, jobId, ids)
  return new Map(
    rows.map(({ connection_id, before }) => [connection_id, readImportedChange(before)]),
  )
}

/** Records connections that an import created, with what an undo must not take for the member's own. */
export async function saveCreated(
  tx: MemberTransaction,
  jobId: number,
  created: readonly (readonly [connectionId: number, added: ImportedChange | null])[],
): Promise<void> {
  await insertChanges(
    tx,
    jobId,
    created.map(([id, added]) => [id, added && { ...added, is_created: true }]),
  )
}

/** Later batches of the same import keep the first snapshot and append their additions, so undo reverts all of them. */
export async function saveImportedChanges(
  tx: MemberTransaction,
  jobId: number,
  changes: ReadonlyMap<number, ImportedChange>,
): Promise<void> {
  const earlier = await readImportedChanges(tx, jobId, [...changes.keys()])
  await insertChanges(
    tx,
    jobId,
    [...changes].filter(([id]) => !earlier.has(id)),
  )
  await replaceImportedChanges(
    tx,
    jobId,
    [...earlier].map(([id, change]) => [id, joined(change, changes.get(id) ?? NOTHING_ADDED)]),
  )
}

async function insertChanges(
  tx: MemberTransaction,
  jobId: number,
  changes: readonly (readonly [connectionId: number, change: ImportedChange | null])[],
): Promise<void> {
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: changes.map(([id, change]) => [
      jobId,
      id,
      change === null ? null : writeImportedChange(change),
    ]),
  })
}

/** Replaces what is stored about connections that an import changed. */
export async function replaceImportedChanges(
  tx: MemberTransaction,
  jobId: number,
  changes: readonly (readonly [connectionId: number, change: ImportedChange])[],
): Promise<void> {
  await tx.updateMany({
    table: 'import_changes',
    key: ['job_id', 'connection_id'],
    columns: ['before'],
    rows: changes.map(([id, change]) => [jobId, id, writeImportedChange(change)]),
  })
}

/** A row of the table. */
export interface ImportChangeRow {
  readonly connection_id: number
  readonly before: string | null
}

/** The rows of these connections as they are stored, by number. An import that changed none of them has none. */
export async function readStoredChanges(
  reader: MemberReader,
  jobId: number,
  ids: readonly number[],
): Promise<ImportChangeRow[]> {
  return ids.length === 0 ? [] : reader.all(CHANGES, { job_id: jobId, ids: [...new Set(ids)] })
}

/** Replaces the rows `from` by the rows `to`. */
export async function replaceStoredChanges(
  tx: MemberTransaction,
  jobId: number,
  { from, to }: Record<'from' | 'to', readonly ImportChangeRow[]>,
): Promise<void> {
  await tx.deleteMany({
    table: 'import_changes',
    key: ['job_id', 'connection_id'],
    rows: from.map(({ connection_id }) => [jobId, connection_id]),
  })
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: to.map(({ connection_id, before }) => [jobId, connection_id, before]),
  })
}

/** Forgets the last row that was merged into a connection, because it is split off. Returns false if there is none. */
export async function removeMergedRow(
  tx: MemberTransaction,
  jobId: number,
  connectionId: number,
): Promise<boolean> {
  const [stored] = await tx.all(CHANGES, { job_id: jobId, ids: [connectionId] })
  if (stored?.before == null) return false
  const { merged_rows = [], ...change } = readImportedChange(stored.before)
  const row = merged_rows.at(-1)
  if (!row) return false
  const without = <T>(all: readonly T[], some: readonly T[]) =>
    all.filter((one) => !some.includes(one))
  const left: ImportedChange = {
    ...change,
    merged_rows: merged_rows.slice(0, -1),
    added_tags: without(change.added_tags, row.added_tags),
    added_notes: without(change.added_notes, row.added_notes),
    added_keys: without(change.added_keys, row.added_keys),
  }
  await replaceImportedChanges(tx, jobId, [[connectionId, left]])
  return true
}

/** Joins two changes. For a connection that the import created, only the additions that `saveCreated` records. */
function joined(first: ImportedChange, next: ImportedChange): ImportedChange {
  const added: ImportedChange = {
    ...NOTHING_ADDED,
    added_notes: [...first.added_notes, ...next.added_notes],
    added_follow_ups: both(first.added_follow_ups, next.added_follow_ups),
    added_decisions: both(first.added_decisions, next.added_decisions),
    merged_rows: both(first.merged_rows, next.merged_rows).slice(0, MAX_MERGED_ROWS),
  }
  if (first.is_created) return { ...added, is_created: true }
  const connection = first.connection ?? next.connection
  const { contact, source } = first.contact ? first : next
  return {
    ...added,
    ...(connection && { connection }),
    match: first.match ?? next.match,
    contact,
    source,
    added_tags: [...first.added_tags, ...next.added_tags],
    added_keys: [...first.added_keys, ...next.added_keys],
    renewed: both(first.renewed, next.renewed),
    restored: both(first.restored, next.restored),
    job_after: next.job_after ?? first.job_after,
  }
}

function both<T>(first: readonly T[] = [], next: readonly T[] = []): readonly T[] {
  return [...first, ...next]
}

/** By primary key. */
const CHANGES = memberStatement<{ job_id: number; ids: readonly number[] }, ImportChangeRow>()(`
  select i.connection_id, i.before from import_changes i
  each (job_id = :job_id and connection_id = :ids...bigint) where i.member_id = :member_id
  order by i.connection_id`)
