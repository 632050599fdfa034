/** Merges several connections of the same person into one: fills empty fields and overwrites nothing. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { fillGaps, filledFields, type FieldChoices } from './fill-gaps.ts'
import { readWholeConnection, subjectOf } from '../editing/edit.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { localNowOf, refreshContactTimes } from '../last-contact/contact-times.ts'
import {
  addToInteractions,
  interactionsWith,
  removeFromInteractions,
} from '../last-contact/interaction-people.ts'
import { publicInteractionId } from '../interactions/interaction-store.ts'
import { publicFollowUpId } from '../follow-ups/follow-ups.ts'
import {
  numberIn,
  snapshotsOf,
  publicNoteId,
  type Snapshot,
  type SnapshotPair,
} from '../model/snapshot.ts'
import { ConnectionId } from '../model/schemas.ts'
import { updateConnection } from '../model/connection-store.ts'
import type { WholeConnection } from '../model/whole-connection.ts'
import type { Connection } from '../model/connection.ts'
import { MERGE_ACTION } from '../undo/merges-since.ts'
import { moveRelations } from '../model/relation-keys.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

/** Connections that one call can merge into another. */
export const MAX_MERGED = 20

export const MergeInput = Type.Closed({
  keep_id: { ...ConnectionId, description: 'c_… ID of the one to keep' },
  merge_ids: Type.Array(ConnectionId, {
    minItems: 1,
    maxItems: MAX_MERGED,
    description: 'Up to 20 c_… from find_duplicates',
  }),
})

export type MergeInput = Static<typeof MergeInput>

interface Merge {
  readonly kept: WholeConnection
  readonly merged: readonly Connection[]
  /** Fields of the kept connection that received values, by their names in tools. */
  readonly filled: readonly string[]
  readonly movedNotes: number
  readonly movedFollowUps: number
  readonly movedInteractions: number
  /** For the activity log. */
  readonly change: Change
}

interface Attachments {
  readonly notes: readonly string[]
  readonly follow_ups: readonly string[]
  readonly interactions: readonly string[]
}

/**
 * @throws {RequestError} `not_found` when an ID is unknown.
 * @throws {RequestError} `invalid_request` when a connection is merged into itself.
 * @throws {RequestError} `conflict` when the result would have more values than a connection can hold.
 */
export async function mergeConnections(
  tx: MemberTransaction,
  keepId: string,
  mergeIds: readonly string[],
  now: number,
  choices?: FieldChoices,
): Promise<Merge> {
  const keep = await readWholeConnection(tx, await requireConnection(tx, keepId))
  const others = await requireOthers(tx, keepId, mergeIds)
  const after = await fillGaps(tx, keep, others, { now, choices })
  const attachments = await readAttachments(tx, others)
  const { connectionId: kept_id } = keep.connection
  const own = (await interactionsWith(tx, [kept_id])).get(kept_id) ?? []
  for (const { connection } of others) {
    const deleted = {
      ...connection,
      deletedAt: now,
      mergedInto: kept_id,
      version: connection.version + 1,
      updatedAt: now,
    }
    await updateConnection(tx, connection, deleted)
    await tx.run(MOVE_NOTES, { kept_id, connection_id: connection.connectionId })
    await tx.run(MOVE_FOLLOW_UPS, { kept_id, connection_id: connection.connectionId })
  }
  const moved = new Set(attachments.flatMap(({ interactions }) => interactions.map(numberIn)))
  const shared = own.filter((id) => moved.has(id))
  await moveInteractions(tx, kept_id, { others, attachments }, now)
  await moveRelations(
    tx,
    others.map(({ connection }) => connection),
    kept_id,
  )
  await recordSearchChanges(tx, [
    after.connectionId,
    ...others.map(({ connection }) => connection.connectionId),
  ])
  const kept = await readWholeConnection(tx, after)
  const snapshots = mergeSnapshots({ keep, kept, others, attachments, shared }, now)
  return {
    kept,
    merged: others.map(({ connection }) => connection),
    filled: filledFields(keep, kept),
    movedNotes: kept.notes.length - keep.notes.length,
    movedInteractions: moved.size - shared.length,
    movedFollowUps: attachments.flatMap(({ follow_ups }) => follow_ups).length,
    change: {
      action: MERGE_ACTION,
      ...subjectOf(after),
      ...snapshots,
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

/** Includes deleted notes, interactions and follow-ups, which a merge and its undo also move. */
async function readAttachments(
  reader: MemberReader,
  others: readonly WholeConnection[],
): Promise<Attachments[]> {
  const ids = others.map(({ connection }) => connection.connectionId)
  const notes = await reader.all(NOTES_OF, { ids })
  const followUps = await reader.all(FOLLOW_UPS_OF, { ids })
  const interactions = await interactionsWith(reader, ids)
  return ids.map((id) => ({
    notes: notes
      .filter(({ connection_id }) => connection_id === id)
      .map(({ note_id }) => publicNoteId(note_id)),
    follow_ups: followUps
      .filter(({ connection_id }) => connection_id === id)
      .map(({ follow_up_id }) => publicFollowUpId(follow_up_id)),
    interactions: (interactions.get(id) ?? []).map(publicInteractionId),
  }))
}

async function moveInteractions(
  tx: MemberTransaction,
  keptId: number,
  { others, attachments }: Pick<MergedStates, 'others' | 'attachments'>,
  now: number,
): Promise<void> {
  const ids = others.map(({ connection }) => connection.connectionId)
  for (const [index, id] of ids.entries()) {
    const numbers = (attachments[index]?.interactions ?? []).map(numberIn)
    await addToInteractions(tx, keptId, numbers)
    await removeFromInteractions(tx, id, numbers)
  }
  await refreshContactTimes(tx, [keptId, ...ids], await localNowOf(tx, now))
}

interface MergedStates {
  readonly keep: WholeConnection
  readonly kept: WholeConnection
  readonly others: readonly WholeConnection[]
  readonly attachments: readonly Attachments[]
  /** Interactions that the kept one had with one of the others. */
  readonly shared: readonly number[]
}

function mergeSnapshots(
  { keep, kept, others, attachments, shared }: MergedStates,
  now: number,
): { before: SnapshotPair; after: SnapshotPair } {
  const own = snapshotsOf({ ...keep, notes: [] }, { ...kept, notes: [] })
  const before: Snapshot[] = [
    { ...own.before, notes: [], follow_ups: [], interactions: shared.map(publicInteractionId) },
  ]
  const after: Snapshot[] = [
    {
      ...own.after,
      notes: attachments.flatMap(({ notes }) => notes),
      follow_ups: attachments.flatMap(({ follow_ups }) => follow_ups),
      interactions: [...new Set(attachments.flatMap(({ interactions }) => interactions))],
    },
  ]
  for (const [index, other] of others.entries()) {
    const deletion = { deletedAt: now, mergedInto: keep.connection.connectionId }
    const merged = { ...other, connection: { ...other.connection, ...deletion } }
    const snapshots = snapshotsOf(other, merged)
    before.push({ ...snapshots.before, ...attachments[index] })
    after.push({ ...snapshots.after, notes: [], follow_ups: [], interactions: [] })
  }
  return { before: { connections: before }, after: { connections: after } }
}

/** By index notes_by_connection. */
const NOTES_OF = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; note_id: number }
>()(`
  select connection_id, note_id from notes
  where member_id = :member_id and connection_id in (:ids...bigint) order by connection_id, note_id`)

/** By index follow_ups_by_connection. */
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
