/** One sync of a calendar: fetches it if it has changed, stores its meetings, and records past ones as interactions. */

import { createDueWork, type DueWork } from '../../base/concurrency/due-work.ts'
import { queueEmail } from '../../outbox/outbox.ts'
import {
  claimCalendar,
  findDueCalendars,
  recordSync,
  type Calendar,
  type SyncState,
} from './calendar-store.ts'
import { readChanges, type CalendarChanges } from './read-changes.ts'
import { recordMeetings } from './record-meetings.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { CalendarDeps } from './calendar-deps.ts'
import type { Log } from '../../base/log.ts'

/** Syncs calendars while the service runs. Disposing ends the requests that are running. */
export function createCalendarSync(deps: CalendarDeps & { readonly log: Log }): DueWork {
  return createDueWork({
    ...deps,
    find: (now, limit) => findDueCalendars(deps.database, now, limit),
    keyOf: ({ memberId, calendarId }) => `${memberId} ${calendarId}`,
    run: async (due, signal) => (await syncDueCalendar(deps, { ...due, signal })) !== undefined,
    name: 'sync calendars',
  })
}

interface CalendarTurn extends Pick<Calendar, 'calendarId' | 'addressHint'> {
  readonly memberId: number
  /** Ends the wait for a permit, and the request. */
  readonly signal?: AbortSignal
}

/**
 * Syncs a calendar that is due when a permit is free. Undefined if another process has taken it meanwhile. The `error` of
 * the new state says why the calendar could not be read.
 */
async function syncDueCalendar(
  deps: CalendarDeps,
  turn: CalendarTurn,
): Promise<SyncState | undefined> {
  const { memberId, calendarId } = turn
  const changes = await deps.outgoing.run(outgoingOf(turn), async (permit) => {
    const lease = { now: deps.clock.now(), always: false }
    const db = deps.database.member(memberId)
    const calendar = await db.write((tx) => claimCalendar(tx, calendarId, lease))
    return calendar && readChanges(deps, permit, { memberId, calendar, isComplete: false })
  })
  return changes && store(deps, turn, changes)
}

/** Syncs a calendar that the caller has claimed when a permit is free, also if it has not changed. */
export async function syncClaimedCalendar(
  deps: CalendarDeps,
  turn: CalendarTurn,
  calendar: Calendar,
): Promise<SyncState> {
  const { memberId } = turn
  const changes = await deps.outgoing.run(outgoingOf(turn), (permit) =>
    readChanges(deps, permit, { memberId, calendar, isComplete: true }),
  )
  return store(deps, turn, changes)
}

function outgoingOf({ memberId, addressHint, signal }: CalendarTurn) {
  const [host = ''] = addressHint.split('/')
  return { memberId, host, ...(signal && { signal }) }
}

async function store(
  { database, clock }: CalendarDeps,
  { memberId, signal }: CalendarTurn,
  { calendar, state, reading }: CalendarChanges,
): Promise<SyncState> {
  // A request that was ended is not a failure of the calendar.
  if (state.error !== null) signal?.throwIfAborted()
  if (state.error === null)
    await recordMeetings(database, { memberId, calendar, state, reading, now: clock.now() })
  else
    await database.member(memberId).write((tx) => recordFailure(tx, calendar, state, clock.now()))
  return state
}

/** Tells the member once that the calendar is no longer read. */
async function recordFailure(
  tx: MemberTransaction,
  { calendarId, nextSyncAt }: Calendar,
  state: SyncState,
  now: number,
): Promise<void> {
  await recordSync(tx, calendarId, state)
  if (state.nextSyncAt !== null || nextSyncAt === null || state.error === null) return
  const details = { source: 'calendar', name: state.name, error: state.error }
  await queueEmail(tx.shared, { kind: 'reading_stopped', memberId: tx.memberId, details }, now)
}
