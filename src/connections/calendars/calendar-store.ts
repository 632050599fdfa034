/** Calendars that a member has connected. */

import { deleteRow, updateRow } from '../../db/change-row.ts'
import { insertRow } from '../../db/insert-row.ts'
import { t } from '../../languages/message.ts'
import { MINUTE } from '../../base/clock.ts'
import { reserveNumbers } from '../../tools/network-numbers.ts'
import { dueStateOf } from '../../db/due-rows.ts'
import { RequestError } from '../../base/request-error.ts'
import { asProperties, memberStatement, serviceStatement } from '../../db/statement.ts'
import { deleteMeetings } from '../meetings/meeting-store.ts'
import type { MemberReader, MemberTransaction, Reader } from '../../db/database.ts'

/** Calendars that a member can connect. */
export const MAX_CALENDARS = 5

export interface Calendar {
  readonly calendarId: number
  readonly name: string
  /** The host and the last characters of the address, which is a secret. */
  readonly addressHint: string
  /** Why the last sync failed, for `problemText`; null if it succeeded. */
  readonly error: string | null
  readonly failures: number
  /** Null if syncing has stopped. */
  readonly nextSyncAt: number | null
  readonly syncedAt: number | null
  readonly createdAt: number
  /** Sealed. */
  readonly address: string
  readonly etag: string | null
  readonly lastModified: string | null
  /** When the calendar was last read completely. */
  readonly readAt: number | null
  /** The greatest age of an event that it has listed, except series. Milliseconds. */
  readonly keptFor: number
}

/** A calendar with what it brought. */
export interface ListedCalendar extends Calendar {
  /** Meetings that have become interactions. */
  readonly interactions: number
  readonly upcoming: number
}

/** Such as `calendar:3`: the source of its interactions. */
export function calendarSource(calendarId: number): string {
  return `calendar:${calendarId}`
}

/** In the order in which they were added. */
export async function listCalendars(reader: MemberReader, now: number): Promise<ListedCalendar[]> {
  const [calendars, counts, upcoming] = await Promise.all([
    reader.all(CALENDARS, {}),
    reader.all(INTERACTIONS_BY_SOURCE, {}),
    reader.all(UPCOMING, { now }),
  ])
  const bySource = new Map(counts.map(({ source, count }) => [source, count]))
  const byCalendar = new Map(upcoming.map(({ calendar_id, count }) => [calendar_id, count]))
  return calendars.map((calendar) =>
    Object.assign(calendar, {
      interactions: bySource.get(calendarSource(calendar.calendarId)) ?? 0,
      upcoming: byCalendar.get(calendar.calendarId) ?? 0,
    }),
  )
}

/** @throws {RequestError} `not_found` when the member has no such calendar. */
export async function requireCalendar(reader: MemberReader, calendarId: number): Promise<Calendar> {
  const calendar = await reader.get(CALENDAR, { calendar_id: calendarId })
  if (calendar) return calendar
  throw new RequestError('not_found', t('Calendar not found.'), {
    hint: t('It may have been disconnected. List your calendars.'),
  })
}

/**
 * Adds a calendar for the caller to sync. Regular syncs take over if the caller does not. `isSame` tells whether a sealed address is that of the new calendar.
 *
 * @throws {RequestError} `conflict` when the calendar is connected, or the member has the maximum number of calendars.
 */
export async function addCalendar(
  tx: MemberTransaction,
  calendar: Pick<Calendar, 'name' | 'address' | 'addressHint'>,
  { now, isSame }: { readonly now: number; readonly isSame: (sealed: string) => boolean },
): Promise<number> {
  const existing = await tx.all(CALENDARS, {})
  if (existing.some(({ address }) => isSame(address)))
    throw new RequestError('conflict', t('This calendar is already connected.'), {
      hint: t('Select Sync now to read it again.'),
    })
  if (existing.length >= MAX_CALENDARS)
    throw new RequestError(
      'conflict',
      t('You can connect at most {max} calendars.', { max: MAX_CALENDARS }),
      {
        hint: t('Disconnect one first.'),
      },
    )
  const { name, address, addressHint } = calendar
  const calendarId = await reserveNumbers(tx, 'last_calendar')
  const times = { nextSyncAt: now + LEASE_MS, createdAt: now }
  await insertRow(tx, 'calendars', { calendarId, name, address, addressHint, ...times })
  return calendarId
}

export type SyncState = Pick<
  Calendar,
  | 'name'
  | 'etag'
  | 'lastModified'
  | 'error'
  | 'failures'
  | 'nextSyncAt'
  | 'syncedAt'
  | 'readAt'
  | 'keptFor'
>

/** Stores the result of a sync, and lets other processes sync the calendar again. */
export async function recordSync(
  tx: MemberTransaction,
  calendarId: number,
  { name, etag, lastModified, error, failures, nextSyncAt, syncedAt, readAt, keptFor }: SyncState,
): Promise<void> {
  const state = { name, etag, lastModified, error, failures, nextSyncAt, syncedAt, readAt, keptFor }
  await updateRow(tx, 'calendars', { calendarId }, { ...state, leasedUntil: 0 })
}

/** Another process may sync a calendar that one has not finished after this time. */
const LEASE_MS = 5 * MINUTE

/**
 * Takes a calendar, so that no one else syncs it before `recordSync` or `releaseCalendar`. Undefined if someone else has
 * taken it, or it is no longer due; with `always`, it need not be due.
 */
export async function claimCalendar(
  tx: MemberTransaction,
  calendarId: number,
  { now, always }: { readonly now: number; readonly always: boolean },
): Promise<Calendar | undefined> {
  const due_at = always ? NEVER : now
  return tx.get(CLAIM, {
    calendar_id: calendarId,
    due_at,
    never: NEVER,
    now,
    until: now + LEASE_MS,
  })
}

const NEVER = Number.MAX_SAFE_INTEGER

/** Gives a calendar back without a sync. */
export async function releaseCalendar(tx: MemberTransaction, calendarId: number): Promise<void> {
  await updateRow(tx, 'calendars', { calendarId }, { leasedUntil: 0 })
}

interface DueCalendar {
  readonly memberId: number
  readonly calendarId: number
  readonly addressHint: string
}

/** All members' calendars that are due and not yet taken, longest overdue first. */
export async function findDueCalendars(
  database: Reader,
  now: number,
  limit: number,
): Promise<readonly DueCalendar[]> {
  return database.all(DUE, { now, limit })
}

export async function removeCalendar(tx: MemberTransaction, calendarId: number): Promise<void> {
  await deleteMeetings(tx, calendarId)
  await deleteRow(tx, 'calendars', { calendarId })
}

interface SyncedMeeting {
  readonly key: string
  readonly startsAt: number
}

/** Present interactions that a calendar brought and that began at `from` or later. */
export async function listSynced(
  reader: MemberReader,
  calendarId: number,
  from: number,
): Promise<readonly SyncedMeeting[]> {
  return reader.all(SYNCED, { source: calendarSource(calendarId), from })
}

const CALENDAR_COLUMNS = asProperties(
  `calendar_id, name, address, address_hint, etag, last_modified, error, failures, next_sync_at, synced_at, read_at,
   kept_for, created_at`,
)

/** By primary key, as the next one. */
const CALENDARS = memberStatement<object, Calendar>()(`
  select ${CALENDAR_COLUMNS} from calendars where member_id = :member_id order by calendar_id`)

const CALENDAR = memberStatement<{ calendar_id: number }, Calendar>()(`
  select ${CALENDAR_COLUMNS} from calendars
  where member_id = :member_id and calendar_id = :calendar_id`)

/** By index interactions_by_source. */
const INTERACTIONS_BY_SOURCE = memberStatement<object, { source: string; count: number }>()(`
  select source, count(*) as count from interactions
  where member_id = :member_id and source >= 'calendar:' and source < 'calendar;'
    and source_key is not null and deleted_at is null
  group by source`)

/** By index calendar_meetings_by_start. */
const UPCOMING = memberStatement<{ now: number }, { calendar_id: number; count: number }>()(`
  select calendar_id, count(*) as count from calendar_meetings
  where member_id = :member_id and starts_at >= :now group by calendar_id`)

const CLAIM = memberStatement<
  { calendar_id: number; due_at: number; never: number; now: number; until: number },
  Calendar
>()(`
  update calendars set leased_until = :until
  where member_id = :member_id and calendar_id = :calendar_id and leased_until <= :now
    and coalesce(next_sync_at, :never) <= :due_at
  returning ${CALENDAR_COLUMNS}`)

/** By index calendars_by_next_sync. */
const DUE = serviceStatement<{ now: number; limit: number }, DueCalendar>(`
  select ${asProperties('member_id, calendar_id, address_hint')} from calendars
  where next_sync_at <= :now and leased_until <= :now order by next_sync_at limit :limit`)

/** By index interactions_by_source. */
const SYNCED = memberStatement<{ source: string; from: number }, SyncedMeeting>()(`
  select source_key as key, happened_at as "startsAt" from interactions
  where member_id = :member_id and source = :source and source_key is not null
    and happened_at >= :from and deleted_at is null`)

/** Also counts calendars that are being synced. */
export const readCalendarState = dueStateOf('calendars', 'next_sync_at')

/** By primary key, newest members first. */
export const SEALED_ADDRESSES = serviceStatement<
  { limit: number },
  { memberId: number; sealed: string }
>(`
  select member_id as "memberId", address as sealed from calendars
  order by member_id desc, calendar_id desc limit :limit`)
