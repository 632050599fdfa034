/** Follow-ups that an import of Weft's own export brings back, with the times at which they were planned and done. */

import { memberStatement } from '../../db/statement.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { FollowUp } from './follow-ups.ts'

/** With the times of its row, so that an undo can tell whether it was changed since. */
export interface StoredFollowUp extends FollowUp {
  readonly createdAt: number
  readonly updatedAt: number
}

/** Inserts them in order, with new numbers. */
export async function addFollowUps(
  tx: MemberTransaction,
  followUps: readonly Omit<StoredFollowUp, 'followUpId'>[],
): Promise<StoredFollowUp[]> {
  if (followUps.length === 0) return []
  const row = await tx.get(NUMBER, { count: followUps.length })
  if (!row) throw new Error(`member ${tx.memberId} has no network`)
  const first = row.last_follow_up - followUps.length + 1
  const numbered = followUps.map((one, index) => ({ ...one, followUpId: first + index }))
  await insert(tx, numbered)
  return numbered
}

/** Inserts those that `removeUnchanged` removed, with the numbers that they had. */
export async function restoreFollowUps(
  tx: MemberTransaction,
  followUps: readonly StoredFollowUp[],
): Promise<void> {
  if (followUps.length === 0) return
  const ids = followUps.map(({ followUpId }) => followUpId)
  const present = new Set((await tx.all(BY_IDS, { ids })).map(({ follow_up_id }) => follow_up_id))
  await insert(
    tx,
    followUps.filter(({ followUpId }) => !present.has(followUpId)),
  )
}

/** Removes them as if they had never been planned, except those that were changed since. */
export async function removeUnchanged(
  tx: MemberTransaction,
  followUps: readonly StoredFollowUp[],
): Promise<void> {
  if (followUps.length === 0) return
  const ids = followUps.map(({ followUpId }) => followUpId)
  const rows = new Map((await tx.all(BY_IDS, { ids })).map((row) => [row.follow_up_id, row]))
  const unchanged = followUps.filter(
    ({ followUpId, updatedAt }) => rows.get(followUpId)?.updated_at === updatedAt,
  )
  if (unchanged.length > 0)
    await tx.run(DELETE, { ids: unchanged.map(({ followUpId }) => followUpId) })
}

interface PresentFollowUp {
  readonly follow_up_id: number
  readonly connection_id: number
  readonly text: string
  readonly due_on: string
  readonly updated_at: number
  readonly deleted_at: number | null
}

/** The follow-ups of these connections, deleted ones included, so that an import does not bring one back. */
export async function followUpsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<readonly PresentFollowUp[]> {
  return ids.length === 0 ? [] : reader.all(OF_CONNECTIONS, { ids })
}

async function insert(tx: MemberTransaction, followUps: readonly StoredFollowUp[]): Promise<void> {
  if (followUps.length === 0) return
  await tx.insertMany({
    table: 'follow_ups',
    columns: [
      'follow_up_id',
      'connection_id',
      'text',
      'due_on',
      'recurrence',
      'counts_from',
      'completed_at',
      'created_at',
      'updated_at',
    ],
    rows: followUps.map((one) => [
      one.followUpId,
      one.connectionId,
      one.text,
      one.dueOn,
      one.recurrence,
      one.countsFrom,
      one.completedAt,
      one.createdAt,
      one.updatedAt,
    ]),
  })
}

const NUMBER = memberStatement<{ count: number }, { last_follow_up: number }>()(`
  update networks set last_follow_up = last_follow_up + :count
  where member_id = :member_id returning last_follow_up`)

/** By primary key. */
const BY_IDS = memberStatement<
  { ids: readonly number[] },
  { follow_up_id: number; updated_at: number }
>()(`
  select follow_up_id, updated_at from follow_ups
  where member_id = :member_id and follow_up_id in (:ids...bigint)`)

const DELETE = memberStatement<{ ids: readonly number[] }>()(
  'delete from follow_ups where member_id = :member_id and follow_up_id in (:ids...bigint)',
)

/** By index follow_ups_by_connection. */
const OF_CONNECTIONS = memberStatement<{ ids: readonly number[] }, PresentFollowUp>()(`
  select follow_up_id, connection_id, text, due_on, updated_at, deleted_at from follow_ups
  where member_id = :member_id and connection_id in (:ids...bigint)`)
