/** Merges several connections of the same person into one: fills empty fields and overwrites nothing. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import { fillGaps, filledFields, type FieldChoices } from './fill-gaps.ts'
import { readWholeConnection } from '../editing/edit.ts'
import { requireConnection, WHOLE_NAMES } from '../editing/require-connection.ts'
import { interactionsWith } from '../last-contact/interaction-people.ts'
import { publicInteractionId } from '../interactions/interaction-store.ts'
import {
  recordNumberIn,
  snapshotsOf,
  subjectOf,
  type Snapshot,
  type SnapshotPair,
} from '../person/snapshot.ts'
import {
  moveToKept,
  readAttachments,
  type Attachments,
  type CadenceMove,
} from './moved-at-merge.ts'
import { FOLLOW_UPS } from '../follow-ups/follow-ups.ts'
import { joinedRows, NO_ROWS } from '../undo/person-rows.ts'
import { ConnectionId } from '../person/people-argument.ts'
import { updateConnection } from '../model/connection-store.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import type { Connection } from '../model/connection.ts'
import { MERGE_ACTION } from '../undo/merges-since.ts'
import { moveRelations } from '../model/relation-keys.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

/** Connections that one call can merge into another. */
export const MAX_MERGED = 20

export const MergeInput = Type.Closed({
  keep_id: ConnectionId,
  merge_ids: Type.Array(ConnectionId, { minItems: 1, maxItems: MAX_MERGED }),
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
  const keep = await readWholeConnection(tx, await requireConnection(tx, keepId, WHOLE_NAMES))
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
  }
  const moved = new Set(attachments.flatMap(({ interactions }) => interactions.map(recordNumberIn)))
  const shared = own.filter((id) => moved.has(id))
  const ids = others.map(({ connection }) => connection.connectionId)
  const cadence = await moveToKept(tx, { keptId: kept_id, ids, attachments, now })
  await moveRelations(
    tx,
    others.map(({ connection }) => connection),
    kept_id,
  )
  await recordSearchChanges(tx, [kept_id, ...ids])
  const kept = await readWholeConnection(tx, after)
  const snapshots = mergeSnapshots({ keep, kept, others, attachments, shared, cadence }, now)
  return {
    kept,
    merged: others.map(({ connection }) => connection),
    filled: [...filledFields(keep, kept), ...(cadence === undefined ? [] : ['cadence'])],
    movedNotes: kept.notes.length - keep.notes.length,
    movedInteractions: moved.size - shared.length,
    movedFollowUps: attachments.flatMap(({ moved_rows }) => moved_rows[FOLLOW_UPS.plural] ?? [])
      .length,
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
    others.push(await readWholeConnection(tx, await requireConnection(tx, id, WHOLE_NAMES)))
  return others
}

interface MergedStates {
  readonly keep: WholeConnection
  readonly kept: WholeConnection
  readonly others: readonly WholeConnection[]
  readonly attachments: readonly Attachments[]
  /** Interactions that the kept one had with one of the others. */
  readonly shared: readonly number[]
  /** Undefined if the kept one has the cadence, pause and mute that it had. */
  readonly cadence: CadenceMove | undefined
}

function mergeSnapshots(
  { keep, kept, others, attachments, shared, cadence }: MergedStates,
  now: number,
): { before: SnapshotPair; after: SnapshotPair } {
  const own = snapshotsOf({ ...keep, notes: [] }, { ...kept, notes: [] })
  const before: Snapshot[] = [
    {
      ...own.before,
      ...cadence?.before,
      moved_rows: NO_ROWS,
      interactions: shared.map(publicInteractionId),
    },
  ]
  const after: Snapshot[] = [
    {
      ...own.after,
      ...cadence?.after,
      moved_rows: joinedRows(attachments.map(({ moved_rows: rows }) => rows)),
      interactions: [...new Set(attachments.flatMap(({ interactions }) => interactions))],
    },
  ]
  for (const [index, other] of others.entries()) {
    const deletion = { deletedAt: now, mergedInto: keep.connection.connectionId }
    const merged = { ...other, connection: { ...other.connection, ...deletion } }
    const snapshots = snapshotsOf(other, merged)
    before.push({ ...snapshots.before, ...attachments[index] })
    after.push({ ...snapshots.after, moved_rows: NO_ROWS, interactions: [] })
  }
  return { before: { connections: before }, after: { connections: after } }
}
