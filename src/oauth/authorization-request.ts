/** The authorization request (RFC 6749 section 4.1.1, RFC 7636, RFC 8707), checked step by step. */

import { RequestError } from '../base/request-error.ts'
import { OAuthError } from './oauth-error.ts'
import { checkScope, parameter, assertNotRepeated, requireParameter } from './parameters.ts'
import { matchesRedirectUri } from './redirect-uri.ts'
import { checkResource } from './resource-indicator.ts'
import type { ClientDirectory } from './client.ts'
import type { Client } from './client-metadata.ts'

/** A request that may be put before the member. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
  readonly scope: string
  readonly resource: string | null
  readonly codeChallenge: string
}

/** Where an answer may go, once client and redirect URI are known to belong together. */
export type ReturnAddress = Pick<AuthorizationRequest, 'client' | 'redirectUri' | 'state'>

export type CheckedRequest =
  | { readonly ok: true; readonly request: AuthorizationRequest }
  | { readonly ok: false; readonly error: OAuthError; readonly returnTo: ReturnAddress }

/** SHA-256 in base64url, without padding (RFC 7636 section 4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/**
 * Refuses, for the person to read, whatever leaves open where an answer may go: nothing is redirected then (RFC 6749
 * section 4.1.2.1). Every other mistake is the client's to hear of. `askers`: as in `ClientDirectory.find`.
 */
export async function checkAuthorizationRequest(
  given: URLSearchParams,
  { clients, publicUrl }: { readonly clients: ClientDirectory; readonly publicUrl: string },
  askers: readonly string[],
): Promise<CheckedRequest> {
  const client = await requireClient(given, clients, askers)
  const redirectUri = requireRedirectUri(given, client)
  const returnTo = { client, redirectUri, state: parameter(given, 'state') }
  try {
    assertNotRepeated(given)
    refuseOtherFlows(given)
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
  askers: readonly string[],
): Promise<Client> {
  const [clientId, ...more] = given.getAll('client_id')
  if (clientId === undefined || clientId === '' || more.length > 0)
    throw unusable('The app did not say which one it is: client_id must be there, once.')
  const client = await clients.find(clientId, askers)
  if (!client)
    throw unusable('This app is not known here. It may have been registered too long ago.')
  return client
}

/** May be left out by a client that registered a single one (RFC 6749 section 3.1.2.3). */
function requireRedirectUri(given: URLSearchParams, { redirectUris }: Client): string {
  const [asked = '', ...more] = given.getAll('redirect_uri')
  const [only] = redirectUris
  if (asked === '' && more.length === 0 && redirectUris.length === 1 && only !== undefined)
    return only
  if (more.length > 0 || !matchesRedirectUri(redirectUris, asked))
    throw unusable('The app wants to go on at an address that it did not register: redirect_uri.')
  return asked
}

function unusable(sentence: string): RequestError {
  return new RequestError('invalid_request', sentence, {
    hint: 'Go back to the app and connect it again. If that does not help, its makers have to.',
  })
}

/** One response type, one response mode, and no request objects (RFC 9101) that would have to be fetched. */
function refuseOtherFlows(given: URLSearchParams): void {
  if (requireParameter(given, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code')
  if ((parameter(given, 'response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query')
  for (const name of ['request', 'request_uri'])
    if (parameter(given, name) !== undefined)
      throw new OAuthError('invalid_request', `${name} is not supported`)
}

/** RFC 7636; `plain`, which is what a missing method means, is no protection. */
function requireChallenge(given: URLSearchParams): string {
  const challenge = requireParameter(given, 'code_challenge')
  if (parameter(given, 'code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256')
  if (!S256_CHALLENGE.test(challenge))
    throw new OAuthError(
      'invalid_request',
      'code_challenge must be a SHA-256 in base64url: 43 characters',
    )
  return challenge
}
