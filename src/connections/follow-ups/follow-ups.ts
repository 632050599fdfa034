/** Follow-ups: things a member plans to do by a date, with a connection or with none, once or recurring. */

import { dayAt, timeOfDay } from '../../base/calendar-day.ts'
import { DAY, MINUTE } from '../../base/clock.ts'
import { reserveNumbers } from '../../tools/network-numbers.ts'
import { insertRows } from '../../db/insert-row.ts'
import { formatPublicId, parsePublicId } from '../../base/public-id.ts'
import { RequestError } from '../../base/request-error.ts'
import { asProperties, memberStatement } from '../../db/statement.ts'
import { nextDay, type Recurrence } from '../../contact-files/contact/recurrence.ts'
import { wakeReminders } from '../../tools/wake-reminders.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export interface FollowUp {
  readonly followUpId: number
  /** Null for a to-do without a person. */
  readonly connectionId: number | null
  readonly text: string
  /** YYYY-MM-DD */
  readonly dueOn: string
  /** HH:MM in the time zone in which the member is; empty if any time of the day will do. */
  readonly dueTime: string
  readonly recurrence: Recurrence
  /** Start date of the recurring series: the first due date, or the date it was moved to. */
  readonly countsFrom: string
  readonly completedAt: number | null
}

/** With its stored times, so that an undo can detect later changes. */
export interface StoredFollowUp extends FollowUp {
  readonly createdAt: number
  readonly updatedAt: number
}

/** The fields that a member sets. */
export type FollowUpFields = Pick<
  FollowUp,
  'connectionId' | 'text' | 'dueOn' | 'dueTime' | 'recurrence'
>

/** Includes deleted ones, because an undo that removed a follow-up can itself be undone. */
export async function findFollowUp(
  reader: MemberReader,
  followUpId: number,
): Promise<(FollowUp & { readonly isDeleted: boolean }) | undefined> {
  const row = await reader.get(BY_ID, { follow_up_id: followUpId })
  if (!row) return undefined
  const { deletedAt, ...followUp } = row
  return { ...followUp, isDeleted: deletedAt !== null }
}

/**
 * The follow-up with a public ID.
 *
 * @throws {RequestError} `not_found` when it does not exist or belongs to another member.
 */
export async function requireFollowUp(reader: MemberReader, publicId: string): Promise<FollowUp> {
  const found = await findFollowUp(reader, followUpNumber(publicId))
  if (found?.isDeleted === false) return found
  throw new RequestError('not_found', `Follow-up ${publicId.slice(0, 20)} was not found.`, {
    hint: 'Find its follow_up_id with list_follow_ups.',
  })
}

/** Open follow-ups that are the same, by the number of the connection; null is one without a person. */
export async function findSameFollowUps(
  reader: MemberReader,
  ids: readonly (number | null)[],
  { text, dueOn, dueTime, recurrence }: Omit<FollowUpFields, 'connectionId'>,
): Promise<ReadonlyMap<number | null, FollowUp>> {
  const planned = { text, due_on: dueOn, due_time: dueTime, recurrence }
  const people = ids.filter((id) => id !== null)
  const rows = [
    ...(people.length > 0 ? await reader.all(SAME, { ids: people, ...planned }) : []),
    ...(people.length < ids.length ? await reader.all(SAME_ALONE, planned) : []),
  ]
  return new Map(rows.map((row) => [row.connectionId, row]))
}

/** Inserts an open follow-up with a new number. */
export async function createFollowUp(
  tx: MemberTransaction,
  fields: FollowUpFields,
  now: number,
): Promise<FollowUp> {
  return insertFollowUp(tx, { ...fields, countsFrom: fields.dueOn, completedAt: null }, now)
}

/** Omitted fields are unchanged. A new due date or recurrence restarts the series at the due date. */
export async function changeFollowUp(
  tx: MemberTransaction,
  before: FollowUp,
  changes: Partial<FollowUpFields>,
  now: number,
): Promise<FollowUp> {
  const changed = { ...before, ...changes }
  const isMoved = changed.dueOn !== before.dueOn || changed.recurrence !== before.recurrence
  const followUp = isMoved ? { ...changed, countsFrom: changed.dueOn } : changed
  await storeFollowUp(tx, followUp, null, now)
  if (followUp.connectionId !== before.connectionId)
    await recordSearchChanges(tx, followUpPeople(before))
  return followUp
}

/** Completes a follow-up. A recurring one gets a successor on the next future date of its series. */
export async function completeFollowUp(
  tx: MemberTransaction,
  before: FollowUp,
  { now, today }: { readonly now: number; readonly today: string },
): Promise<{ done: FollowUp; next?: FollowUp }> {
  const done = { ...before, completedAt: now }
  await storeFollowUp(tx, done, null, now)
  const after = before.dueOn > today ? before.dueOn : today
  const dueOn = nextDay(before.countsFrom, before.recurrence, after)
  if (dueOn === undefined) return { done }
  return { done, next: await insertFollowUp(tx, { ...before, dueOn }, now) }
}

/** Writes every field of an existing or deleted follow-up. If it moves, record the search change of its previous connection. */
export async function storeFollowUp(
  tx: MemberTransaction,
  followUp: FollowUp,
  deletedAt: number | null,
  now: number,
): Promise<void> {
  await tx.run(UPDATE, { ...rowOf(followUp, now), deleted_at: deletedAt })
  if (followUp.dueTime !== '') await wakeReminders(tx)
  await recordSearchChanges(tx, followUpPeople(followUp))
}

/** Whether it was due before a local time, in milliseconds as if it were UTC: on a day before, or at a time that is over. */
export function isPast({ dueOn, dueTime }: FollowUp, localNow: number): boolean {
  const today = dayAt(localNow)
  if (dueOn !== today || dueTime === '') return dueOn < today
  return dueTime < timeOfDay((localNow % DAY) / MINUTE)
}

/** The number of its connection, if it has one. */
export function followUpPeople({ connectionId }: Pick<FollowUp, 'connectionId'>): number[] {
  return connectionId === null ? [] : [connectionId]
}

/** Such as `f_12`. */
export function publicFollowUpId(followUpId: number): string {
  return formatPublicId('f', followUpId)
}

/** The follow-up's number; 0, which is never used, if the text is not a follow-up ID. */
export function followUpNumber(publicId: string): number {
  return parsePublicId('f', publicId) ?? 0
}

async function insertFollowUp(
  tx: MemberTransaction,
  fields: Omit<FollowUp, 'followUpId'>,
  now: number,
): Promise<FollowUp> {
  const [added] = await addFollowUps(tx, [{ ...fields, createdAt: now, updatedAt: now }])
  if (!added) throw new Error('no follow-up was added')
  await recordSearchChanges(tx, followUpPeople(added))
  return added
}

/** Inserts them in order, with new numbers. The caller records the search changes. */
export async function addFollowUps(
  tx: MemberTransaction,
  followUps: readonly Omit<StoredFollowUp, 'followUpId'>[],
): Promise<StoredFollowUp[]> {
  if (followUps.length === 0) return []
  const first = await reserveNumbers(tx, 'last_follow_up', followUps.length)
  const numbered = followUps.map((one, index) => ({ ...one, followUpId: first + index }))
  await insertFollowUps(tx, numbered)
  return numbered
}

/** Inserts them with their existing numbers. The caller records the search changes. */
export async function insertFollowUps(
  tx: MemberTransaction,
  followUps: readonly StoredFollowUp[],
): Promise<void> {
  await insertRows(
    tx,
    'follow_ups',
    followUps.map((one) => Object.assign(rowOf(one, one.updatedAt), { created_at: one.createdAt })),
  )
  if (followUps.some(({ dueTime }) => dueTime !== '')) await wakeReminders(tx)
}

/** The columns that change. */
function rowOf(followUp: FollowUp, updatedAt: number) {
  return {
    follow_up_id: followUp.followUpId,
    connection_id: followUp.connectionId,
    text: followUp.text,
    due_on: followUp.dueOn,
    due_time: followUp.dueTime,
    recurrence: followUp.recurrence,
    counts_from: followUp.countsFrom,
    completed_at: followUp.completedAt,
    updated_at: updatedAt,
  }
}

export const FOLLOW_UP_COLUMNS = asProperties(
  'f.follow_up_id, f.connection_id, f.text, f.due_on, f.due_time, f.recurrence, f.counts_from, f.completed_at',
)

/** Those that are not deleted, with their connection `c` if they have one. Omits those of deleted connections. */
export const FOLLOW_UPS_WITH_PEOPLE = `follow_ups f
    left join connections c on c.member_id = :member_id and c.connection_id = f.connection_id
    where f.member_id = :member_id and f.deleted_at is null
      and (f.connection_id is null or (c.connection_id is not null and c.deleted_at is null))` as const

/** By primary key. */
const BY_ID = memberStatement<
  { follow_up_id: number },
  FollowUp & { readonly deletedAt: number | null }
>()(`
  select ${FOLLOW_UP_COLUMNS}, f.deleted_at as "deletedAt" from follow_ups f
  where f.member_id = :member_id and f.follow_up_id = :follow_up_id`)

type Planned = Readonly<Record<'text' | 'due_on' | 'due_time' | 'recurrence', string>>

const SAME_PLAN =
  `f.text = :text and f.due_on = :due_on and f.due_time = :due_time and f.recurrence = :recurrence
    and f.completed_at is null and f.deleted_at is null` as const

/** By follow_ups_by_connection. */
const SAME = memberStatement<Planned & { readonly ids: readonly number[] }, FollowUp>()(`
  select ${FOLLOW_UP_COLUMNS} from follow_ups f each (connection_id = :ids...bigint)
  where f.member_id = :member_id and ${SAME_PLAN}`)

/** By follow_ups_by_day. */
const SAME_ALONE = memberStatement<Planned, FollowUp>()(`
  select ${FOLLOW_UP_COLUMNS} from follow_ups f
  where f.member_id = :member_id and f.connection_id is null and ${SAME_PLAN}`)

const UPDATE = memberStatement<
  ReturnType<typeof rowOf> & { readonly deleted_at: number | null }
>()(`
  update follow_ups set connection_id = :connection_id, text = :text, due_on = :due_on, due_time = :due_time,
    recurrence = :recurrence, counts_from = :counts_from, completed_at = :completed_at, updated_at = :updated_at, deleted_at = :deleted_at
  where member_id = :member_id and follow_up_id = :follow_up_id`)
