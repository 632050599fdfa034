/** What the import routes depend on. */

import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'

export interface ImportDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_MONTHLY_CREDITS` */
  readonly quota: number
  /** `WEFT_UPLOAD_QUOTA_MB` */
  readonly uploadQuotaMb: number
  /** Tells the worker that there is a job. */
  readonly wake: (jobId?: number) => void
}
