/** What the grant types of the token endpoint have in common. */

import { type TokenPair } from './token-pair.ts'
import { isDocumentAddress } from './client.ts'
import { OAuthError } from './oauth-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { ClientDirectory } from './client.ts'

export interface TokenDeps {
  readonly database: Database
  readonly clock: Clock
  readonly clients: ClientDirectory
  readonly publicUrl: string
  /** `WEFT_REFRESH_GRACE_SECONDS`. */
  readonly refreshGraceSeconds: number
}

/** A grant type of RFC 6749: from a form to a pair of tokens, or an `OAuthError`. */
export type GrantType = (deps: TokenDeps, form: URLSearchParams) => Promise<TokenPair>

/** Tells a client that was swept, or is of another server, to register again (RFC 6749 section 5.2). */
export async function requireKnownClient({ clients }: TokenDeps, clientId: string): Promise<void> {
  // One that describes itself by a document is known by what was issued to it; nothing is fetched for a token.
  if (!isDocumentAddress(clientId) && !(await clients.findRegistered(clientId)))
    throw new OAuthError('invalid_client', 'The client is not known here: register it again', 401)
}
