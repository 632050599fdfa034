/** What calendars are synced with. */

import type { Clock } from '../../base/clock.ts'
import type { OutgoingPool } from '../../base/concurrency/outgoing-pool.ts'
import type { Database } from '../../db/database.ts'
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
