/** Dependencies of the admin pages. */

import type { Log } from '../../base/log.ts'
import type { AttemptRecorder } from '../../oauth/attempts/attempt-recorder.ts'
import type { RateLimits } from '../../guards/rate-limits.ts'
import type { Job } from '../../jobs/job.ts'
import type { SignUp } from '../../sign-in/session/admission.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'
import type { PageDeps } from '../../forms/page-route.ts'

export interface AdminDeps extends PageDeps {
  /** Every admin action is logged. */
  readonly log: Log
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  readonly version: string
  readonly signUp: SignUp
  /** Whether a mail server is configured. */
  readonly sendsEmail: boolean
  /** With an identity provider, members have no passwords. */
  readonly oidc: OidcSettings | null
  /** Quotas that override the defaults, by policy name. Windows are in seconds. */
  readonly rateLimits: Readonly<Record<string, { readonly quota: number; readonly window: number }>>
  readonly limits: RateLimits
  readonly attempts: AttemptRecorder
  readonly jobs: readonly Job[]
  /** `WEFT_MONTHLY_CREDITS`. */
  readonly quota: number
  readonly node: NodeStatus
}

/** The process that handles the request. */
export interface NodeStatus {
  /** Host name and process ID. */
  readonly name: string
  readonly startedAt: number
  /** How many jobs it runs concurrently; 0 if it runs none. */
  readonly jobConcurrency: number
  /** Current memory use. */
  memoryBytes(): number
}
