/** What the admins' pages are made from. */

import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import type { RateLimits } from '../../guards/rate-limits.ts'
import type { Job } from '../../jobs/job.ts'
import type { SignUp } from '../../sign-in/session/admission.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'

export interface AdminDeps {
  readonly database: Database
  readonly clock: Clock
  /** Has a line for everything that an admin does. */
  readonly log: Log
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  readonly version: string
  readonly signUp: SignUp
  /** Where there is a provider, nobody has a password. */
  readonly oidc: OidcSettings | null
  /** Quotas that differ from the usual ones, by the name of their policy; windows in seconds. */
  readonly rateLimits: Readonly<Record<string, { readonly quota: number; readonly window: number }>>
  readonly limits: RateLimits
  readonly jobs: readonly Job[]
  readonly node: NodeStatus
}

/** The process that answers. */
export interface NodeStatus {
  /** Host and process. */
  readonly name: string
  readonly startedAt: number
  /** How many jobs it runs at a time; 0 where it runs none. */
  readonly jobConcurrency: number
  /** That it takes at present. */
  memoryBytes(): number
}

/** These forms hold a name, a note or a number. */
export const MAX_FORM_BYTES = 16 * 1024
