/** Finds merges, which prevent an undo of earlier changes. */

import { memberStatement } from '../../db/statement.ts'
import { listUndos, rootsOf, undoneChanges } from '../../tools/activity-log/undone-changes.ts'
import { UNDONE, readConnectionId } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

/** The action of a merge in the activity log; its subject is the connection that was kept. */
export const MERGE_ACTION = 'connections.merge'

/** The connections that others were merged into after a change, where the merge has not been undone. */
export async function mergesSince(reader: MemberReader, since: number): Promise<Set<number>> {
  const undos = await listUndos(reader)
  const rootOf = rootsOf(undos)
  const later = undos.filter(({ activity_id }) => activity_id > since)
  const merges = await reader.all(MERGES, {
    since,
    ids: later.map(({ undoes }) => rootOf(undoes)),
    merge: MERGE_ACTION,
  })
  const undone = await undoneChanges(reader)
  return new Set(
    merges
      .filter(({ activity_id }) => !undone.has(activity_id))
      .map(({ subject_id }) => readConnectionId(subject_id) ?? UNDONE),
  )
}

/** By primary key. */
const MERGES = memberStatement<
  { since: number; ids: readonly number[]; merge: string },
  { activity_id: number; subject_id: string }
>()(`
  select activity_id, subject_id from activity
  where member_id = :member_id and action = :merge
    and (activity_id > :since or activity_id in (:ids...bigint))`)
