/** Pages of follow-ups with the names of their connections, if they have one. */

import { dayAt } from '../../dates/calendar-day.ts'
import { timeOfDay } from '../../dates/time-of-day.ts'
import { DAY, MINUTE } from '../../base/clock.ts'
import { readCursor, writeCursor } from '../../base/cursor.ts'
import { memberStatement } from '../../db/statement.ts'
import { FOLLOW_UP_COLUMNS, FOLLOW_UPS_WITH_PEOPLE, type FollowUp } from './follow-ups.ts'
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

interface FollowUpPage {
  readonly followUps: readonly ListedFollowUp[]
  readonly hasMore: boolean
  /** The cursor of the page that starts after the follow-up at `index`. */
  cursorAfter(index: number): string
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
): Promise<FollowUpPage> {
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
  return {
    followUps: rows
      .slice(0, limit)
      .map(({ name, photo, ...followUp }) => ({ followUp, name, photo })),
    hasMore: rows.length > limit,
    cursorAfter(index) {
      const row = rows[index]
      return writeCursor(question, [row?.dueOn ?? '', row?.dueTime ?? '', row?.followUpId ?? 0])
    },
  }
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
