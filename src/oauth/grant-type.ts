/** Shared by the grant types of the token endpoint. */

import { type TokenPair } from './token-pair.ts'
import { isDocumentAddress } from './client.ts'
import { OAuthError } from './oauth-error.ts'
import type { ClientDeps } from './oauth-deps.ts'

/**
 * A grant type of RFC 6749.
 *
 * @throws {OAuthError} any error of RFC 6749 section 5.2.
 */
export type GrantType = (deps: ClientDeps, form: URLSearchParams) => Promise<TokenPair>

/**
 * Tells a client that was removed, or that belongs to another server, to register again (RFC 6749 section 5.2).
 *
 * @throws {OAuthError} `invalid_client` when the client is unknown.
 */
export async function requireKnownClient({ clients }: ClientDeps, clientId: string): Promise<void> {
  // A client with a metadata document is known by its codes and tokens, so its document is not fetched here.
  if (!isDocumentAddress(clientId) && !(await clients.findRegistered(clientId)))
    throw new OAuthError('invalid_client', 'Unknown client. Register it again', 401)
}
