/** What the routes of this folder need. */

import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { OperatorTexts } from '../html/legal-links.ts'
import type { Limits } from '../http/rate-limit-policy.ts'
import type { Route } from '../http/route.ts'
import type { Tool } from '../tools/tool.ts'
import type { Library } from './docs/library.ts'
import type { SourceRepository } from './well-known/server-card.ts'
import type { DomainVerification } from './well-known/verification.route.ts'

export interface DiscoveryDeps extends DomainVerification, OperatorTexts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
  readonly version: string
  readonly repository?: SourceRepository | undefined
  readonly tools: readonly Tool[]
  /** All documents; `/ask` searches them too. */
  readonly library: Library
  /** `WEFT_DEMO`. */
  readonly demo: 'on' | 'off'
  /** `WEFT_SECURITY_CONTACT`, or null. */
  readonly securityContact: string | null
  readonly limits: Limits
  /** All routes of the service, including these, once they are known. */
  readonly routes: () => readonly Route[]
}
