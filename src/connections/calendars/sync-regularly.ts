/** Syncs calendars while the service runs. */

import { createDueWork, type DueWork } from '../../base/concurrency/due-work.ts'
import { findDueCalendars } from './calendar-store.ts'
import { syncDueCalendar } from './sync-calendar.ts'
import type { CalendarDeps } from './calendar-deps.ts'
import type { Log } from '../../base/log.ts'

/** Disposing ends the requests that are running. */
export function createCalendarSync(deps: CalendarDeps & { readonly log: Log }): DueWork {
  return createDueWork({
    ...deps,
    find: (now, limit) => findDueCalendars(deps.database, now, limit),
    keyOf: ({ memberId, calendarId }) => `${memberId} ${calendarId}`,
    run: async (due, signal) => (await syncDueCalendar(deps, { ...due, signal })) !== undefined,
    name: 'sync calendars',
  })
}
