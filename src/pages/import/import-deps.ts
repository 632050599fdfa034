/** Dependencies of the import routes. */

import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'

export interface ImportDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_MONTHLY_CREDITS` */
  readonly quota: number
  /** `WEFT_UPLOAD_QUOTA_MB` */
  readonly uploadQuotaMb: number
  /** Notifies the worker that a job is queued. */
  readonly wake: () => void
}
