/** Follow-ups in Weft's own export, and how an import of it restores them and is undone. */

import { memberStatement } from '../../db/statement.ts'
import {
  findRows,
  insertNumberedRows,
  insertDrafts,
  type DraftIn,
} from '../../records/recorded-table.ts'
import { wakeReminders } from '../../tools/wake-reminders.ts'
import { FOLLOW_UPS, type FollowUp, FOLLOW_UP_COLUMNS } from './follow-ups.ts'
import { rfc3339 } from '../../base/clock.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { ContactHistory } from '../../contact-files/contact/contact.ts'
import type { Present } from '../../records/undo-rows.ts'

export const EXPORTED_FOLLOW_UP =
  `text, due_on, nullif(due_time, '') as due_time, recurrence, counts_from, completed_at, created_at` as const

/** A follow-up in a file of the archive, as `EXPORTED_FOLLOW_UP` selects it. */
export interface FollowUpRecord {
  readonly text: string
  readonly due_on: string
  readonly due_time: string | null
  readonly recurrence: string
  readonly counts_from: string
  readonly completed_at: number | null
  readonly created_at: number
}

/** Returns it with its times in RFC 3339. */
export function followUpRecord(one: FollowUpRecord): object {
  return {
    ...one,
    completed_at: rfc3339(one.completed_at),
    created_at: rfc3339(one.created_at),
  }
}

/** Stores follow-ups with the times that they have. The caller records the search changes. */
export async function addImportedFollowUps(
  tx: MemberTransaction,
  drafts: readonly DraftIn<typeof FOLLOW_UPS>[],
): Promise<FollowUp[]> {
  if (drafts.some(({ dueTime }) => dueTime !== '')) await wakeReminders(tx)
  return insertDrafts(FOLLOW_UPS, tx, drafts)
}

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
  const unchanged = followUps.filter((one) => times.get(one.followUpId) === one.updatedAt)
  const rows = unchanged.map(({ followUpId }) => [followUpId])
  if (rows.length > 0) await tx.deleteMany({ table: 'follow_ups', key: ['follow_up_id'], rows })
}

/** The keys by which an import knows a follow-up of a person again: its day with its text, and its series with its text. */
export function followUpKeys({
  dueOn,
  recurrence,
  text,
}: Pick<FollowUp, 'dueOn' | 'recurrence' | 'text'>): readonly [string, string] {
  return [`${dueOn} ${text}`, `${recurrence} ${text}`]
}

/** The follow-ups of these connections, including deleted ones, so that an import does not restore them. */
export async function followUpsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<readonly Present<FollowUp>[]> {
  return ids.length === 0 ? [] : reader.all(OF_CONNECTIONS, { ids })
}

/** By index follow_ups_by_connection. */
const OF_CONNECTIONS = memberStatement<{ ids: readonly number[] }, Present<FollowUp>>()(`
  select ${FOLLOW_UP_COLUMNS}, f.deleted_at as "deletedAt" from follow_ups f
  where f.member_id = :member_id and f.connection_id in (:ids...bigint)`)

/** To-dos that one import added, as its change stores them: their numbers follow each other. */
export interface RestoredToDos {
  readonly first: number
  readonly count: number
  /** When they were added; those that were changed since have a later time. */
  readonly at: number
}

/** Adds those that the member neither has nor deleted. Undefined if there are none. */
export async function addMissingToDos(
  tx: MemberTransaction,
  toDos: ContactHistory['followUps'],
  now: number,
): Promise<RestoredToDos | undefined> {
  if (toDos.length === 0) return undefined
  const known = new Set((await tx.all(KNOWN, {})).map((one) => followUpKeys(one)[0]))
  const missing = toDos.filter((one) => !known.has(followUpKeys(one)[0]))
  const added = await addImportedFollowUps(
    tx,
    missing.map(({ dueTime = '', createdAt, ...planned }) =>
      Object.assign(planned, {
        connectionId: null,
        dueTime,
        createdAt: createdAt ?? now,
        updatedAt: now,
      }),
    ),
  )
  const [first] = added
  return first && { first: first.followUpId, count: added.length, at: now }
}

/** Returns the restored to-dos that were not changed since. */
export function unchangedToDos(
  reader: MemberReader,
  { first, count, at }: RestoredToDos,
): Promise<FollowUp[]> {
  return reader.all(UNCHANGED, { first, last: first + count - 1, at })
}

/** By index follow_ups_by_connection. */
const KNOWN = memberStatement<object, FollowUp>()(`
  select ${FOLLOW_UP_COLUMNS} from follow_ups f
  where f.member_id = :member_id and f.connection_id is null`)

/** By primary key. */
const UNCHANGED = memberStatement<Record<'first' | 'last' | 'at', number>, FollowUp>()(`
  select ${FOLLOW_UP_COLUMNS} from follow_ups f
  where f.member_id = :member_id and f.follow_up_id >= :first and f.follow_up_id <= :last
    and f.updated_at = :at and f.deleted_at is null`)
