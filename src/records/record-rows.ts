/** Adds, changes and removes rows, and records it in the activity log as one change that can be undone. */

import { entryOf, type RecordedRowChange } from './activity-entry.ts'
import { differingNames, stateOf } from './logged-state.ts'
import { addRows, storeRows, type RecordedTable } from './recorded-table.ts'
import type { ActivityAction } from '../tools/activity-action.ts'
import type { Changing } from '../tools/tool.ts'

/** Returns the rows with their numbers, and the ID of the change in the activity log. */
export async function recordNew<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  { tx, now, record }: Changing,
  drafts: readonly Draft[],
  action?: ActivityAction,
): Promise<{ readonly added: Row[]; readonly activityId: number }> {
  const added = await addRows(rows, tx, drafts, now)
  const changes = added.map((after) => ({ after }))
  return { added, activityId: await record(entryOf(rows, changes, { action })) }
}

/** A row before and after a change. */
interface Changed<Row> extends RecordedRowChange<Row> {
  readonly before: Row
  readonly after: Row
}

/** Returns the ID of the change; undefined if no row differs in what the log has of it. */
export async function recordChanged<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  { tx, now, record }: Changing,
  changes: readonly Changed<Row>[],
  action?: ActivityAction,
): Promise<number | undefined> {
  const differing = changes.filter(({ before, after }) => isChanged(rows, before, after))
  if (differing.length === 0) return undefined
  await storeRows(rows, tx, differing, now)
  return record(entryOf(rows, differing, { action }))
}

/** Whether two states of a row differ in what the log has of them. */
export function isChanged<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  before: Row,
  after: Row,
): boolean {
  return differingNames(stateOf(rows, before), stateOf(rows, after)).length > 0
}

/** Removes rows. Returns the ID of the change. */
export async function recordRemoved<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  { tx, now, record }: Changing,
  removed: readonly Row[],
): Promise<number> {
  const changes = removed.map((before) => ({ before, after: { ...before, deletedAt: now } }))
  await storeRows(rows, tx, changes, now)
  return record(
    entryOf(
      rows,
      removed.map((before) => ({ before })),
    ),
  )
}
