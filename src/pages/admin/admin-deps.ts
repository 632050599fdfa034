/** Dependencies of the admin pages. */

import type { ActSettings } from '../../acts/act.ts'
import type { Log } from '../../base/log.ts'
import type { AttemptRecorder } from '../../oauth/attempts/attempt-recorder.ts'
import type { RateLimits } from '../../guards/rate-limits.ts'
import type { Job } from '../../jobs/job.ts'
import type { PageDeps } from '../../forms/page-route.ts'

export interface AdminDeps extends PageDeps, ActSettings {
  readonly publicUrl: string
  /** Every act is logged. */
  readonly log: Log
  readonly version: string
  /** Quotas that override the defaults, by policy name. Windows are in seconds. */
  readonly rateLimits: Readonly<Record<string, { readonly quota: number; readonly window: number }>>
  readonly limits: RateLimits
  readonly attempts: AttemptRecorder
  readonly jobs: readonly Job[]
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
