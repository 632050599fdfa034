/** The member's decisions that connections are different people, in the activity log. */

import * as Type from '../../base/type.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import { idsOf, publicConnectionId, readConnectionId } from '../model/connection.ts'
import { ConnectionId } from '../person/people-argument.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { deleteDecisions, recordDifferent } from '../matching/match-reviews.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

export const NotDuplicatesInput = Type.Closed({
  connection_ids: Type.Array(ConnectionId, { minItems: 2, maxItems: 21 }),
})

const ACTION = 'connections.not_duplicates'

interface RecordedPairs {
  readonly pairs: readonly (readonly [string, string])[]
}

/**
 * Remembers that the connections are different people, so that they are not proposed as duplicates again.
 *
 * @throws {RequestError} `not_found` when an ID is unknown.
 */
export async function markNotDuplicates(
  tx: MemberTransaction,
  publicIds: readonly string[],
  now: number,
): Promise<{ readonly pairs: readonly [number, number][]; readonly change: Change }> {
  const connections = await requireConnections(tx, publicIds)
  const ids = idsOf(connections)
  const pairs = await recordDifferent(tx, ids, now)
  return { pairs, change: changeOf(pairs, ids) }
}

function changeOf(pairs: readonly [number, number][], ids: readonly number[]): Change {
  const after: RecordedPairs = {
    pairs: pairs.map(([one, other]) => [publicConnectionId(one), publicConnectionId(other)]),
  }
  return {
    action: ACTION,
    subjectKind: 'connections',
    subjectId: String(ids.length),
    before: null,
    after,
    connections: ids,
  }
}

export const notDuplicatesUndoer: Undoer = {
  actions: [ACTION],
  async undo({ tx, now }, { before, after }) {
    // Recorded by changeOf, or swapped by an undo.
    const { pairs } = (after ?? before) as RecordedPairs
    const ids = pairs.map((pair) => pair.map((id) => readConnectionId(id) ?? 0))
    for (const [one = 0, other = 0] of ids)
      if (after) await deleteDecisions(tx, [[one, other]])
      else if ((await recordDifferent(tx, [one, other], now)).length === 0)
        throw changedSince('the decision was made again')
    return { connections: [...new Set(ids.flat())] }
  },
}
