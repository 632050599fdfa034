/** One sync of a calendar: fetches it if it has changed, stores its meetings, and records past ones as interactions. */

import { t } from '../../languages/message.ts'
import { localTimeAt } from '../../base/calendar-day.ts'
import { DAY, HOUR, MINUTE, type Clock } from '../../base/clock.ts'
import { CalendarError } from '../../calendar/calendar-error.ts'
import { readCalendarInThread } from '../../calendar/read-in-thread.ts'
import { emailKey } from '../../contact-files/contact/contact-keys.ts'
import { memberStatement } from '../../db/statement.ts'
import { recordChange } from '../../tools/activity.ts'
import { syncChangeOf } from '../interactions/interaction-changes.ts'
import { syncInteractions, type SyncedInteraction } from '../interactions/sync-interactions.ts'
import { findPresent } from '../model/connection-store.ts'
import { findByKeys } from '../model/key-store.ts'
import {
  calendarSource,
  listSyncedKeys,
  readOwnEmails,
  recordSync,
  unsealAddress,
  type Calendar,
  type SyncState,
} from './calendar-store.ts'
import { listPastMeetings, storeMeetings } from './meeting-store.ts'
import { countedMeetings, type StoredMeeting } from './counted-meetings.ts'
import { fetchCalendar } from './fetch-calendar.ts'
import type { OutgoingPool } from '../../base/concurrency/outgoing-pool.ts'
import type { Database, MemberReader, MemberTransaction } from '../../db/database.ts'
import type { FetchPolicy } from '../../http/public-fetch/public-fetch.ts'

export interface CalendarDeps {
  readonly database: Database
  readonly clock: Clock
  /** The secret with which addresses are sealed. Throws a RequestError if the service has none. */
  readonly sealSecret: () => string
  readonly outgoing: OutgoingPool
  /** By default only public addresses. */
  readonly fetchPolicy?: Partial<FetchPolicy>
}

/** What calendars need beside the database. One per process. */
export type CalendarAccess = Omit<CalendarDeps, 'database' | 'clock'>

export const SYNC_INTERVAL_MS = 30 * MINUTE
/** After that many failures in a row, a calendar is no longer read. The pauses between them double up to a day. */
export const MAX_FAILURES = 8
const MAX_PAUSE_MS = DAY

/** The meetings that are read: enough for the past quarter and the next month. */
const PAST_MS = 90 * DAY
const FUTURE_MS = 30 * DAY
/** An unchanged calendar is read again after this time, because its series reach into new days. */
const REREAD_MS = 20 * HOUR

/** Meetings that become interactions in one transaction. */
const BATCH = 200

/** Returns the new state of the calendar; its `error` says why it could not be read. */
export async function syncCalendar(
  deps: CalendarDeps,
  memberId: number,
  calendar: Calendar,
): Promise<SyncState> {
  const now = deps.clock.now()
  const db = deps.database.member(memberId)
  const state: ReadState = await readChanges(deps, memberId, calendar, now).catch(
    (error: unknown) => {
      if (error instanceof CalendarError) return failedState(calendar, error.message, now)
      throw error
    },
  )
  await db.write(async (tx) => {
    const { meetings, ...stored } = state
    if (meetings) await storeMeetings(tx, calendar.calendarId, meetings)
    await recordSync(tx, calendar.calendarId, stored)
  })
  if (state.error === null) await recordInteractions(deps, memberId, { ...calendar, ...state }, now)
  return state
}

type ReadState = SyncState & { readonly meetings?: readonly StoredMeeting[] }

async function readChanges(
  { database, sealSecret, outgoing, fetchPolicy = {} }: CalendarDeps,
  memberId: number,
  calendar: Calendar,
  now: number,
): Promise<ReadState> {
  const db = database.member(memberId)
  const address = unsealAddress(sealSecret(), memberId, calendar.address)
  if (address === undefined)
    throw new CalendarError(
      t('has an address that can no longer be decrypted. Disconnect it and add it again'),
    )
  const isOld = calendar.readAt === null || calendar.readAt < now - REREAD_MS
  const validators = isOld ? { etag: null, lastModified: null } : calendar
  const url = new URL(address)
  const { bytes, etag, lastModified } = await outgoing.run({ memberId, host: url.host }, (permit) =>
    fetchCalendar(permit, url, validators, fetchPolicy),
  )
  const synced = { error: null, failures: 0, nextSyncAt: now + SYNC_INTERVAL_MS, syncedAt: now }
  const fetched = { ...synced, etag, lastModified }
  if (!bytes) {
    const { name, readAt, coversFrom } = calendar
    return { ...fetched, name, readAt, coversFrom }
  }
  const { own, timeZone } = await readMember(db)
  const window = { from: now - PAST_MS, to: now + FUTURE_MS, timeZone }
  const reading = await readCalendarInThread({ bytes, window }, { memberId })
  return {
    ...fetched,
    name: calendar.name === '' ? (reading.name ?? url.host) : calendar.name,
    readAt: now,
    coversFrom: reading.meetings[0]?.startsAt ?? null,
    meetings: countedMeetings(reading.meetings, own),
  }
}

function failedState(calendar: Calendar, reason: string, now: number): SyncState {
  const { name, etag, lastModified, readAt, coversFrom, syncedAt } = calendar
  const failures = calendar.failures + 1
  const pause = Math.min(SYNC_INTERVAL_MS * 2 ** (failures - 1), MAX_PAUSE_MS)
  const nextSyncAt = failures >= MAX_FAILURES ? null : now + pause
  const error = t('The calendar {reason}.', { reason })
  return { name, etag, lastModified, readAt, coversFrom, syncedAt, failures, nextSyncAt, error }
}

/** The member's addresses in lowercase, and the zone of times that name none. */
async function readMember(
  reader: MemberReader,
): Promise<{ readonly own: ReadonlySet<string>; readonly timeZone: string }> {
  const [member, others] = await Promise.all([reader.get(MEMBER, {}), readOwnEmails(reader)])
  const own = [...(member?.email ? [member.email] : []), ...others]
  return {
    own: new Set(own.map((email) => email.toLowerCase())),
    timeZone: member?.time_zone ?? 'UTC',
  }
}

/** Removes interactions only after the calendar's first meeting, because some services list few past days. */
async function recordInteractions(
  { database }: CalendarDeps,
  memberId: number,
  { calendarId, name, coversFrom }: Pick<Calendar, 'calendarId' | 'name' | 'coversFrom'>,
  now: number,
): Promise<void> {
  const db = database.member(memberId)
  const source = calendarSource(calendarId)
  const past = await listPastMeetings(db, calendarId, now)
  const from = Math.max(now - PAST_MS, coversFrom ?? now)
  const kept = new Set<string>()
  const write = (
    work: (tx: MemberTransaction) => Promise<Parameters<typeof syncInteractions>[1]>,
  ) =>
    db.write(
      async (tx) => {
        const changes = await syncInteractions(tx, await work(tx), now)
        if (changes.length === 0) return
        const by = { credentialId: null, actor: `Calendar ${name}`, now }
        await recordChange(tx, by, syncChangeOf(source, changes))
      },
      { bulk: true },
    )
  for (let first = 0; first < past.length; first += BATCH)
    await write(async (tx) => {
      const upsert = await interactionsOf(tx, past.slice(first, first + BATCH))
      for (const { sourceKey } of upsert) kept.add(sourceKey)
      return { source, upsert }
    })
  await write(async (tx) => {
    // Local times are up to a day from UTC.
    const keys = await listSyncedKeys(tx, calendarId, from + DAY)
    return { source, remove: keys.filter((key) => !kept.has(key)) }
  })
}

/** The meetings with people who are connections. An address that several have identifies none of them. */
async function interactionsOf(
  tx: MemberTransaction,
  meetings: readonly StoredMeeting[],
): Promise<SyncedInteraction[]> {
  const emails = meetings.flatMap(({ people }) => people.map(({ email }) => email))
  const known = await findByEmail(tx, emails)
  return meetings.flatMap(({ key, title, startsAt, timeZone, people }) => {
    const ids = new Set(people.flatMap(({ email }) => known.get(email) ?? []))
    if (ids.size === 0) return []
    return {
      sourceKey: key,
      kind: 'meeting' as const,
      direction: null,
      subject: title,
      localAt: localTimeAt(timeZone, startsAt),
      happenedAt: startsAt,
      zone: timeZone,
      people: [...ids].toSorted((one, other) => one - other),
    }
  })
}

/** Numbers of the connections by address. One that several have is left out, or with `isSharedKnown` is that of the first. */
export async function findByEmail(
  reader: MemberReader,
  emails: readonly string[],
  { isSharedKnown = false } = {},
): Promise<ReadonlyMap<string, number>> {
  const found = await findByKeys(reader, emails.map(emailKey))
  const present = await findPresent(
    reader,
    found.map(({ connection_id }) => connection_id),
  )
  const idsByKey = new Map<string, Set<number>>()
  for (const { key, connection_id } of found) {
    const connection = present.get(connection_id)
    if (connection?.deletedAt !== null) continue
    const ids = idsByKey.get(key) ?? new Set()
    idsByKey.set(key, ids.add(connection.connectionId))
  }
  return new Map(
    emails.flatMap((email) => {
      const [id, ...others] = idsByKey.get(emailKey(email)) ?? []
      return id === undefined || (others.length > 0 && !isSharedKnown) ? [] : [[email, id] as const]
    }),
  )
}

const MEMBER = memberStatement<object, { email: string | null; time_zone: string | null }>()(
  'select email, time_zone from members where member_id = :member_id',
)
