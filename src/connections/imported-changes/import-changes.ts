/** The changes of each import per connection, for its undo: the table `import_changes`. */

import { memberStatement } from '../../db/statement.ts'
import { readImportedChange, writeImportedChange } from './imported-change-json.ts'
import {
  MAX_MERGED_ROWS,
  NOTHING_ADDED,
  type CreatedConnection,
  type ImportedChange,
  type MergedRow,
} from './imported-change.ts'
import type { StoredFollowUp } from '../follow-ups/follow-ups.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** The change of an import to a connection: `change` is undefined if it created the connection. */
interface ImportEffect {
  readonly change: ImportedChange | undefined
  readonly followUps: readonly StoredFollowUp[]
  /** Numbers of notes that it added; of a connection that it created, only typed ones. */
  readonly notes: readonly number[]
  /** See `added_decisions`. */
  readonly decisions: readonly number[]
}

/** Returns what an import did to a connection, from its stored JSON; null is a connection that it only created. */
export function readEffect(json: string | null): ImportEffect {
  if (json === null) return { change: undefined, followUps: [], notes: [], decisions: [] }
  const change = readImportedChange(json)
  const { added_follow_ups: followUps = [], added_decisions: decisions = [] } = change
  const { added_notes: notes } = change
  return { change: isCreated(change) ? undefined : change, followUps, notes, decisions }
}

function isCreated(change: object): boolean {
  return 'is_created' in change
}

/** The changes of an import to these connections so far; null for those that it created. */
export async function readImportedChanges(
  reader: MemberReader,
  jobId: number,
  ids: readonly number[],
): Promise<Map<number, ImportedChange | null>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(CHANGES, { job_id: jobId, ids })
  return new Map(
    rows.map(({ connection_id, before }) => [connection_id, readEffect(before).change ?? null]),
  )
}

/**
 * Later batches of the same import keep the first snapshot and append their additions, so undo reverts all of them.
 * `reader` reads what the import has changed so far.
 */
export async function saveImportedChanges(
  tx: MemberTransaction,
  jobId: number,
  changes: ReadonlyMap<number, ImportedChange>,
): Promise<void> {
  if (changes.size === 0) return
  const earlier = await readImportedChanges(tx, jobId, [...changes.keys()])
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: [...changes]
      .filter(([id]) => !earlier.has(id))
      .map(([id, change]) => [jobId, id, writeImportedChange(change)]),
  })
  const combined = [...earlier].flatMap(([id, before]): [number, ImportedChange][] => {
    const change = changes.get(id)
    return before === null || !change ? [] : [[id, combineChanges(before, change)]] // null: created by this import
  })
  await replaceImportedChanges(tx, jobId, combined)
  const created = [...changes].filter(([id]) => earlier.get(id) === null)
  await saveRowsOfCreated(
    tx,
    jobId,
    created.map(([id, { merged_rows = [] }]) => [id, merged_rows]),
  )
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
export interface StoredChange {
  readonly connection_id: number
  readonly before: string | null
}

/** The rows of these connections as they are stored, by number. An import that changed none of them has none. */
export function readStoredChanges(
  reader: MemberReader,
  jobId: number,
  ids: readonly number[],
): Promise<StoredChange[]> {
  return reader.all(CHANGES, { job_id: jobId, ids: [...new Set(ids)] })
}

/** Replaces the rows `from` by the rows `to`. */
export async function replaceStoredChanges(
  tx: MemberTransaction,
  jobId: number,
  { from, to }: Record<'from' | 'to', readonly StoredChange[]>,
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

/** Records connections that an import created. */
export async function saveCreated(
  tx: MemberTransaction,
  jobId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: ids.map((id) => [jobId, id, null]),
  })
}

/**
 * Records notes and follow-ups of a connection that the import created, so that its undo does not mistake them for the
 * member's.
 */
export async function saveAddedToCreated(
  tx: MemberTransaction,
  { jobId, connectionId }: { readonly jobId: number; readonly connectionId: number },
  {
    notes,
    followUps,
  }: { readonly notes: readonly number[]; readonly followUps: readonly StoredFollowUp[] },
): Promise<void> {
  if (notes.length + followUps.length === 0) return
  const [row] = await tx.all(CHANGES, { job_id: jobId, ids: [connectionId] })
  const created = createdIn(row?.before ?? null)
  const added_follow_ups = [...(created.added_follow_ups ?? []), ...followUps]
  const added_notes = [...created.added_notes, ...notes]
  const change = { ...created, added_notes, added_follow_ups }
  await replaceImportedChanges(tx, jobId, [[connectionId, change]])
}

/** Records which others the file says are different people, by connection. */
export async function saveAddedDecisions(
  tx: MemberTransaction,
  jobId: number,
  decisions: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  if (decisions.size === 0) return
  const stored = await tx.all(CHANGES, { job_id: jobId, ids: [...decisions.keys()] })
  const withAdded = (change: ImportedChange, id: number): ImportedChange => ({
    ...change,
    added_decisions: [...(change.added_decisions ?? []), ...(decisions.get(id) ?? [])],
  })
  await replaceImportedChanges(
    tx,
    jobId,
    stored.map(({ connection_id: id, before }) => [
      id,
      withAdded(before === null ? createdIn(null) : readImportedChange(before), id),
    ]),
  )
  const known = new Set(stored.map(({ connection_id }) => connection_id))
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: [...decisions.keys()]
      .filter((id) => !known.has(id))
      .map((id) => [jobId, id, writeImportedChange(withAdded(NOTHING_ADDED, id))]),
  })
}

/** Records rows that were merged into connections that the import created. */
export async function saveRowsOfCreated(
  tx: MemberTransaction,
  jobId: number,
  rows: readonly (readonly [connectionId: number, rows: readonly MergedRow[]])[],
): Promise<void> {
  const merged = new Map(rows.filter(([, { length }]) => length > 0))
  if (merged.size === 0) return
  const stored = await tx.all(CHANGES, { job_id: jobId, ids: [...merged.keys()] })
  await replaceImportedChanges(
    tx,
    jobId,
    stored.map(({ connection_id, before }) => {
      const created = createdIn(before)
      const added = merged.get(connection_id) ?? []
      return [connection_id, { ...created, merged_rows: firstRows(created.merged_rows, added) }]
    }),
  )
}

function createdIn(json: string | null): CreatedConnection {
  return { ...(json === null ? NOTHING_ADDED : readImportedChange(json)), is_created: true }
}

function firstRows(
  some: readonly MergedRow[] = [],
  more: readonly MergedRow[] = [],
): readonly MergedRow[] {
  return [...some, ...more].slice(0, MAX_MERGED_ROWS)
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

function combineChanges(first: ImportedChange, next: ImportedChange): ImportedChange {
  const connection = first.connection ?? next.connection
  return {
    ...(connection && { connection }),
    added_tags: [...first.added_tags, ...next.added_tags],
    added_notes: [...first.added_notes, ...next.added_notes],
    added_keys: [...first.added_keys, ...next.added_keys],
    ...((first.added_follow_ups ?? next.added_follow_ups) && {
      added_follow_ups: [...(first.added_follow_ups ?? []), ...(next.added_follow_ups ?? [])],
    }),
    ...((first.added_decisions ?? next.added_decisions) && {
      added_decisions: [...(first.added_decisions ?? []), ...(next.added_decisions ?? [])],
    }),
    ...((first.match ?? next.match) && { match: first.match ?? next.match }),
    ...((first.contact ?? next.contact) && {
      contact: first.contact ?? next.contact,
      source: first.source ?? next.source,
    }),
    ...((next.job_after ?? first.job_after) && { job_after: next.job_after ?? first.job_after }),
    ...((first.renewed ?? next.renewed) && {
      renewed: [...(first.renewed ?? []), ...(next.renewed ?? [])],
    }),
    ...((first.restored ?? next.restored) && {
      restored: [...(first.restored ?? []), ...(next.restored ?? [])],
    }),
    ...((first.merged_rows ?? next.merged_rows) && {
      merged_rows: firstRows(first.merged_rows, next.merged_rows),
    }),
  }
}

/** By primary key. */
const CHANGES = memberStatement<{ job_id: number; ids: readonly number[] }, StoredChange>()(`
  select i.connection_id, i.before from import_changes i
  each (job_id = :job_id and connection_id = :ids...bigint) where i.member_id = :member_id
  order by i.connection_id`)
