/** Making one connection of several that are the same person: what is empty is filled, nothing is overwritten. */

import Type from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import {
  FIELD_NAMES,
  LIST_FIELDS,
  MAX_VALUES,
  TEXT_FIELDS,
  sourceOf,
  type Connection,
  type ListField,
  type Source,
  type SourcedField,
} from '../model/connection.ts'
import { readWholeConnection, requireConnection, subjectOf } from '../editing/edit.ts'
import { publicFollowUpId } from '../follow-ups/follow-ups.ts'
import { snapshotsOf, publicNoteId, type Snapshot, type SnapshotPair } from '../model/snapshot.ts'
import { ConnectionId } from '../model/schemas.ts'
import {
  addTags,
  indexConnections,
  updateConnection,
  type Tag,
  type WholeConnection,
} from '../model/connection-store.ts'
import { MERGE_ACTION } from '../model/undo-connections.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

/** As many as one call merges into another. */
const MAX_MERGED = 20

export const MergeInput = Type.Object(
  {
    keep_id: ConnectionId,
    merge_ids: Type.Array(ConnectionId, { minItems: 1, maxItems: MAX_MERGED }),
  },
  { additionalProperties: false },
)

export interface Merge {
  readonly kept: WholeConnection
  readonly merged: readonly Connection[]
  /** Fields of the kept one that have got something, as the tools name them. */
  readonly filled: readonly string[]
  readonly movedNotes: number
  readonly movedFollowUps: number
  /** For the activity. */
  readonly change: Change
}

/** What hangs on one connection that is merged. */
interface Hanging {
  readonly notes: readonly string[]
  readonly follow_ups: readonly string[]
}

/** Refuses ids that are not there, a merge into itself, and more values than one connection holds. */
export async function mergeConnections(
  tx: MemberTransaction,
  keepId: string,
  mergeIds: readonly string[],
  now: number,
): Promise<Merge> {
  const keep = await readWholeConnection(tx, await requireConnection(tx, keepId))
  const others = await requireOthers(tx, keepId, mergeIds)
  const after = await fillGaps(tx, keep, others, now)
  const hanging = await readHanging(tx, others)
  const { connectionId: kept_id } = keep.connection
  for (const { connection } of others) {
    const gone = {
      ...connection,
      deletedAt: now,
      mergedInto: kept_id,
      version: connection.version + 1,
      updatedAt: now,
    }
    await updateConnection(tx, connection, gone)
    await tx.run(MOVE_NOTES, { kept_id, connection_id: connection.connectionId })
    await tx.run(MOVE_FOLLOW_UPS, { kept_id, connection_id: connection.connectionId })
  }
  await indexConnections(tx, [after])
  await tx.fullText.removeConnections(
    tx,
    others.map(({ connection }) => connection.connectionId),
  )
  const kept = await readWholeConnection(tx, after)
  const pictures = picturesOfMerge(keep, kept, others, hanging, now)
  return {
    kept,
    merged: others.map(({ connection }) => connection),
    filled: filledFields(keep, kept),
    movedNotes: kept.notes.length - keep.notes.length,
    movedFollowUps: hanging.flatMap(({ follow_ups }) => follow_ups).length,
    change: {
      action: MERGE_ACTION,
      ...subjectOf(after),
      ...pictures,
      connections: [keep, ...others].map(({ connection }) => connection.connectionId),
    },
  }
}

async function requireOthers(
  tx: MemberTransaction,
  keepId: string,
  mergeIds: readonly string[],
): Promise<WholeConnection[]> {
  const wanted = new Set(mergeIds)
  if (wanted.has(keepId))
    throw new RequestError('invalid_request', `${keepId} cannot be merged into itself.`, {
      errors: [{ pointer: '/merge_ids', detail: 'must not contain keep_id' }],
    })
  const others: WholeConnection[] = []
  for (const id of wanted)
    others.push(await readWholeConnection(tx, await requireConnection(tx, id)))
  return others
}

/** Writes what the kept one gets; each value keeps the source it had, so that imports treat it as before. */
async function fillGaps(
  tx: MemberTransaction,
  keep: WholeConnection,
  others: readonly WholeConnection[],
  now: number,
): Promise<Connection> {
  const { connection } = keep
  const values: Record<string, unknown> = {}
  const sources: Partial<Record<SourcedField, Source>> = {}
  for (const field of TEXT_FIELDS) {
    const giver = others.find((other) => other.connection[field] !== null)?.connection
    if (connection[field] !== null || !giver) continue
    values[field] = giver[field]
    sources[field] = sourceOf(giver, field)
  }
  const profileUrl = (values['profileUrl'] as string | undefined) ?? connection.profileUrl
  for (const field of LIST_FIELDS)
    values[field] = united(field, connection, others, field === 'links' ? profileUrl : null)
  // What a member has edited in one of them, imports shall not add to.
  for (const field of [...LIST_FIELDS, 'tags'] as const)
    if (others.some((other) => other.connection.fieldSources[field] === 'typed'))
      sources[field] = 'typed'
  await addMissingTags(tx, keep, others)
  const after = {
    ...connection,
    ...values,
    fieldSources: { ...connection.fieldSources, ...sources },
    version: connection.version + 1,
    updatedAt: now,
  }
  await updateConnection(tx, connection, after)
  return after
}

/** The kept one's values, then the others'; a profile URL that is not taken is kept as a link. */
function united(
  field: ListField,
  connection: Connection,
  others: readonly WholeConnection[],
  profileUrl: string | null,
): readonly string[] {
  const all = new Set(connection[field])
  for (const other of others) {
    for (const value of other.connection[field]) all.add(value)
    const url = other.connection.profileUrl
    if (field === 'links' && url !== null && url !== profileUrl) all.add(url)
  }
  return atMost([...all], field)
}

async function addMissingTags(
  tx: MemberTransaction,
  { connection, tags }: WholeConnection,
  others: readonly WholeConnection[],
): Promise<void> {
  const all = new Map<string, Tag>()
  for (const tag of [...tags, ...others.flatMap((other) => other.tags)])
    if (!all.has(tag.key)) all.set(tag.key, tag)
  await addTags(tx, connection.connectionId, atMost([...all.values()], 'tags').slice(tags.length))
}

function atMost<Value>(values: Value[], field: ListField | 'tags'): Value[] {
  if (values.length <= MAX_VALUES) return values
  throw new RequestError(
    'conflict',
    `Together they have ${values.length} ${field}, and one connection has at most ${MAX_VALUES}.`,
    { hint: 'Take some away with update_connection, or merge fewer.' },
  )
}

/** Deleted notes and follow-ups too: they move along, and back. */
async function readHanging(
  reader: MemberReader,
  others: readonly WholeConnection[],
): Promise<Hanging[]> {
  const ids = others.map(({ connection }) => connection.connectionId)
  const notes = await reader.all(NOTES_OF, { ids })
  const followUps = await reader.all(FOLLOW_UPS_OF, { ids })
  return ids.map((id) => ({
    notes: notes
      .filter(({ connection_id }) => connection_id === id)
      .map(({ note_id }) => publicNoteId(note_id)),
    follow_ups: followUps
      .filter(({ connection_id }) => connection_id === id)
      .map(({ follow_up_id }) => publicFollowUpId(follow_up_id)),
  }))
}

function picturesOfMerge(
  keep: WholeConnection,
  kept: WholeConnection,
  others: readonly WholeConnection[],
  hanging: readonly Hanging[],
  now: number,
): { before: SnapshotPair; after: SnapshotPair } {
  const own = snapshotsOf({ ...keep, notes: [] }, { ...kept, notes: [] })
  const before: Snapshot[] = [{ ...own.before, notes: [], follow_ups: [] }]
  const after: Snapshot[] = [
    {
      ...own.after,
      notes: hanging.flatMap(({ notes }) => notes),
      follow_ups: hanging.flatMap(({ follow_ups }) => follow_ups),
    },
  ]
  for (const [index, other] of others.entries()) {
    const gone = { deletedAt: now, mergedInto: keep.connection.connectionId }
    const pictures = snapshotsOf(other, { ...other, connection: { ...other.connection, ...gone } })
    before.push({ ...pictures.before, ...hanging[index] })
    after.push({ ...pictures.after, notes: [], follow_ups: [] })
  }
  return { before: { connections: before }, after: { connections: after } }
}

function filledFields(before: WholeConnection, after: WholeConnection): string[] {
  const fields = [...TEXT_FIELDS, ...LIST_FIELDS].filter(
    (field) => JSON.stringify(before.connection[field]) !== JSON.stringify(after.connection[field]),
  )
  const filled: string[] = fields.map((field) => FIELD_NAMES[field])
  return after.tags.length > before.tags.length ? [...filled, 'tags'] : filled
}

/** By notes_by_connection. */
const NOTES_OF = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; note_id: number }
>()(`
  select connection_id, note_id from notes
  where member_id = :member_id and connection_id in (:ids...bigint) order by connection_id, note_id`)

/** By follow_ups_by_connection. */
const FOLLOW_UPS_OF = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; follow_up_id: number }
>()(`
  select connection_id, follow_up_id from follow_ups
  where member_id = :member_id and connection_id in (:ids...bigint) order by connection_id, follow_up_id`)

const MOVE_NOTES = memberStatement<{ kept_id: number; connection_id: number }>()(`
  update notes set connection_id = :kept_id where member_id = :member_id and connection_id = :connection_id`)

const MOVE_FOLLOW_UPS = memberStatement<{ kept_id: number; connection_id: number }>()(`
  update follow_ups set connection_id = :kept_id
  where member_id = :member_id and connection_id = :connection_id`)
