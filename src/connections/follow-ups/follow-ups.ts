/** Follow-ups: things a member plans to do by a date, with a connection or with none, once or recurring. */

import { dayAt } from '../../dates/calendar-day.ts'
import { timeOfDay } from '../../dates/time-of-day.ts'
import { DAY, MINUTE } from '../../base/clock.ts'
import { column, selected } from '../../records/columns.ts'
import { loggedTime } from '../../records/logged-state.ts'
import {
  addRow,
  recordedTable,
  requireRow,
  type DraftIn,
  type RowIn,
} from '../../records/recorded-table.ts'
import { undoerOf } from '../../records/undo-rows.ts'
import { formatPublicId } from '../../base/public-id.ts'
import { firstDay, type Recurrence, recurrenceRule } from '../../dates/recurrence.ts'
import { wakeReminders } from '../../tools/wake-reminders.ts'
import { loggedPerson } from '../model/connection.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export const FOLLOW_UPS = recordedTable({
  table: 'follow_ups',
  key: 'followUpId',
  counter: 'last_follow_up',
  prefix: 'f',
  noun: 'follow_up',
  plural: 'follow_ups',
  title: 'Follow-up',
  listedBy: 'list_follow_ups',
  actions: {
    add: 'follow_up.set',
    change: 'follow_up.set',
    complete: 'follow_up.complete',
    remove: 'follow_up.delete',
    several: 'follow_ups.set',
  },
  isKept: true,
  columns: {
    followUpId: column<number>(),
    /** Null for a to-do without a person. */
    connectionId: column<number | null>(),
    text: column<string>(),
    /** YYYY-MM-DD */
    dueOn: column<string>(),
    /** HH:MM in the time zone in which the member is; empty if any time of the day will do. */
    dueTime: column<string>(),
    recurrence: column<Recurrence>(),
    /** Start date of the recurring series: the first due date, or the date it was moved to. */
    countsFrom: column<string>(),
    completedAt: column<number | null>(),
    createdAt: column<number>(),
    updatedAt: column<number>(),
  },
  logged: {
    // The person of each is in the title of an entry about several.
    connection_id: { ...loggedPerson('connectionId'), isAlways: true },
    text: 'text',
    due_on: 'dueOn',
    due_time: 'dueTime',
    recurrence: 'recurrence',
    counts_from: 'countsFrom',
    completed_at: loggedTime('completedAt'),
  },
  people: followUpPeople,
  conflict: (id, fields) => (fields.length > 0 ? `${id}: ${fields.join(', ')}` : id),
  async written(tx, { changes, people }) {
    if (changes.some(({ after }) => after.dueTime !== '')) await wakeReminders(tx)
    await recordSearchChanges(tx, people)
  },
})

export type FollowUp = RowIn<typeof FOLLOW_UPS>

/** The fields that a member sets. */
export type FollowUpFields = Pick<
  FollowUp,
  'connectionId' | 'text' | 'dueOn' | 'dueTime' | 'recurrence'
>

/** What is planned with each person. */
export type FollowUpPlan = Omit<FollowUpFields, 'connectionId'>

/** Also reverts entries about several, and the next follow-up of a recurring one that was completed. */
export const followUpUndoer = undoerOf(FOLLOW_UPS)

/** @throws {RequestError} `not_found` when it does not exist or belongs to another member. */
export function requireFollowUp(reader: MemberReader, publicId: string): Promise<FollowUp> {
  return requireRow(FOLLOW_UPS, reader, publicId)
}

/** An open follow-up that is not stored yet. */
export function newFollowUp(fields: FollowUpFields, now: number): DraftIn<typeof FOLLOW_UPS> {
  const dueOn = firstDay(fields.dueOn, fields.recurrence)
  return { ...fields, dueOn, countsFrom: dueOn, completedAt: null, createdAt: now }
}

/** Stores a new open follow-up. */
export function createFollowUp(
  tx: MemberTransaction,
  fields: FollowUpFields,
  now: number,
): Promise<FollowUp> {
  return addRow(FOLLOW_UPS, tx, newFollowUp(fields, now), now)
}

/**
 * A follow-up with some other fields. A new due date or recurrence restarts the series at the due date. A new recurrence on a
 * weekday begins there on or after the due date; without one, a due date on another weekday moves only this follow-up.
 */
export function withFields(before: FollowUp, fields: Partial<FollowUpFields>): FollowUp {
  const changed = { ...before, ...fields }
  const isOther = changed.recurrence !== before.recurrence
  const after = isOther
    ? { ...changed, dueOn: firstDay(changed.dueOn, changed.recurrence) }
    : changed
  const isMoved = after.dueOn !== before.dueOn || after.recurrence !== before.recurrence
  return isMoved ? { ...after, countsFrom: after.dueOn } : after
}

/** Whether it was due before a local time, in milliseconds as if it were UTC: on a day before, or at a time that is over. */
export function isPast({ dueOn, dueTime }: FollowUp, localNow: number): boolean {
  const today = dayAt(localNow)
  if (dueOn !== today || dueTime === '') return dueOn < today
  return dueTime < timeOfDay((localNow % DAY) / MINUTE)
}

/** The rule of its series for calendars. Undefined for a follow-up that was moved off the weekday of its series. */
export function calendarRuleOf({ dueOn, countsFrom, recurrence }: FollowUp): string | undefined {
  return firstDay(dueOn, recurrence) === dueOn ? recurrenceRule(countsFrom, recurrence) : undefined
}

/** The number of its connection, if it has one. */
export function followUpPeople({
  connectionId,
}: {
  readonly connectionId: number | null
}): number[] {
  return connectionId === null ? [] : [connectionId]
}

/** Such as `f_12`. */
export function publicFollowUpId(followUpId: number): string {
  return formatPublicId('f', followUpId)
}

export const FOLLOW_UP_COLUMNS = selected(FOLLOW_UPS.columns, 'f')

/** Follow-ups that are not deleted, with their connection `c` if they have one. Omits follow-ups of deleted connections. */
export const FOLLOW_UPS_WITH_PEOPLE = `follow_ups f
    left join connections c on c.member_id = :member_id and c.connection_id = f.connection_id
    where f.member_id = :member_id and f.deleted_at is null
      and (f.connection_id is null or (c.connection_id is not null and c.deleted_at is null))` as const
