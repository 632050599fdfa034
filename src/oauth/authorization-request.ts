/** Validates the authorization request (RFC 6749 section 4.1.1, RFC 7636, RFC 8707). */

import { t } from '../languages/message.ts'
import { RequestError } from '../base/request-error.ts'
import { OAuthError } from './oauth-error.ts'
import {
  checkScope,
  parameter,
  assertNotRepeated,
  requireParameter,
  checkResource,
} from './parameters.ts'
import { matchesRedirectUri } from './redirect-uri.ts'
import type { ClientDirectory } from './client.ts'
import type { Client } from './client-metadata.ts'

/** A valid request, ready for the member's consent. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
  readonly scope: string
  readonly resource: string | null
  readonly codeChallenge: string
}

/** Where to send the response, once the redirect URI is known to belong to the client. */
export type ReturnAddress = Pick<AuthorizationRequest, 'client' | 'redirectUri' | 'state'>

export type CheckedRequest =
  | { readonly ok: true; readonly request: AuthorizationRequest }
  | { readonly ok: false; readonly error: OAuthError; readonly returnTo: ReturnAddress }

/** SHA-256 in base64url, without padding (RFC 7636 section 4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/**
 * Other errors are returned, to be sent to the client. For `requesters`, see `ClientDirectory.find`.
 *
 * @throws {RequestError} `invalid_request`, for the person to read, when the client or the redirect URI is not valid.
 *   Nothing must be redirected then (RFC 6749 section 4.1.2.1).
 */
export async function checkAuthorizationRequest(
  given: URLSearchParams,
  { clients, publicUrl }: { readonly clients: ClientDirectory; readonly publicUrl: string },
  requesters: readonly string[],
): Promise<CheckedRequest> {
  const client = await requireClient(given, clients, requesters)
  const redirectUri = requireRedirectUri(given, client)
  const returnTo = { client, redirectUri, state: parameter(given, 'state') }
  try {
    assertNotRepeated(given)
    checkFlow(given)
    const request = {
      ...returnTo,
      scope: checkScope(parameter(given, 'scope')),
      resource: checkResource(publicUrl, given.getAll('resource')),
      codeChallenge: requireChallenge(given),
    }
    return { ok: true, request }
  } catch (error) {
    if (error instanceof OAuthError) return { ok: false, error, returnTo }
    throw error
  }
}

async function requireClient(
  given: URLSearchParams,
  clients: ClientDirectory,
  requesters: readonly string[],
): Promise<Client> {
  const [clientId, ...more] = given.getAll('client_id')
  if (clientId === undefined || clientId === '' || more.length > 0)
    throw new InvalidAppError(
      'no_client',
      t('The app did not identify itself. The request needs exactly one client_id.'),
    )
  const client = await clients.find(clientId, requesters)
  if (!client)
    throw new InvalidAppError(
      'client_unknown',
      t('Unknown app. Its registration may have expired.'),
    )
  return client
}

/** A client that registered exactly one can leave it out (RFC 6749 section 3.1.2.3). */
function requireRedirectUri(given: URLSearchParams, { redirectUris }: Client): string {
  const [requested = '', ...more] = given.getAll('redirect_uri')
  const [only] = redirectUris
  if (requested === '' && more.length === 0 && redirectUris.length === 1 && only !== undefined)
    return only
  if (more.length > 0 || !matchesRedirectUri(redirectUris, requested))
    throw new InvalidAppError(
      'redirect_mismatch',
      t('The redirect_uri of the app does not match any that it registered.'),
    )
  return requested
}

/** The client or its redirect URI is not valid, so the person gets the error, and not the client. */
export class InvalidAppError extends RequestError {
  readonly reason: 'no_client' | 'client_unknown' | 'redirect_mismatch'

  constructor(reason: InvalidAppError['reason'], message: string) {
    super('invalid_request', message, {
      hint: t(
        'Go back to the app and connect it again. If the problem continues, contact its developer.',
      ),
    })
    this.reason = reason
  }
}

/** One response type, one response mode, and no request objects (RFC 9101), which might have to be fetched. */
function checkFlow(given: URLSearchParams): void {
  if (requireParameter(given, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code')
  if ((parameter(given, 'response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query')
  for (const name of ['request', 'request_uri'])
    if (parameter(given, name) !== undefined)
      throw new OAuthError('invalid_request', `${name} is not supported`)
}

/** RFC 7636. Requires S256: the default method, `plain`, offers no protection. */
function requireChallenge(given: URLSearchParams): string {
  const challenge = requireParameter(given, 'code_challenge')
  if (parameter(given, 'code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256')
  if (!S256_CHALLENGE.test(challenge))
    throw new OAuthError(
      'invalid_request',
      'code_challenge must be a SHA-256 hash in base64url: 43 characters',
    )
  return challenge
}
