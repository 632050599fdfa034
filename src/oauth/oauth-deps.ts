/** What the endpoints of the authorization server need. */

import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { InFlight } from '../guards/in-flight.ts'
import type { OperatorTexts } from '../html/legal-links.ts'
import type { Caller } from '../http/caller.ts'
import type { Limits } from '../http/rate-limit-policy.ts'
import type { Route } from '../http/route.ts'
import type { AttemptRecorder } from './attempts/attempt-recorder.ts'
import type { ClientDirectory } from './client.ts'
import type { ClientDocuments } from './client-document.ts'

export interface OAuthDeps extends OperatorTexts {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, the issuer. */
  readonly publicUrl: string
  readonly quota: number
  /** `WEFT_REFRESH_GRACE_SECONDS`. */
  readonly refreshGraceSeconds: number
  readonly documents: ClientDocuments
  readonly inFlight: InFlight
  readonly limits: Limits
  readonly attempts: AttemptRecorder
  readonly routes: () => readonly Route[]
  authenticate(authorization: string | undefined): Promise<Caller>
}

/** Endpoints that look up clients. */
export interface ClientDeps extends OAuthDeps {
  readonly clients: ClientDirectory
}
