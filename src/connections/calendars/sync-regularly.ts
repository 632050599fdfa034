/** Syncs calendars while the service runs. Any number of processes share the work. */

import { SECOND } from '../../base/clock.ts'
import { hasCode } from '../../base/request-error.ts'
import { findDueCalendars } from './calendar-store.ts'
import { syncDueCalendar } from './sync-calendar.ts'
import type { CalendarDeps } from './calendar-deps.ts'
import type { Log } from '../../base/log.ts'

const POLL_INTERVAL_MS = 10 * SECOND
/** Calendars that wait for a permit in this process. */
const MAX_DUE = 20_000

interface CalendarSync extends AsyncDisposable {
  /** Syncs due calendars from now on. */
  start(): void
  /** Syncs all that are due. Returns their number. */
  syncDue(): Promise<number>
}

/** Disposing ends the requests that are running. */
export function createCalendarSync(deps: CalendarDeps & { readonly log: Log }): CalendarSync {
  const { database, clock, log } = deps
  const stopping = new AbortController()
  /** Syncs that wait or run, by calendar. Never reject. */
  const pending = new Map<string, Promise<boolean>>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<unknown> | undefined

  async function syncOne(due: Parameters<typeof syncDueCalendar>[1]): Promise<boolean> {
    try {
      return (await syncDueCalendar(deps, { ...due, signal: stopping.signal })) !== undefined
    } catch (err) {
      // Disconnected meanwhile.
      if (!stopping.signal.aborted && !hasCode(err, 'not_found'))
        log.error({ err, calendar_id: due.calendarId }, 'could not sync a calendar; retrying')
      return false
    }
  }

  /** Members take turns; see `OutgoingPool`. */
  async function startDue(): Promise<Promise<boolean>[]> {
    const started: Promise<boolean>[] = []
    for (const due of await findDueCalendars(database, clock.now(), MAX_DUE)) {
      const key = `${due.memberId} ${due.calendarId}`
      if (stopping.signal.aborted || pending.has(key)) continue
      const syncing = syncOne(due).finally(() => pending.delete(key))
      pending.set(key, syncing)
      started.push(syncing)
    }
    return started
  }

  const poll = () => {
    polling ??= startDue()
      .catch((error: unknown) => log.error({ err: error }, 'could not sync calendars; retrying'))
      .finally(() => (polling = undefined))
  }
  return {
    syncDue: async () => (await Promise.all(await startDue())).filter(Boolean).length,
    start() {
      timer ??= setInterval(poll, POLL_INTERVAL_MS).unref()
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the service is stopping'))
      clearInterval(timer)
      await polling
      await Promise.all(pending.values())
    },
  }
}
