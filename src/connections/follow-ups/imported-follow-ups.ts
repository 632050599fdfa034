/** Restores follow-ups from an import of Weft's own export, with the times at which they were planned and completed. */

import { memberStatement } from '../../db/statement.ts'
import { findRows, insertNumberedRows } from '../../records/recorded-table.ts'
import { wakeReminders } from '../../tools/wake-reminders.ts'
import { FOLLOW_UPS, type FollowUp } from './follow-ups.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** Inserts those that `removeUnchanged` removed, with their previous numbers. */
export async function restoreFollowUps(
  tx: MemberTransaction,
  followUps: readonly FollowUp[],
): Promise<void> {
  const present = await storedTimes(tx, followUps)
  const missing = followUps.filter(({ followUpId }) => !present.has(followUpId))
  await insertNumberedRows(FOLLOW_UPS, tx, missing)
  if (missing.some(({ dueTime }) => dueTime !== '')) await wakeReminders(tx)
}

/** The times at which they were last changed, by their numbers. */
async function storedTimes(
  reader: MemberReader,
  followUps: readonly FollowUp[],
): Promise<ReadonlyMap<number, number>> {
  const ids = followUps.map(({ followUpId }) => followUpId)
  const rows = await findRows(FOLLOW_UPS, reader, ids)
  return new Map(rows.map(({ followUpId, updatedAt }) => [followUpId, updatedAt]))
}

/** Removes them as if they had never been planned, except those that were changed since. */
export async function removeUnchanged(
  tx: MemberTransaction,
  followUps: readonly FollowUp[],
): Promise<void> {
  const times = await storedTimes(tx, followUps)
  const unchanged = followUps.filter(
    ({ followUpId, updatedAt }) => times.get(followUpId) === updatedAt,
  )
  if (unchanged.length > 0)
    await tx.run(DELETE, { ids: unchanged.map(({ followUpId }) => followUpId) })
}

interface PresentFollowUp {
  readonly follow_up_id: number
  readonly connection_id: number
  readonly text: string
  readonly due_on: string
  readonly recurrence: string
  readonly updated_at: number
  readonly deleted_at: number | null
}

/** The follow-ups of these connections, including deleted ones, so that an import does not restore them. */
export async function followUpsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<readonly PresentFollowUp[]> {
  return ids.length === 0 ? [] : reader.all(OF_CONNECTIONS, { ids })
}

const DELETE = memberStatement<{ ids: readonly number[] }>()(
  'delete from follow_ups where member_id = :member_id and follow_up_id in (:ids...bigint)',
)

/** By index follow_ups_by_connection. */
const OF_CONNECTIONS = memberStatement<{ ids: readonly number[] }, PresentFollowUp>()(`
  select follow_up_id, connection_id, text, due_on, recurrence, updated_at, deleted_at from follow_ups
  where member_id = :member_id and connection_id in (:ids...bigint)`)
