/** Writes the interactions of a source, such as a calendar feed, so that repeating a sync changes nothing. */

import {
  addInteractions,
  findBySourceKeys,
  isSameInteraction,
  storeInteractions,
  type Interaction,
  type InteractionDraft,
} from './interaction-store.ts'
import type { InteractionChange } from './interaction-changes.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** An interaction of the source, which `sourceKey` identifies. A text that the member adds is kept. */
export type SyncedInteraction = Omit<InteractionDraft, 'source' | 'sourceKey' | 'text'> & {
  readonly sourceKey: string
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
): Promise<InteractionChange[]> {
  const wanted = new Map(upsert.map((one) => [one.sourceKey, one]))
  const keys = [...wanted.keys(), ...remove.filter((key) => !wanted.has(key))]
  const stored = await findBySourceKeys(tx, source, keys)
  const updates = stored.flatMap((before) => {
    const after = stateAfter(before, wanted.get(before.sourceKey ?? ''), now)
    return after ? [{ before, after }] : []
  })
  await storeInteractions(tx, updates, now)
  const known = new Set(stored.map(({ sourceKey }) => sourceKey))
  const added = await addInteractions(
    tx,
    [...wanted.values()].flatMap((one) =>
      known.has(one.sourceKey) ? [] : [{ ...one, source, text: null }],
    ),
    now,
  )
  const present = (one: Interaction) => (one.deletedAt === null ? one : undefined)
  return [
    ...updates.map(({ before, after }) => ({ before: present(before), after: present(after) })),
    ...added.map((after) => ({ before: undefined, after })),
  ]
}

/** Undefined if nothing changes. */
function stateAfter(
  before: Interaction,
  wanted: SyncedInteraction | undefined,
  now: number,
): Interaction | undefined {
  if (before.deletedAt !== null)
    return wanted && before.isGone === 1
      ? { ...before, ...wanted, deletedAt: null, isGone: 0 }
      : undefined
  if (!wanted) return { ...before, deletedAt: now, isGone: 1 }
  return isSameInteraction(before, { ...before, ...wanted }) ? undefined : { ...before, ...wanted }
}
