/** grant_type=refresh_token (RFC 6749 section 6), with rotation and reuse detection (RFC 9700 section 4.14.2). */

import { requireKnownClient } from './grant-type.ts'
import type { ClientDeps } from './oauth-deps.ts'
import { revokeGrant } from './grant.ts'
import { OAuthError } from './oauth-error.ts'
import { checkScope, parameter, requireParameter, checkResource } from './parameters.ts'
import {
  currentSuccessor,
  findRefreshToken,
  rotateRefreshToken,
  type RefreshToken,
  type TokenPair,
} from './token-pair.ts'

/**
 * An invalid request does not use the token. Presenting a used token again revokes the whole grant.
 *
 * @throws {OAuthError} `invalid_client` when the client is unknown.
 * @throws {OAuthError} `invalid_grant` when the token is unknown, used, expired, or of another client.
 * @throws {OAuthError} `invalid_request` when a parameter is missing or repeated.
 * @throws {OAuthError} `invalid_scope` when the scope exceeds the grant.
 * @throws {OAuthError} `invalid_target` when the resource belongs to another server.
 */
export async function refresh(deps: ClientDeps, form: URLSearchParams): Promise<TokenPair> {
  const { database, clock, publicUrl } = deps
  const token = requireParameter(form, 'refresh_token')
  const clientId = requireParameter(form, 'client_id')
  await requireKnownClient(deps, clientId)
  checkScope(parameter(form, 'scope'))
  checkResource(publicUrl, form.getAll('resource'))
  const now = clock.now()
  const found = await findRefreshToken(database, token)
  if (!found || found.clientId !== clientId || found.expiresAt <= now) throw invalidGrant()
  const pair = found.usedAt === null ? await rotate(deps, token, found, now) : undefined
  return pair ?? reuse(deps, token, now)
}

function rotate(
  { database, refreshGraceSeconds }: ClientDeps,
  token: string,
  found: RefreshToken,
  now: number,
): Promise<TokenPair | undefined> {
  const keepsSuccessor = refreshGraceSeconds > 0
  return database
    .member(found.memberId)
    .write((tx) => rotateRefreshToken(tx, token, found, { keepsSuccessor, now }))
}

/**
 * Two holders of one token cannot be distinguished, so both lose access. With a grace period, a client that lost the response
 * or refreshes twice at once gets the same pair again, as long as that pair has not been used.
 */
async function reuse(
  { database, refreshGraceSeconds }: ClientDeps,
  token: string,
  now: number,
): Promise<TokenPair> {
  const used = await findRefreshToken(database, token)
  if (!used) throw invalidGrant()
  const isRecent = used.usedAt !== null && now - used.usedAt < refreshGraceSeconds * 1000
  const current = isRecent ? await currentSuccessor(database, token, used) : undefined
  if (current) return current
  await database.member(used.memberId).write((tx) => revokeGrant(tx, used.grantId))
  throw invalidGrant()
}

function invalidGrant(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The refresh token is unknown, expired, revoked or used, or was issued to another client',
  )
}
