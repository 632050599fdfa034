/**
 * What a merge does with everything that refers to a connection, table by table. A row that stays belongs to the merged
 * connection, which is kept for an undo, and is permanently deleted with it.
 */

import { cadencesOf, recordedCadence, storeCadences } from '../cadence/cadence-store.ts'
import { publicInteractionId } from '../interactions/interaction-store.ts'
import {
  localNowOf,
  NO_CADENCE,
  refreshContactTimes,
  type OwnCadence,
} from '../last-contact/contact-times.ts'
import {
  addToInteractions,
  interactionsWith,
  removeFromInteractions,
} from '../last-contact/interaction-people.ts'
import { recordNumberIn, type PersonRows, type RecordedCadence } from '../person/snapshot.ts'
import { moveRows, NO_ROWS, PERSON_TABLES, personRowsOf } from '../undo/person-rows.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** The IDs of what belongs to a connection and moves, including what is deleted. */
export interface Attachments {
  readonly moved_rows: PersonRows
  readonly interactions: readonly string[]
}

interface Merging {
  readonly keptId: number
  readonly ids: readonly number[]
  /** In the order of `ids`. */
  readonly attachments: readonly Attachments[]
  readonly now: number
}

/** The cadence, pause and mute of the kept connection, which got what it lacked. */
export interface CadenceMove {
  readonly before: RecordedCadence
  readonly after: RecordedCadence
}

/** What a merge does with the rows of each table that has the ID of a connection. A test compares this list with the schema. */
export const TABLES_AT_MERGE = {
  ...Object.fromEntries(PERSON_TABLES.map(({ table }) => [table, 'moved'])),
  interaction_people: 'moved',
  // The days of contacts are derived again; cadence, pause and mute fill gaps.
  contact_times: 'moved',
  // By `fillGaps`.
  connections: 'fills gaps',
  connection_tags: 'fills gaps',
  // Imports and relations find the kept connection through the merged one.
  connection_keys: 'stays',
  // A decision about the merged connection applies to the one into which it was merged.
  match_reviews: 'stays',
  // History, and what an undo restores.
  activity_connections: 'stays',
  import_changes: 'stays',
  device_changes: 'stays',
  // The card of the merged connection is deleted and keeps its name, so that a split brings it back.
  cards: 'stays',
  // Derived from the connection.
  embeddings: 'stays',
  // What was selected at the time.
  connection_exports: 'stays',
} as const

/** Moves the rows of the tables above. Returns how the cadence of the kept connection changed; undefined if it did not. */
export async function moveToKept(
  tx: MemberTransaction,
  merging: Merging,
): Promise<CadenceMove | undefined> {
  await moveRows(tx, merging.keptId, merging.ids)
  await moveInteractions(tx, merging)
  return fillCadence(tx, merging)
}

/** What `moveToKept` moves, of each connection. */
export async function readAttachments(
  reader: MemberReader,
  others: readonly WholeConnection[],
): Promise<Attachments[]> {
  const ids = others.map(({ connection }) => connection.connectionId)
  const rows = await personRowsOf(reader, ids)
  const interactions = await interactionsWith(reader, ids)
  return ids.map((id, at) => ({
    moved_rows: rows[at] ?? NO_ROWS,
    interactions: (interactions.get(id) ?? []).map(publicInteractionId),
  }))
}

async function moveInteractions(
  tx: MemberTransaction,
  { keptId, ids, attachments, now }: Merging,
): Promise<void> {
  const moved = ids.map((id, index) => {
    const interactions = (attachments[index]?.interactions ?? []).map(recordNumberIn)
    return { connectionId: id, interactions }
  })
  await addToInteractions(
    tx,
    moved.map(({ interactions }) => ({ connectionId: keptId, interactions })),
  )
  await removeFromInteractions(tx, moved)
  await refreshContactTimes(tx, [keptId, ...ids], await localNowOf(tx, now))
}

async function fillCadence(
  tx: MemberTransaction,
  { keptId, ids }: Merging,
): Promise<CadenceMove | undefined> {
  const all = await cadencesOf(tx, [keptId, ...ids])
  const [kept = NO_CADENCE, ...others] = [...all.values()]
  const filled = filledCadence(kept, others)
  const [before, after] = [recordedCadence(kept), recordedCadence(filled)]
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined
  await storeCadences(tx, new Map([[keptId, filled]]))
  return { before, after }
}

/**
 * The kept cadence and pause, or the first of the others. A person without a cadence is muted if one of the others is; that
 * someone with a cadence is never suggested would contradict it.
 */
function filledCadence(kept: OwnCadence, others: readonly OwnCadence[]): OwnCadence {
  const all = [kept, ...others]
  const { every, unit, setOn } = all.find((one) => one.every !== null) ?? kept
  const paused = all.find((one) => one.pausedUntil !== null) ?? kept
  const isMuted = kept.every === null ? Math.max(...all.map((one) => one.isMuted)) : kept.isMuted
  return { every, unit, setOn, pausedUntil: paused.pausedUntil, isMuted }
}
