/** The changes of each import per connection, for its undo: the table `import_changes`. */

import { memberStatement } from '../../db/statement.ts'
import type { StoredFollowUp } from '../follow-ups/follow-ups.ts'
import { NO_DETAILS } from '../model/details.ts'
import type { MatchDecision } from '../matching/decide-match.ts'
import type { Connection } from '../model/connection.ts'
import type { ImportedContact, ImportFormat } from '../model/contact.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** What an import stores about an existing connection so that its change can be undone. */
export interface ImportedChange {
  /** The connection before the import. Omitted when the import only added keys. */
  readonly connection?: Connection
  readonly added_tags: readonly string[]
  readonly added_notes: readonly number[]
  /** Follow-ups that the import added, as it stored them. */
  readonly added_follow_ups?: readonly StoredFollowUp[] | undefined
  /** Keys that the import added. While the connection has them, importing the same contact again changes nothing. */
  readonly added_keys: readonly string[]
  /** Why the contact matched this connection. */
  readonly match?: Pick<MatchDecision, 'score' | 'reasons'> | undefined
  /** The contact, without empty fields, note and labels, so that it can be split off again. */
  readonly contact?: StoredContact | undefined
  readonly source?: ImportFormat | undefined
  /** Fingerprints known before that the import applied again, because a later file had replaced their values. */
  readonly renewed?: readonly string[] | undefined
  /** The new position, if the import changed it; `read-job-changes.ts` of tools reads it. */
  readonly job_after?: Pick<Connection, 'company' | 'title'> | undefined
  /** After an undo: the connection as it was before the undo. */
  readonly undone?: Connection
}

/** The fields of a contact that have a value, with its details as the connection stores them. */
export type StoredContact = Partial<Omit<ImportedContact, 'note' | 'labels' | 'details'>> &
  Partial<Pick<Connection, 'details'>>

/** The stored data about a connection that the import created, if it added follow-ups; otherwise null. */
interface CreatedConnection extends Pick<ImportedChange, 'added_follow_ups'> {
  readonly is_created: true
}

/** The change of an import to a connection: `change` is undefined if it created the connection. */
interface ImportEffect {
  readonly change: ImportedChange | undefined
  readonly followUps: readonly StoredFollowUp[]
}

export function readEffect(json: string | null): ImportEffect {
  if (json === null) return { change: undefined, followUps: [] }
  const change = readImportedChange(json)
  const { added_follow_ups: followUps = [] } = change
  return { change: isCreated(change) ? undefined : change, followUps }
}

function isCreated(change: object): boolean {
  return 'is_created' in change
}

/** Reads changes written by this or an earlier version. */
export function readImportedChange(json: string): ImportedChange {
  const change = JSON.parse(json) as ImportedChange
  const { connection, undone } = change
  return {
    ...change,
    ...(connection && { connection: withDetailsOf(connection) }),
    ...(undone && { undone: withDetailsOf(undone) }),
  }
}

/** Earlier versions stored connections without details. */
function withDetailsOf(connection: Connection): Connection {
  return 'details' in connection
    ? connection
    : { ...(connection as Connection), details: NO_DETAILS }
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
  reader: MemberReader = tx,
): Promise<void> {
  if (changes.size === 0) return
  const earlier = await readImportedChanges(reader, jobId, [...changes.keys()])
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: [...changes]
      .filter(([id]) => !earlier.has(id))
      .map(([id, change]) => [jobId, id, JSON.stringify(change)]),
  })
  const combined = [...earlier].flatMap(([id, before]): [number, ImportedChange][] => {
    const change = changes.get(id)
    return before === null || !change ? [] : [[id, combineChanges(before, change)]] // null: created by this import
  })
  await replaceImportedChanges(tx, jobId, combined)
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
    rows: changes.map(([id, change]) => [jobId, id, JSON.stringify(change)]),
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
 * Records follow-ups of a connection that the import created, so that its undo does not mistake them for the member's.
 */
export async function saveAddedToCreated(
  tx: MemberTransaction,
  { jobId, connectionId }: { readonly jobId: number; readonly connectionId: number },
  followUps: readonly StoredFollowUp[],
): Promise<void> {
  if (followUps.length === 0) return
  const [row] = await tx.all(CHANGES, { job_id: jobId, ids: [connectionId] })
  const added_follow_ups = [...readEffect(row?.before ?? null).followUps, ...followUps]
  const created: ImportedChange & CreatedConnection = {
    is_created: true,
    added_tags: [],
    added_notes: [],
    added_keys: [],
    added_follow_ups,
  }
  await replaceImportedChanges(tx, jobId, [[connectionId, created]])
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
    ...((first.match ?? next.match) && { match: first.match ?? next.match }),
    ...((first.contact ?? next.contact) && {
      contact: first.contact ?? next.contact,
      source: first.source ?? next.source,
    }),
    ...((next.job_after ?? first.job_after) && { job_after: next.job_after ?? first.job_after }),
    ...((first.renewed ?? next.renewed) && {
      renewed: [...(first.renewed ?? []), ...(next.renewed ?? [])],
    }),
  }
}

/** By primary key. */
const CHANGES = memberStatement<
  { job_id: number; ids: readonly number[] },
  { connection_id: number; before: string | null }
>()(`
  select i.connection_id, i.before from import_changes i
  each (job_id = :job_id and connection_id = :ids...bigint) where i.member_id = :member_id`)
