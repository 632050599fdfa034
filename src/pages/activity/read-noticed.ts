/** Reads the change that the notice of a page shows. */

import { activityNumber } from '../../tools/activity.ts'
import { findChange } from '../../tools/activity-log/read-activity.ts'
import { undoneChanges } from '../../tools/activity-log/undone-changes.ts'
import { describeChanges, type DescribedChange } from './described-change.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

/** The change that a page's query string names, if it belongs to this member and was not undone. */
export async function readNoticed(
  reader: MemberReader,
  search: string,
  undoers: readonly Undoer[],
): Promise<DescribedChange | undefined> {
  const activityId = activityNumber(new URLSearchParams(search).get('change'))
  const change = activityId === 0 ? undefined : await findChange(reader, activityId)
  if (!change || (await undoneChanges(reader)).has(activityId)) return undefined
  const [described] = await describeChanges(reader, [{ ...change, undoneBy: undefined }], undoers)
  return described
}
