/** A member's reminders as a calendar that other apps subscribe to, at a secret address. */

import { updateRow } from '../db/change-row.ts'
import { dayFromCount } from '../dates/calendar-day.ts'
import { recurrenceRule } from '../dates/recurrence.ts'
import { HOUR } from '../base/clock.ts'
import { hashSecret, isWellFormedSecret, newSecret } from '../base/secrets.ts'
import {
  FOLLOW_UP_COLUMNS,
  FOLLOW_UPS_WITH_PEOPLE,
  publicFollowUpId,
  type FollowUp,
  calendarRuleOf,
} from '../connections/follow-ups/follow-ups.ts'
import { dueAt } from '../connections/follow-ups/follow-up-list.ts'
import { publicConnectionId } from '../connections/model/connection.ts'
import { asProperties, memberStatement, serviceStatement } from '../db/statement.ts'
import { connectionPath } from '../html/site-map.ts'
import { t } from '../languages/message.ts'
import { followUpPath, writeNames } from './reminder-notices.ts'
import type { CalendarEntry } from '../calendar/write-calendar.ts'
import type { LabeledDate } from '../contact-files/contact/details.ts'
import type { MemberReader, MemberTransaction, Reader } from '../db/database.ts'

export const FEED_PARTS = ['follow_ups', 'reconnects', 'birthdays', 'anniversaries'] as const
export type FeedPart = (typeof FEED_PARTS)[number]

const FEED_PREFIX = 'weft_cal_'
/** Per part. */
const MAX_ENTRIES = 5000
/** Years before it are unknown to some calendar apps. */
const FIRST_YEAR = 1970
/** For birthdays without a year; a leap year. */
const UNKNOWN_YEAR = '1972'

export interface FeedState {
  readonly isActive: boolean
  readonly parts: readonly FeedPart[]
  /** When an app last read it; null if none has. */
  readonly readAt: number | null
}

/** Whether there is an address, what the feed contains, and when it was read. */
export async function readFeedState(reader: MemberReader): Promise<FeedState> {
  const row = await reader.get(STATE, {})
  return {
    isActive: row?.feed_hash != null,
    parts: partsOf(row?.feed_content ?? '[]'),
    readAt: row?.feed_read_at ?? null,
  }
}

/** Creates an address, and revokes the one before. Only this answer contains the secret. */
export async function createFeed(
  tx: MemberTransaction,
  parts: readonly FeedPart[],
): Promise<string> {
  const secret = newSecret(FEED_PREFIX)
  await setFeed(tx, hashSecret(secret), parts)
  return secret
}

/** Changes what the feed contains; its address stays. */
export async function changeFeed(tx: MemberTransaction, parts: readonly FeedPart[]): Promise<void> {
  await updateRow(tx, 'reminder_settings', {}, { feedContent: JSON.stringify(parts) })
}

/** The address stops working at once. */
export async function revokeFeed(tx: MemberTransaction): Promise<void> {
  await setFeed(tx, null, [])
}

async function setFeed(
  tx: MemberTransaction,
  feedHash: string | null,
  parts: readonly FeedPart[],
): Promise<void> {
  const feed = { feedHash, feedContent: JSON.stringify(parts), feedReadAt: null }
  await updateRow(tx, 'reminder_settings', {}, feed)
}

/** Whether the address of the member's feed has this secret. */
export async function isFeed(reader: MemberReader, secret: string): Promise<boolean> {
  return (await reader.get(STATE, {}))?.feed_hash === hashSecret(secret)
}

/** The member whose feed has this secret. */
export async function findFeedMember(reader: Reader, secret: string): Promise<number | undefined> {
  if (!isWellFormedSecret(FEED_PREFIX, secret)) return undefined
  return (await reader.get(BY_HASH, { feed_hash: hashSecret(secret) }))?.member_id
}

/** Remembers that an app read the feed. */
export async function recordFeedRead(tx: MemberTransaction, now: number): Promise<void> {
  await tx.run(READ, { now, before: now - HOUR })
}

interface FeedContext {
  readonly publicUrl: string
  readonly timeZone: string
  readonly initialsOnly: boolean
}

/** UIDs stay the same as long as the thing exists. */
export async function listFeedEntries(
  reader: MemberReader,
  parts: readonly FeedPart[],
  context: FeedContext,
): Promise<CalendarEntry[]> {
  const lists = await Promise.all(parts.map((part) => ENTRIES[part](reader, context)))
  return lists.flat()
}

type ListEntries = (reader: MemberReader, context: FeedContext) => Promise<CalendarEntry[]>

const ENTRIES: Readonly<Record<FeedPart, ListEntries>> = {
  async follow_ups(reader, { publicUrl, timeZone, initialsOnly }) {
    const nameOf = writeNames(initialsOnly)
    const rows = await reader.all(FOLLOW_UPS, { limit: MAX_ENTRIES })
    return rows.map((row) => {
      const id = publicFollowUpId(row.followUpId)
      return {
        uid: uidOf(id, publicUrl),
        changedAt: row.updatedAt,
        start: row.dueTime === '' ? row.dueOn : dueAt(row, timeZone),
        rule: calendarRuleOf(row),
        timeZone,
        title: row.name === null ? row.text : `${nameOf(row.name)}: ${row.text}`,
        url: publicUrl + followUpPath(id),
      }
    })
  },

  async reconnects(reader, { publicUrl, initialsOnly }) {
    const nameOf = writeNames(initialsOnly)
    const rows = await reader.all(RECONNECTS, { limit: MAX_ENTRIES })
    return rows.map(({ connectionId, name, updatedAt, dueDay }) => {
      const id = publicConnectionId(connectionId)
      return {
        uid: uidOf(`reconnect-${id}`, publicUrl),
        changedAt: updatedAt,
        start: dayFromCount(dueDay),
        title: t('Get in touch with {name}', { name: nameOf(name) }),
        url: publicUrl + connectionPath(id),
      }
    })
  },

  async birthdays(reader, context) {
    const rows = await reader.all(BIRTHDAYS, { limit: MAX_ENTRIES })
    return rows.flatMap((row) =>
      yearly(row, { uid: 'birthday', date: row.birthday, title: birthdayTitle }, context),
    )
  },

  async anniversaries(reader, context) {
    const rows = await reader.all(ANNIVERSARIES, { limit: MAX_ENTRIES })
    return rows.flatMap((row) =>
      anniversariesOf(row.details).flatMap((date, index) =>
        yearly(row, { uid: `anniversary-${index}`, date, title: anniversaryTitle }, context),
      ),
    )
  },
}

function birthdayTitle(name: string): string {
  return t('{name}’s birthday', { name })
}

function anniversaryTitle(name: string): string {
  return t('{name}’s anniversary', { name })
}

interface PersonRow {
  readonly connectionId: number
  readonly name: string
  readonly updatedAt: number
}

interface YearlyDate {
  readonly uid: string
  /** YYYY-MM-DD or --MM-DD; others have no day. */
  readonly date: string
  readonly title: (name: string) => string
}

function yearly(
  { connectionId, name, updatedAt }: PersonRow,
  { uid, date, title }: YearlyDate,
  { publicUrl, initialsOnly }: FeedContext,
): CalendarEntry[] {
  const [, year = '', day] = /^(\d{4}|-)-(\d\d-\d\d)$/.exec(date) ?? []
  if (day === undefined) return []
  const isKnown = Number(year) >= FIRST_YEAR
  const start = `${isKnown ? year : UNKNOWN_YEAR}-${day}`
  const id = publicConnectionId(connectionId)
  return [
    {
      uid: uidOf(`${uid}-${id}`, publicUrl),
      changedAt: updatedAt,
      start,
      rule: recurrenceRule(start, 'yearly'),
      title: title(writeNames(initialsOnly)(name)),
      url: publicUrl + connectionPath(id),
    },
  ]
}

function anniversariesOf(details: string): string[] {
  // Written only as details of a connection.
  const { dates = [] } = JSON.parse(details) as { readonly dates?: readonly LabeledDate[] }
  return dates.filter(({ label }) => label === 'anniversary').map(({ date }) => date)
}

/** RFC 7986 section 5.3 asks for UIDs that reveal no host name, but readers of this feed know it. */
function uidOf(id: string, publicUrl: string): string {
  return `${id}@${new URL(publicUrl).hostname}`
}

function partsOf(content: string): readonly FeedPart[] {
  // Written only by this file.
  return JSON.parse(content) as FeedPart[]
}

/** By primary key, like the next statements. */
const STATE = memberStatement<
  object,
  { feed_hash: string | null; feed_content: string; feed_read_at: number | null }
>()(
  'select feed_hash, feed_content, feed_read_at from reminder_settings where member_id = :member_id',
)

const READ = memberStatement<{ now: number; before: number }>()(`
  update reminder_settings set feed_read_at = :now
  where member_id = :member_id and coalesce(feed_read_at, 0) <= :before`)

/** By index reminder_settings_by_feed. */
const BY_HASH = serviceStatement<{ feed_hash: string }, { member_id: number }>(
  'select member_id from reminder_settings where feed_hash = :feed_hash',
)

/** By index follow_ups_by_day. */
const FOLLOW_UPS = memberStatement<
  { limit: number },
  FollowUp & { readonly name: string | null; readonly updatedAt: number }
>()(`
  select ${FOLLOW_UP_COLUMNS}, c.name, f.updated_at as "updatedAt" from ${FOLLOW_UPS_WITH_PEOPLE}
    and f.completed_at is null
  order by f.due_on, f.due_time, f.follow_up_id limit :limit`)

/** By index contact_times_by_due. */
const RECONNECTS = memberStatement<{ limit: number }, PersonRow & { readonly dueDay: number }>()(`
  select ${asProperties('c.connection_id, c.name, c.updated_at, t.due_day')} from contact_times t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.due_day is not null and t.is_muted = 0 and t.basis <> 'rhythm'
    and t.next_contact_on is null and c.deleted_at is null
  order by t.due_day, t.connection_id limit :limit`)

/** By index connections_by_birthday. */
const BIRTHDAYS = memberStatement<{ limit: number }, PersonRow & { readonly birthday: string }>()(`
  select ${asProperties('c.connection_id, c.name, c.updated_at, c.birthday')} from connections c
  where c.member_id = :member_id and c.birthday is not null and c.deleted_at is null
  order by c.connection_id limit :limit`)

/** By primary key: only the details show which people have one. */
const ANNIVERSARIES = memberStatement<
  { limit: number },
  PersonRow & { readonly details: string }
>()(`
  select ${asProperties('c.connection_id, c.name, c.updated_at, c.details')} from connections c
  where c.member_id = :member_id and c.details like '%"anniversary"%' and c.deleted_at is null
  order by c.connection_id limit :limit`)
