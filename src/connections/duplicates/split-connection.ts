/**
 * Separates people who were merged by mistake: restores a connection that merge_connections merged, or creates one from
 * the contact that an import merged. Values that came only from the other person are removed from the connection; typed
 * values are kept.
 */

import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import {
  FIELD_NAMES,
  LIST_FIELDS,
  NO_VALUES,
  newState,
  publicConnectionId,
  readConnectionId,
  TEXT_FIELDS,
  type Connection,
  type ListField,
  type TextField,
} from '../model/connection.ts'
import { withoutStaleLabels } from '../model/add-details.ts'
import {
  detailFieldsOf,
  detailNamed,
  detailOf,
  NO_DETAILS,
  withDetails,
  type Details,
  type DetailValue,
} from '../model/details.ts'
import { keysOf } from '../model/match-keys.ts'
import { MERGE_ACTION, SPLIT_ACTION } from '../model/undo-connections.ts'
import { publicFollowUpId } from '../follow-ups/follow-ups.ts'
import {
  isSame,
  numberIn,
  publicNoteId,
  snapshotsOf,
  type Snapshot,
  type SnapshotPair,
} from '../model/snapshot.ts'
import { readWholeConnection, requireConnection, subjectOf } from '../editing/edit.ts'
import { recordDifferent } from '../matching/match-reviews.ts'
import {
  addKeys,
  addTags,
  dropKeys,
  findConnection,
  insertConnections,
  numberConnections,
  removeTags,
  tagOf,
  updateConnection,
  type WholeConnection,
} from '../model/connection-store.ts'
import { withStoredPhoto } from '../model/photo-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { ImportFormat } from '../model/contact.ts'
import {
  readImportedChange,
  replaceImportedChanges,
  type ImportedChange,
} from '../import/import-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

interface Split {
  readonly kept: WholeConnection
  readonly other: WholeConnection
  /** For the activity log. */
  readonly change: Change
}

interface SplitInput {
  readonly connectionId: string
  /** The merged connection to restore; by default the one merged last, or else the last import. */
  readonly mergedId?: string | undefined
}

/** The data that came from the other person, and their separate connection. */
interface Merged {
  /** The other person's future connection. */
  readonly other: Connection
  /** The connection without the other person's data. */
  readonly rest: Connection
  readonly notes: readonly number[]
  readonly followUps: readonly number[]
  readonly tags: readonly string[]
  /** Keys that identify the other person's contact. */
  readonly keys: readonly string[]
  /** The import that merged them; undefined for merge_connections. */
  readonly jobId?: number
}

/**
 * @throws {RequestError} `not_found` when an ID is unknown.
 * @throws {RequestError} `conflict` when nothing was merged into the connection, or the merged data is no longer known.
 */
export async function splitConnection(
  tx: MemberTransaction,
  { connectionId: publicId, mergedId }: SplitInput,
  now: number,
): Promise<Split> {
  const before = await readWholeConnection(tx, await requireConnection(tx, publicId))
  const present = before.connection
  const merged =
    (await findMerged(tx, present, mergedId)) ??
    (mergedId === undefined ? await findImported(tx, present, now) : undefined)
  if (!merged)
    throw mergedId === undefined ? nothingToSplit(publicId) : notMerged(mergedId, publicId)
  const left = await withStoredPhoto(tx, merged.rest, present)
  const rest = { ...left, version: present.version + 1, updatedAt: now }
  await updateConnection(tx, present, rest)
  const kept = new Set(keysOf(rest))
  const lost = merged.keys.filter((key) => !kept.has(key))
  await dropKeys(
    tx,
    lost.map((key) => ({ key, connectionId: rest.connectionId })),
  )
  const other = await storeOther(tx, merged, now)
  await moveAttachments(tx, merged, rest.connectionId, other.connectionId)
  await addKeys(
    tx,
    lost.map((key) => ({ key, connectionId: other.connectionId })),
  )
  if (merged.jobId !== undefined) await recordInImport(tx, merged.jobId, rest, other)
  await recordDifferent(tx, [rest.connectionId, other.connectionId], now)
  await recordSearchChanges(tx, [rest.connectionId, other.connectionId])
  const after = await readWholeConnection(tx, rest)
  const split = await readWholeConnection(tx, other)
  return {
    kept: after,
    other: split,
    change: changeOf({ before, after, other: split, merged, now }),
  }
}

/** The name of the person that would be split off; undefined if there is none. */
export async function findSplittable(
  reader: MemberReader,
  present: Connection,
  now: number,
): Promise<string | undefined> {
  const merged =
    (await findMerged(reader, present, undefined)) ?? (await findImported(reader, present, now))
  return merged?.other.name
}

function notMerged(mergedId: string, publicId: string): RequestError {
  return new RequestError('not_found', `${mergedId} was not merged into ${publicId}.`, {
    hint: 'list_activity shows which connections merge_connections merged.',
  })
}

function nothingToSplit(publicId: string): RequestError {
  return new RequestError(
    'conflict',
    `Nothing that can be split off was merged into ${publicId}.`,
    {
      hint:
        'Merged connections can be split off for 30 days, and contacts of the latest 20 imports for 90 days. Otherwise ' +
        'add the other person with add_connection and move the values with update_connection.',
    },
  )
}

// Merged by merge_connections

async function findMerged(
  reader: MemberReader,
  present: Connection,
  mergedId: string | undefined,
): Promise<Merged | undefined> {
  const wanted = mergedId === undefined ? undefined : (readConnectionId(mergedId) ?? 0)
  const rows = await reader.all(MERGES_INTO, {
    connection_id: present.connectionId,
    subject_id: publicConnectionId(present.connectionId),
    merge: MERGE_ACTION,
  })
  for (const { before, after } of rows) {
    if (before === null || after === null) continue
    // In the format of mergeConnections. If the merge had been undone, the connection would exist.
    const [was, is] = [JSON.parse(before) as SnapshotPair, JSON.parse(after) as SnapshotPair]
    for (const snapshot of was.connections.slice(1)) {
      const id = readConnectionId(snapshot.connection_id) ?? 0
      if (wanted !== undefined && id !== wanted) continue
      const other = await findConnection(reader, id)
      if (other?.mergedInto !== present.connectionId) continue
      return mergedOf(present, other, snapshot, [was.connections[0], is.connections[0]])
    }
  }
  return undefined
}

/** `was` and `is`: the kept connection before and after the merge, with the fields that it changed. */
function mergedOf(
  present: Connection,
  other: Connection,
  snapshot: Snapshot,
  [was, is]: readonly [Snapshot | undefined, Snapshot | undefined],
): Merged {
  const values: Partial<Record<TextField, string | null>> = {}
  const lists: Partial<Record<ListField, readonly string[]>> = {}
  for (const field of TEXT_FIELDS) {
    const name = FIELD_NAMES[field]
    if (is?.[name] !== undefined && is[name] === present[field]) values[field] = was?.[name] ?? null
  }
  for (const field of LIST_FIELDS) {
    const name = FIELD_NAMES[field]
    const own = new Set(was?.[name])
    lists[field] = (is?.[name] ?? []).filter((value) => !own.has(value))
  }
  return {
    other: { ...other, deletedAt: null, mergedInto: null },
    rest: withoutDetails(without(present, values, lists, was?.sources ?? {}), {
      before: detailsIn(was),
      after: detailsIn(is),
      sources: was?.sources ?? {},
    }),
    notes: (snapshot.notes ?? []).map(numberIn),
    followUps: (snapshot.follow_ups ?? []).map(numberIn),
    tags: (is?.tags ?? []).filter((tag) => was?.tags?.includes(tag) !== true),
    keys: [],
  }
}

/** The connection with other values for some fields, and without some list values. The name never becomes empty. */
function without(
  present: Connection,
  values: Partial<Record<TextField, string | null>>,
  lists: Partial<Record<ListField, readonly string[]>>,
  sources: Snapshot['sources'],
): Connection {
  const fieldSources = { ...present.fieldSources }
  for (const field of Object.keys(values) as TextField[]) {
    const source = sources?.[field]
    if (source) fieldSources[field] = source
    else delete fieldSources[field]
  }
  const remaining = Object.fromEntries(
    LIST_FIELDS.map((field) => [
      field,
      present[field].filter((value) => lists[field]?.includes(value) !== true),
    ]),
  )
  const { name, ...others } = values
  return { ...present, ...others, ...remaining, name: name ?? present.name, fieldSources }
}

/** The changes of a merge to the details. */
interface DetailsChange {
  readonly before: Details
  readonly after: Details
  readonly sources: Snapshot['sources']
}

/**
 * Without the additions of the merge: values that have not changed since are restored, and its entries are removed from
 * the lists.
 */
function withoutDetails(
  present: Connection,
  { before, after, sources }: DetailsChange,
): Connection {
  const fieldSources = { ...present.fieldSources }
  const values = detailFieldsOf(after).map((field) => {
    const [was, is, now] = [before, after, present.details].map((one) => detailOf(one, field))
    if (!isSame(is, now)) return [field, withoutParts(now, was, is)] as const
    const source = sources?.[field]
    if (source) fieldSources[field] = source
    else delete fieldSources[field]
    return [field, was] as const
  })
  const details = withDetails(present.details, values)
  const kept = withDetails(details, [['labels', withoutStaleLabels(details, present)]])
  return { ...present, details: kept, fieldSources }
}

/** A list or record without the entries that it gained between two states. Text that changed since is kept. */
function withoutParts(
  now: DetailValue | undefined,
  was: DetailValue | undefined,
  is: DetailValue | undefined,
): DetailValue | undefined {
  if (typeof now !== 'object') return now
  const partsOf = (value: DetailValue | undefined) =>
    new Set(
      typeof value === 'object' ? Object.values(value).map((part) => JSON.stringify(part)) : [],
    )
  const gained = partsOf(is).difference(partsOf(was))
  const isKept = (part: unknown) => !gained.has(JSON.stringify(part))
  if (Array.isArray(now)) return (now as readonly object[]).filter(isKept)
  return Object.fromEntries(Object.entries(now).filter(([, part]) => isKept(part)))
}

/** The details in a snapshot. */
function detailsIn(snapshot: Snapshot | undefined): Details {
  const values = Object.entries(snapshot ?? {}).flatMap(([name, value]) => {
    const field = detailNamed(name)
    // In the format of `snapshotsOf`.
    return field ? [[field, value as DetailValue | null] as const] : []
  })
  return withDetails(NO_DETAILS, values)
}

// Merged by an import

/** The contact of the last import that merged one into the connection. */
async function findImported(
  reader: MemberReader,
  present: Connection,
  now: number,
): Promise<Merged | undefined> {
  const rows = await reader.all(IMPORTS_INTO, { connection_id: present.connectionId })
  for (const { job_id, before } of rows) {
    const change = readImportedChange(before)
    const { contact, source } = change
    if (contact?.name === undefined || source === undefined) continue
    return importedOf(
      present,
      { ...change, contact: { ...contact, name: contact.name }, source },
      {
        jobId: job_id,
        now,
      },
    )
  }
  return undefined
}

interface SplittableChange extends Omit<ImportedChange, 'source' | 'contact'> {
  readonly source: ImportFormat
  readonly contact: Partial<Connection> & Pick<Connection, 'name'>
}

function importedOf(
  present: Connection,
  { connection: was, contact, source, ...added }: SplittableChange,
  { jobId, now }: { readonly jobId: number; readonly now: number },
): Merged {
  const values: Partial<Record<TextField, string | null>> = {}
  const lists: Partial<Record<ListField, readonly string[]>> = {}
  for (const field of TEXT_FIELDS)
    if (was && contact[field] === present[field] && was[field] !== present[field])
      if (present.fieldSources[field] !== 'typed') values[field] = was[field]
  for (const field of LIST_FIELDS)
    if (was) lists[field] = (contact[field] ?? []).filter((value) => !was[field].includes(value))
  return {
    other: {
      ...NO_VALUES,
      ...contact,
      source,
      ...newState(now, jobId),
    },
    rest: withoutDetails(without(present, values, lists, was?.fieldSources ?? {}), {
      before: was?.details ?? present.details,
      after: givenDetails(was, present, contact.details ?? NO_DETAILS),
      sources: was?.fieldSources ?? {},
    }),
    notes: added.added_notes,
    followUps: [],
    tags: present.fieldSources.tags === 'typed' ? [] : added.added_tags,
    keys: added.added_keys,
    jobId,
  }
}

/**
 * The details that the import set from the contact: its values in fields that were different before, and its entries in
 * lists.
 */
function givenDetails(was: Connection | undefined, present: Connection, given: Details): Details {
  if (!was) return NO_DETAILS
  // A change of company or title has closed a position.
  const fields = detailFieldsOf(given, { organizations: [] }).filter(
    (field) => present.fieldSources[field] !== 'typed',
  )
  return withDetails(
    NO_DETAILS,
    fields.map((field) => {
      const [before, now] = [detailOf(was.details, field), detailOf(present.details, field)]
      return [field, isSame(before, now) ? undefined : now] as const
    }),
  )
}

/** Undoing the import then removes the new connection and leaves the split one unchanged. */
async function recordInImport(
  tx: MemberTransaction,
  job_id: number,
  rest: Connection,
  other: Connection,
): Promise<void> {
  const nothing = { added_tags: [], added_notes: [], added_keys: [] }
  await replaceImportedChanges(tx, job_id, [[rest.connectionId, nothing]])
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: [[job_id, other.connectionId, null]],
  })
}

// Storing

async function storeOther(
  tx: MemberTransaction,
  { other, tags }: Merged,
  now: number,
): Promise<Connection> {
  if (other.connectionId !== 0) {
    const restored = { ...other, version: other.version + 1, updatedAt: now }
    await updateConnection(tx, other, restored)
    return restored
  }
  const stored = await withStoredPhoto(tx, other)
  const created = { ...stored, connectionId: await numberConnections(tx, 1) }
  await insertConnections(tx, [created])
  await addTags(tx, created.connectionId, tags.map(tagOf))
  return created
}

async function moveAttachments(
  tx: MemberTransaction,
  { notes, followUps, tags }: Merged,
  keptId: number,
  otherId: number,
): Promise<void> {
  await removeTags(
    tx,
    keptId,
    tags.map((tag) => tagOf(tag).key),
  )
  const moved = { kept_id: keptId, connection_id: otherId }
  if (notes.length > 0) await tx.run(MOVE_NOTES, { ...moved, ids: notes })
  if (followUps.length > 0) await tx.run(MOVE_FOLLOW_UPS, { ...moved, ids: followUps })
}

interface SplitRecord {
  readonly before: WholeConnection
  readonly after: WholeConnection
  readonly other: WholeConnection
  readonly merged: Merged
  readonly now: number
}

/** Like a merge in reverse: undoing it merges the other connection again. */
function changeOf({ before, after, other, merged, now }: SplitRecord): Change {
  const notes = merged.notes.map(publicNoteId)
  const follow_ups = merged.followUps.map(publicFollowUpId)
  const kept = snapshotsOf({ ...before, notes: [] }, { ...after, notes: [] })
  const deletion = { deletedAt: now, mergedInto: before.connection.connectionId }
  const gone = { ...other, connection: { ...other.connection, ...deletion } }
  const split = snapshotsOf({ ...gone, notes: [] }, { ...other, notes: [] })
  const none = { notes: [], follow_ups: [] }
  return {
    action: SPLIT_ACTION,
    ...subjectOf(after.connection),
    before: {
      connections: [
        { ...kept.before, notes, follow_ups },
        { ...split.before, ...none },
      ],
    },
    after: {
      connections: [
        { ...kept.after, ...none },
        { ...split.after, notes, follow_ups },
      ],
    },
    connections: [before.connection.connectionId, other.connection.connectionId],
  }
}

/** By primary key, latest first. */
const MERGES_INTO = memberStatement<
  { connection_id: number; subject_id: string; merge: string },
  { before: string | null; after: string | null }
>()(`
  select a.before, a.after from activity_connections c
  join activity a on a.member_id = :member_id and a.activity_id = c.activity_id
  where c.member_id = :member_id and c.connection_id = :connection_id
    and a.action = :merge and a.subject_id = :subject_id
  order by c.activity_id desc`)

/** By primary key, for the few imports that are kept; latest first. */
const IMPORTS_INTO = memberStatement<
  { connection_id: number },
  { job_id: number; before: string }
>()(`
  select job_id, before from import_changes
  where member_id = :member_id and connection_id = :connection_id and before is not null
    and job_id in (select job_id from jobs where member_id = :member_id and kind = 'file_import')
  order by job_id desc`)

interface Moved {
  readonly kept_id: number
  readonly connection_id: number
  readonly ids: readonly number[]
}

const MOVE_NOTES = memberStatement<Moved>()(`
  update notes set connection_id = :connection_id
  where member_id = :member_id and connection_id = :kept_id and note_id in (:ids...bigint)`)

const MOVE_FOLLOW_UPS = memberStatement<Moved>()(`
  update follow_ups set connection_id = :connection_id
  where member_id = :member_id and connection_id = :kept_id and follow_up_id in (:ids...bigint)`)
