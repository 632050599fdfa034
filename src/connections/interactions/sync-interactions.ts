/** Writes the interactions of a source, such as a calendar feed, so that repeating a sync changes nothing. */

import { findPresent } from '../model/connection-store.ts'
import {
  addInteractions,
  findBySourceKeys,
  INTERACTIONS,
  type Interaction,
  type InteractionDraft,
} from './interaction-store.ts'
import { rememberedPeople, syncedPeople, type SyncedAttendee } from './synced-people.ts'
import { isChanged } from '../../records/record-rows.ts'
import { storeRows } from '../../records/recorded-table.ts'
import { entryOf } from '../../records/activity-entry.ts'
import { isLive } from '../../records/undo-rows.ts'
import type { RowChange } from '../../records/undo-rows.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

/** An interaction of the source, which `sourceKey` identifies. A text that the member adds is kept. */
export type SyncedInteraction = Omit<
  InteractionDraft,
  'source' | 'sourceKey' | 'text' | 'people' | 'attendees'
> & {
  readonly sourceKey: string
  readonly attendees: readonly SyncedAttendee[]
}

interface Sync {
  /** Such as `calendar:3`. */
  readonly source: string
  /** Added, or changed where they differ. One that the member deleted stays deleted. */
  readonly upsert?: readonly SyncedInteraction[]
  /** Keys of interactions that the source no longer has. */
  readonly remove?: readonly string[]
}

/**
 * Returns what changed, for `syncChangeOf`; empty if the source is the same as before. All people must exist: check them
 * in the same transaction.
 */
export async function syncInteractions(
  tx: MemberTransaction,
  { source, upsert = [], remove = [] }: Sync,
  now: number,
): Promise<RowChange<Interaction>[]> {
  const wanted = new Map(upsert.map((one) => [one.sourceKey, one]))
  const keys = [...wanted.keys(), ...remove.filter((key) => !wanted.has(key))]
  const stored = await findBySourceKeys(tx, source, keys)
  const presentOf = await presentPeople(tx, stored)
  const updates = stored.flatMap((before) => {
    const one = wanted.get(before.sourceKey ?? '')
    const after = stateAfter(before, one && draftOf(one, before, presentOf), now)
    return after ? [{ before, after }] : []
  })
  await storeRows(INTERACTIONS, tx, updates, now)
  const known = new Set(stored.map(({ sourceKey }) => sourceKey))
  const drafts = [...wanted.values()]
    .filter(({ sourceKey }) => !known.has(sourceKey))
    .map((one) => Object.assign(draftOf(one, undefined, presentOf), { source, text: null }))
  const added = await addInteractions(
    tx,
    drafts.filter(({ people }) => people.length > 0),
    now,
  )
  const present = (one: Interaction) => (isLive(one) ? one : undefined)
  const changes = updates.map(({ before, after }) => ({
    before: present(before),
    after: present(after),
  }))
  return [
    ...changes.filter(
      ({ before, after }) => !before || !after || isChanged(INTERACTIONS, before, after),
    ),
    ...added.map((after) => ({ before: undefined, after })),
  ]
}

/** Maps each person that these interactions remember to the connection into which they were merged, or to themselves. */
async function presentPeople(
  tx: MemberTransaction,
  interactions: readonly Interaction[],
): Promise<(connectionId: number) => number> {
  const ids = interactions.flatMap(({ attendees }) => rememberedPeople(attendees ?? null))
  const present = await findPresent(tx, [...new Set(ids)])
  return (id) => present.get(id)?.connectionId ?? id
}

type SyncedDraft = Omit<InteractionDraft, 'source' | 'text'>

function draftOf(
  { attendees, ...synced }: SyncedInteraction,
  before: Interaction | undefined,
  presentOf: (connectionId: number) => number,
): SyncedDraft {
  const known = before && { people: before.people, attendees: before.attendees ?? null }
  const draft = { ...synced, ...syncedPeople(known, attendees, presentOf) }
  if (before?.happenedAt === null || before?.happenedAt !== draft.happenedAt) return draft
  // The day of a meeting does not change when the member moves to another time zone.
  const { localAt, zone } = before
  return { ...draft, localAt, zone }
}

/** Undefined if nothing changes. `wanted` is undefined, or has no people, if the source no longer has the interaction. */
function stateAfter(
  before: Interaction,
  wanted: SyncedDraft | undefined,
  now: number,
): Interaction | undefined {
  const isWanted = wanted !== undefined && wanted.people.length > 0
  if (!isLive(before))
    return isWanted && before.isGone === 1
      ? { ...before, ...wanted, deletedAt: null, isGone: 0 }
      : undefined
  if (!isWanted) return { ...before, deletedAt: now, isGone: 1 }
  const after = { ...before, ...wanted }
  const isSame = !isChanged(INTERACTIONS, before, after) && before.attendees === after.attendees
  return isSame ? undefined : after
}

/** The entry about what one sync changed. `source` names where the changes came from. */
export function syncChangeOf(source: string, changes: readonly RowChange<Interaction>[]): Change {
  return entryOf(INTERACTIONS, changes, { listOf: source })
}
