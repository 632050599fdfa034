/** What agents changed since a time, such as the member's last visit, by agent. */

import { readActivityPage } from '../../tools/activity-log/activity-page.ts'
import { UNDO_ACTION, ACCOUNT_KIND } from '../../tools/activity-action.ts'
import { countOwnChangesSince } from '../../tools/activity-log/read-activity.ts'
import { MAX_UNDONE } from '../../tools/undo/undo-change.ts'
import { describeChanges, type DescribedChange } from './described-change.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface AgentChanges {
  readonly actor: string
  /** Newest first; the latest few. */
  readonly latest: readonly DescribedChange[]
  readonly more: number
  readonly since: number
  /** How many changes an undo of all would undo; undefined if it cannot. */
  readonly undoCount: number | undefined
}

/** Changes that are looked at. */
const MAX_READ = 100
const MAX_SHOWN = 3

/** Newest first, without undone ones. */
export async function readAgentChanges(
  reader: MemberReader,
  undoers: readonly Undoer[],
  from: number,
): Promise<AgentChanges[]> {
  const { changes } = await readActivityPage(reader, MAX_READ)
  const recent = changes.filter(
    ({ isByAgent, at, undoneBy, action, subjectKind }) =>
      isByAgent &&
      at > from &&
      undoneBy === undefined &&
      action !== UNDO_ACTION &&
      subjectKind !== ACCOUNT_KIND,
  )
  const oldest = recent.at(-1)
  if (!oldest) return []
  const counts = await countOwnChangesSince(reader, oldest.activityId)
  const groups = [...Map.groupBy(recent, ({ actor }) => actor)]
  return Promise.all(
    groups.map(async ([actor, own]) => {
      const since = own.at(-1)?.activityId ?? 0
      const count = counts.get(since)
      return {
        actor,
        latest: await describeChanges(reader, own.slice(0, MAX_SHOWN), undoers),
        more: Math.max(own.length - MAX_SHOWN, 0),
        since,
        undoCount: count !== undefined && count <= MAX_UNDONE ? count : undefined,
      }
    }),
  )
}
