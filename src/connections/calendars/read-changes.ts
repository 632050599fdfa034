/** Fetches a calendar if it has changed, and reads its meetings. */

import { phrase } from '../../languages/message.ts'
import { nextAttemptAt } from '../../base/concurrency/due-work.ts'
import { CalendarError, storedProblem } from '../../calendar/calendar-error.ts'
import { readCalendarInThread } from '../../calendar/read-in-thread.ts'
import { memberStatement } from '../../db/statement.ts'
import { unsealFor } from '../../deliveries/seal-for-member.ts'
import type { Calendar, SyncState } from './calendar-store.ts'
import { FUTURE_MS, PAST_MS, REREAD_MS, SYNC_INTERVAL_MS } from './sync-times.ts'
import { readOwnEmails } from './own-emails.ts'
import { countedMeetings } from './counted-meetings.ts'
import type { StoredMeeting } from '../meetings/meeting-store.ts'
import { fetchCalendar } from './fetch-calendar.ts'
import type { OutgoingPermit } from '../../base/concurrency/outgoing-pool.ts'
import type { MemberReader } from '../../db/database.ts'
import type { CalendarDeps } from './calendar-deps.ts'

/** What a complete reading brought. */
export interface FeedReading {
  readonly meetings: readonly StoredMeeting[]
  /** Keys of all events in the window, also of those that do not count. */
  readonly listed: ReadonlySet<string>
}

export interface CalendarChanges {
  /** Before the sync. */
  readonly calendar: Calendar
  /** Its `error` says why the calendar could not be read. */
  readonly state: SyncState
  /** Undefined if the calendar has not changed, or could not be read. */
  readonly reading?: FeedReading
}

/** `isComplete`: also if it has not changed. */
export async function readChanges(
  deps: CalendarDeps,
  permit: OutgoingPermit,
  read: { readonly memberId: number; readonly calendar: Calendar; readonly isComplete: boolean },
): Promise<CalendarChanges> {
  const now = deps.clock.now()
  const { calendar } = read
  try {
    return await fetchAndRead(deps, permit, { ...read, now })
  } catch (error) {
    if (error instanceof CalendarError)
      return { calendar, state: failedState(calendar, error, now) }
    throw error
  }
}

async function fetchAndRead(
  { database, sealSecret, fetchPolicy = {} }: CalendarDeps,
  permit: OutgoingPermit,
  {
    memberId,
    calendar,
    isComplete,
    now,
  }: Parameters<typeof readChanges>[2] & { readonly now: number },
): Promise<CalendarChanges> {
  const address = unsealFor(sealSecret(), memberId, calendar.address, 'calendar')
  if (address === undefined)
    throw new CalendarError({
      source: phrase(
        'has an address that can no longer be decrypted. Disconnect it and add it again',
      ),
    })
  const url = new URL(address)
  const isOld = isComplete || calendar.readAt === null || calendar.readAt < now - REREAD_MS
  const validators = isOld ? { etag: null, lastModified: null } : calendar
  const fetched = await fetchCalendar(permit, url, validators, fetchPolicy)
  const { bytes, etag, lastModified } = fetched
  const { name, readAt, keptFor } = calendar
  const synced = { error: null, failures: 0, nextSyncAt: now + SYNC_INTERVAL_MS, syncedAt: now }
  const state = { ...synced, etag, lastModified, name, readAt, keptFor }
  if (!bytes) return { calendar, state }
  const { own, timeZone } = await readMember(database.member(memberId))
  const window = { from: now - PAST_MS, to: now + FUTURE_MS, timeZone }
  const reading = await readCalendarInThread({ bytes, window }, { memberId })
  return {
    calendar,
    state: {
      ...state,
      name: name === '' ? (reading.name ?? url.host) : name,
      readAt: now,
      keptFor: Math.max(keptFor, now - (reading.reachesBackTo ?? now)),
    },
    reading: {
      meetings: countedMeetings(reading.meetings, own),
      listed: new Set(reading.meetings.map(({ key }) => key)),
    },
  }
}

function failedState(calendar: Calendar, error: CalendarError, now: number): SyncState {
  const failures = calendar.failures + 1
  return {
    ...calendar,
    failures,
    nextSyncAt: nextAttemptAt(failures, SYNC_INTERVAL_MS, now),
    error: storedProblem(error),
  }
}

/** The member's addresses in lowercase, and the zone of times that name none. */
export async function readMember(
  reader: MemberReader,
): Promise<{ readonly own: ReadonlySet<string>; readonly timeZone: string }> {
  const [member, others] = await Promise.all([reader.get(MEMBER, {}), readOwnEmails(reader)])
  const own = [...(member?.email ? [member.email] : []), ...others]
  return {
    own: new Set(own.map((email) => email.toLowerCase())),
    timeZone: member?.time_zone ?? 'UTC',
  }
}

const MEMBER = memberStatement<object, { email: string | null; time_zone: string | null }>()(
  'select email, time_zone from members where member_id = :member_id',
)
