/** How the activity log stores splits, and how they are undone. */

import { changedSince, type Undoer } from '../../tools/undo.ts'
import { publicInteractionId } from '../interactions/interaction-store.ts'
import { deleteDecisions, recordDifferent } from '../matching/match-reviews.ts'
import { connectionIdOf, snapshotsOf, subjectOf, type SnapshotPair } from '../person/snapshot.ts'
import { NO_ROWS } from '../undo/person-rows.ts'
import { restoreSnapshot } from '../undo/undo-connections.ts'
import { restoreInImport, type SplitImport } from './merged-by-import.ts'
import type { Merged } from './without-merged.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'
import type { WholeConnection } from '../person/whole-connection.ts'

/** The action of a split in the activity log; its subject is the connection that contained the other person. */
const SPLIT_ACTION = 'connections.split'

/** The connection that contained the other person, and the other one. */
interface RecordedSplit extends SnapshotPair {
  /** Whether the split recorded, or its undo removes, the decision that they are different people. */
  readonly is_different: boolean
  readonly imported?: SplitImport | undefined
}

interface SplitRecord {
  readonly before: WholeConnection
  readonly after: WholeConnection
  readonly other: WholeConnection
  readonly merged: Merged
  /** The new decisions that these are different people. */
  readonly pairs: readonly [number, number][]
  readonly imported: Record<'before' | 'after', SplitImport> | undefined
  readonly now: number
}

/** Like a merge in reverse: undoing it merges the other connection again. */
export function splitChangeOf(split: SplitRecord): Change {
  const { before, after, other, merged, pairs, imported, now } = split
  const { rows: moved_rows } = merged
  const kept = snapshotsOf({ ...before, notes: [] }, { ...after, notes: [] })
  const deletion = {
    deletedAt: merged.other.deletedAt ?? now,
    mergedInto: before.connection.connectionId,
  }
  const gone = { ...other, connection: { ...other.connection, ...deletion } }
  const parts = snapshotsOf({ ...gone, notes: [] }, { ...other, notes: [] })
  const interactions = merged.interactions.map(publicInteractionId)
  const moved = new Set(merged.interactions)
  const shared = merged.sharedInteractions.filter((id) => moved.has(id)).map(publicInteractionId)
  const none = { moved_rows: NO_ROWS, interactions: [] }
  const was: RecordedSplit = {
    connections: [
      { ...kept.before, ...merged.cadence?.after, moved_rows, interactions },
      { ...parts.before, ...none },
    ],
    is_different: pairs.length === 0,
    imported: imported?.before,
  }
  const is: RecordedSplit = {
    connections: [
      { ...kept.after, ...merged.cadence?.before, ...none, interactions: shared },
      { ...parts.after, moved_rows, interactions },
    ],
    is_different: true,
    imported: imported?.after,
  }
  return {
    action: SPLIT_ACTION,
    ...subjectOf(after.connection),
    before: was,
    after: is,
    connections: [before, other].map(({ connection }) => connection.connectionId),
  }
}

export const splitUndoer: Undoer = {
  actions: [SPLIT_ACTION],
  async undo({ tx, now }, { before, after }) {
    // Both were recorded by splitChangeOf, or swapped by an undo.
    const [from, to] = [after as RecordedSplit, before as RecordedSplit]
    const connections = from.connections.map(connectionIdOf)
    await restoreSnapshot(tx, from.connections, to.connections, now)
    if (from.is_different !== to.is_different)
      await setDifferent(tx, connections, { isDifferent: to.is_different, now })
    if (from.imported && to.imported) await restoreInImport(tx, from.imported, to.imported)
    return { connections }
  },
}

async function setDifferent(
  tx: MemberTransaction,
  ids: readonly number[],
  { isDifferent, now }: { readonly isDifferent: boolean; readonly now: number },
): Promise<void> {
  const [one = 0, other = 0] = ids.toSorted((a, b) => a - b)
  if (!isDifferent) return deleteDecisions(tx, [[one, other]])
  const recorded = await recordDifferent(tx, ids, now)
  if (recorded.length === 0) throw changedSince('the decision was made again')
}
