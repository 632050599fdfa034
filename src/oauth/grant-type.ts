/** Shared by the grant types of the token endpoint. */

import { type TokenPair } from './token-pair.ts'
import { isDocumentAddress, type ClientDirectory } from './client.ts'
import { OAuthError } from './oauth-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { AttemptRecorder } from './attempts/attempt-recorder.ts'

export interface TokenDeps {
  readonly database: Database
  readonly clock: Clock
  readonly clients: ClientDirectory
  readonly publicUrl: string
  /** `WEFT_REFRESH_GRACE_SECONDS`. */
  readonly refreshGraceSeconds: number
  readonly attempts: AttemptRecorder
}

/**
 * A grant type of RFC 6749.
 *
 * @throws {OAuthError} any error of RFC 6749 section 5.2.
 */
export type GrantType = (deps: TokenDeps, form: URLSearchParams) => Promise<TokenPair>

/**
 * Tells a client that was removed, or that belongs to another server, to register again (RFC 6749 section 5.2).
 *
 * @throws {OAuthError} `invalid_client` when the client is unknown.
 */
export async function requireKnownClient({ clients }: TokenDeps, clientId: string): Promise<void> {
  // A client with a metadata document is known by its codes and tokens, so its document is not fetched here.
  if (!isDocumentAddress(clientId) && !(await clients.findRegistered(clientId)))
    throw new OAuthError('invalid_client', 'Unknown client. Register it again', 401)
}
