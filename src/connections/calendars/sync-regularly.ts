/** Syncs calendars while the service runs. Any number of processes share the work. */

import { MINUTE } from '../../base/clock.ts'
import { claimCalendar, findDueCalendars } from './calendar-store.ts'
import { syncCalendar, type CalendarDeps } from './sync-calendar.ts'
import type { Log } from '../../base/log.ts'

const POLL_INTERVAL_MS = MINUTE
/** Another process takes over the calendar of a silent one after this time. */
const LEASE_MS = 5 * MINUTE
const MAX_DUE = 100

interface CalendarSync extends AsyncDisposable {
  /** Syncs due calendars every minute. */
  start(): void
  /** Syncs all that are due. Returns their number. */
  syncDue(): Promise<number>
}

/** Disposing waits for the calendar that is being read. */
export function createCalendarSync(deps: CalendarDeps & { readonly log: Log }): CalendarSync {
  const { log } = deps
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> | undefined
  let isStopping = false
  const syncDue = async (): Promise<number> => {
    let synced = 0
    const now = deps.clock.now()
    for (const { member_id, calendar_id } of await findDueCalendars(deps.database, now, MAX_DUE)) {
      if (isStopping) break
      if (await syncOne(deps, member_id, calendar_id)) synced += 1
    }
    return synced
  }
  const poll = () => {
    running ??= syncDue()
      .catch((error: unknown) => log.error({ err: error }, 'could not sync calendars; retrying'))
      .finally(() => (running = undefined))
  }
  return {
    syncDue,
    start() {
      timer ??= setInterval(poll, POLL_INTERVAL_MS).unref()
    },
    async [Symbol.asyncDispose]() {
      isStopping = true
      clearInterval(timer)
      await running
    },
  }
}

/** One at a time, so that slow servers and large calendars never take many threads. */
async function syncOne(
  deps: CalendarDeps & { readonly log: Log },
  memberId: number,
  calendarId: number,
): Promise<boolean> {
  const now = deps.clock.now()
  const lease = { dueAt: now, until: now + LEASE_MS }
  const calendar = await deps.database
    .member(memberId)
    .write((tx) => claimCalendar(tx, calendarId, lease))
  if (!calendar) return false
  try {
    await syncCalendar(deps, memberId, calendar)
  } catch (error) {
    deps.log.error({ err: error, calendar_id: calendarId }, 'could not sync a calendar; retrying')
  }
  return true
}
