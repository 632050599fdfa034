/** Stores the meetings of a reading, and records past ones as interactions. */

import { recordChange } from '../../tools/activity.ts'
import {
  syncChangeOf,
  syncInteractions,
  type SyncedInteraction,
} from '../interactions/sync-interactions.ts'
import {
  calendarSource,
  listSynced,
  recordSync,
  requireCalendar,
  type Calendar,
  type SyncState,
} from './calendar-store.ts'
import { wasDeleted } from './lost-meetings.ts'
import {
  listCalendarMeetings,
  listPastMeetings,
  storeMeetings,
  type StoredMeeting,
} from '../meetings/meeting-store.ts'
import { readMember, type FeedReading } from './read-changes.ts'
import { PAST_MS } from './sync-times.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { findByEmail } from '../model/find-by-email.ts'
import type { Database, MemberTransaction } from '../../db/database.ts'

/** Meetings that become interactions in one transaction. */
const BATCH = 200

interface Sync {
  readonly memberId: number
  /** Before the sync. */
  readonly calendar: Calendar
  readonly state: SyncState
  readonly reading: FeedReading | undefined
  readonly now: number
}

/**
 * Stores the result of a successful sync.
 *
 * @throws {RequestError} `not_found` when the member has disconnected the calendar meanwhile.
 */
export async function recordMeetings(database: Database, sync: Sync): Promise<void> {
  const db = database.member(sync.memberId)
  const { calendarId } = sync.calendar
  const { timeZone } = await readMember(db)
  const source = calendarSource(calendarId)
  const write = (work: (tx: MemberTransaction) => Promise<void>) =>
    db.write((tx) => requireCalendar(tx, calendarId).then(() => work(tx)), { bulk: true })
  await write((tx) => storeReading(tx, sync, timeZone))
  const past = await listPastMeetings(db, calendarId, sync.now)
  for (let first = 0; first < past.length; first += BATCH)
    await write(async (tx) => {
      const upsert = await interactionsOf(tx, past.slice(first, first + BATCH), timeZone)
      await apply(tx, sync, { source, upsert })
    })
}

/** In one transaction, so that a meeting that was lost is removed even if the process ends here. */
async function storeReading(tx: MemberTransaction, sync: Sync, timeZone: string): Promise<void> {
  const { calendar, state, reading, now } = sync
  const { calendarId } = calendar
  const before = await listCalendarMeetings(tx, calendarId)
  if (reading) await storeMeetings(tx, calendarId, reading.meetings, before)
  await recordSync(tx, calendarId, state)
  const past = new Set((await listPastMeetings(tx, calendarId, now)).map(({ key }) => key))
  const known = new Map(before.map((one) => [one.key, one]))
  const readings = { before: calendar.readAt, now, keptFor: state.keptFor, timeZone }
  const isLost = ({ key, startsAt }: { readonly key: string; readonly startsAt: number }) => {
    // One that no longer counts, or that an earlier calendar also has.
    if (past.has(key)) return false
    if (reading ? reading.listed.has(key) : known.has(key)) return true
    return (
      reading !== undefined && wasDeleted({ startsAt, endsAt: known.get(key)?.endsAt }, readings)
    )
  }
  const synced = await listSynced(tx, calendarId, now - PAST_MS)
  const remove = synced.filter(isLost).map(({ key }) => key)
  await apply(tx, sync, { source: calendarSource(calendarId), remove })
}

async function apply(
  tx: MemberTransaction,
  { state, now }: Sync,
  changed: Parameters<typeof syncInteractions>[1],
): Promise<void> {
  const changes = await syncInteractions(tx, changed, now)
  if (changes.length === 0) return
  const by = { credentialId: null, actor: `Calendar ${state.name}`, now }
  await recordChange(tx, by, syncChangeOf(changed.source, changes))
}

/** Past meetings as interactions. An email that several connections have identifies none of them. */
async function interactionsOf(
  tx: MemberTransaction,
  meetings: readonly StoredMeeting[],
  timeZone: string,
): Promise<SyncedInteraction[]> {
  const emails = meetings.flatMap(({ people }) => people.map(({ email }) => email))
  const known = await findByEmail(tx, emails)
  return meetings.map(({ key, title, startsAt, people }) => ({
    sourceKey: key,
    kind: 'meeting',
    direction: null,
    subject: title,
    localAt: localTimeAt(timeZone, startsAt),
    happenedAt: startsAt,
    zone: timeZone,
    attendees: people.map(({ email }) => ({ email, connectionId: known.get(email) })),
  }))
}
