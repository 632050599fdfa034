/** Reads follow-ups: pages of them, how many are due, and those with a time of day. */

import { dayAt, startOfDay } from '../../dates/calendar-day.ts'
import { timeOfDay } from '../../dates/time-of-day.ts'
import { DAY, MINUTE, HOUR } from '../../base/clock.ts'
import { pageFrom, readCursor, type Page } from '../../base/cursor.ts'
import { memberStatement } from '../../db/statement.ts'
import { FOLLOW_UP_COLUMNS, FOLLOW_UPS_WITH_PEOPLE, type FollowUp } from './follow-ups.ts'
import { instantAt, localTimeAt } from '../../dates/time-zone.ts'
import type { MemberReader } from '../../db/database.ts'

export const STATUSES = ['open', 'done', 'all'] as const
type FollowUpStatus = (typeof STATUSES)[number]

interface FollowUpQuery {
  readonly status: FollowUpStatus
  /** YYYY-MM-DD: only open follow-ups due on that date or later. */
  readonly dueFrom?: string
  /** YYYY-MM-DD: only follow-ups due before that date. */
  readonly dueBefore?: string
  /** HH:MM: also those that are due on that date at an earlier time. */
  readonly dueBeforeTime?: string
  /** Numbers of connections; everyone by default. */
  readonly people?: readonly number[]
}

export interface ListedFollowUp {
  readonly followUp: FollowUp
  /** Null for a to-do without a person. */
  readonly name: string | null
  /** The ID of the person's photo. */
  readonly photo?: string | null
}

/** Limits a list to follow-ups that were due before a local time, in milliseconds as if it were UTC. */
export function dueBefore(localNow: number): Pick<FollowUpQuery, 'dueBefore' | 'dueBeforeTime'> {
  return { dueBefore: dayAt(localNow), dueBeforeTime: timeOfDay((localNow % DAY) / MINUTE) }
}

/**
 * Sorted by due date and time, those without a time first: next first, or latest first for completed ones. Omits those of
 * deleted connections.
 */
export async function listFollowUps(
  reader: MemberReader,
  query: FollowUpQuery,
  limit: number,
  cursor?: string,
): Promise<Page<ListedFollowUp>> {
  const question = [reader.memberId, 'follow-ups', query]
  const [day, time, id] =
    cursor === undefined
      ? startOf(query)
      : readCursor(question, cursor, ['string', 'string', 'number'])
  const rows = await reader.all(LISTS[query.status], {
    day,
    time,
    id,
    due_before: query.dueBefore ?? LAST_DAY,
    before_time: query.dueBeforeTime ?? '',
    everyone: query.people === undefined ? 1 : 0,
    people: query.people ?? [],
    limit: limit + 1,
  })
  const page = pageFrom(rows, limit, question, (row) => [row.dueOn, row.dueTime, row.followUpId])
  const entries = page.entries.map(({ name, photo, ...followUp }) => ({ followUp, name, photo }))
  return { ...page, entries }
}

/** After every date. */
const LAST_DAY = '9999-99-99'

type Position = readonly [day: string, time: string, id: number]

function startOf({ status, dueFrom }: FollowUpQuery): Position {
  return status === 'open' && dueFrom !== undefined ? [dueFrom, '', 0] : START_POSITIONS[status]
}

/** The position before the first entry of each list. */
const START_POSITIONS: Record<FollowUpStatus, Position> = {
  open: ['', '', 0],
  done: [LAST_DAY, '', 0],
  all: ['', '', 0],
}

interface ListParams {
  readonly day: string
  readonly time: string
  readonly id: number
  readonly due_before: string
  readonly before_time: string
  readonly everyone: 0 | 1
  readonly people: readonly number[]
  readonly limit: number
}

type ListRow = FollowUp & Readonly<Record<'name' | 'photo', string | null>>

const LISTED = `select ${FOLLOW_UP_COLUMNS}, c.name, c.photo from ${FOLLOW_UPS_WITH_PEOPLE}
      and f.due_on <= :due_before and (f.due_on < :due_before or (f.due_time > '' and f.due_time < :before_time))
      and (:everyone = 1 or f.connection_id in (:people...bigint))` as const

/** By index follow_ups_by_day; each scan stops when the page is full. */
const LISTS = {
  open: memberStatement<ListParams, ListRow>()(`${LISTED}
      and f.completed_at is null and (f.due_on, f.due_time, f.follow_up_id) > (:day, :time, :id)
    order by f.due_on, f.due_time, f.follow_up_id limit :limit`),
  done: memberStatement<ListParams, ListRow>()(`${LISTED}
      and f.completed_at is not null and (f.due_on, f.due_time, f.follow_up_id) < (:day, :time, :id)
    order by f.due_on desc, f.due_time desc, f.follow_up_id desc limit :limit`),
  all: memberStatement<ListParams, ListRow>()(`${LISTED}
      and (f.due_on, f.due_time, f.follow_up_id) > (:day, :time, :id)
    order by f.due_on, f.due_time, f.follow_up_id limit :limit`),
} as const

const MAX_TIMED = 100
/** When clocks are set back, a local time is earlier than one that has passed. */
const MAX_CLOCK_CHANGE_MS = 2 * HOUR

interface TimedQuery {
  readonly timeZone: string
  readonly after: number
}

/** Open ones that became due after `after` and not after `until`. Milliseconds. */
export async function listTimedFollowUps(
  reader: MemberReader,
  { until, ...query }: TimedQuery & { readonly until: number },
): Promise<ListedFollowUp[]> {
  const timed = await readTimed(reader, query)
  return timed.filter(({ at }) => at <= until)
}

/** When the next one is due; undefined if there is none. */
export async function nextTimedFollowUp(
  reader: MemberReader,
  query: TimedQuery,
): Promise<number | undefined> {
  const times = (await readTimed(reader, query)).map(({ at }) => at)
  return times.length === 0 ? undefined : Math.min(...times)
}

async function readTimed(reader: MemberReader, { timeZone, after }: TimedQuery) {
  const from = localTimeAt(timeZone, after) - MAX_CLOCK_CHANGE_MS
  const time = new Date(from).toISOString().slice(11, 16)
  const rows = await reader.all(TIMED, { day: dayAt(from), time, limit: MAX_TIMED })
  return rows
    .map(({ name, ...followUp }) => ({ followUp, name, at: dueAt(followUp, timeZone) }))
    .filter(({ at }) => at > after)
}

/** The moment at which a follow-up with a time is due. */
export function dueAt(
  { dueOn, dueTime }: Pick<FollowUp, 'dueOn' | 'dueTime'>,
  timeZone: string,
): number {
  const [hours = 0, minutes = 0] = dueTime.split(':').map(Number)
  return instantAt(timeZone, startOfDay(dueOn) + hours * HOUR + minutes * MINUTE)
}

/** By index follow_ups_by_day, which has the time. */
const TIMED = memberStatement<
  { day: string; time: string; limit: number },
  FollowUp & { readonly name: string | null }
>()(`
  select ${FOLLOW_UP_COLUMNS}, c.name from ${FOLLOW_UPS_WITH_PEOPLE}
    and (f.due_on, f.due_time) >= (:day, :time) and f.due_time > '' and f.completed_at is null
  order by f.due_on, f.due_time, f.follow_up_id limit :limit`)
