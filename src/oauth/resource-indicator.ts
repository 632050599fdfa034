/** Resource indicators (RFC 8707): the URLs that a client can request tokens for. */

import { OAuthError } from './oauth-error.ts'

/** The tool endpoints. Each is a protected resource with its own metadata document (RFC 9728). */
export const RESOURCE_PATHS = ['/mcp', '/mcp/v1'] as const

/**
 * Returns the first `resource`, or null without one. All resources belong to one service with one scope, so a token is
 * valid for each of them. Clients write a bare origin with or without a slash.
 *
 * @throws {OAuthError} `invalid_target` when the resource belongs to another server.
 */
export function checkResource(publicUrl: string, requested: readonly string[]): string | null {
  const paths = ['', '/', ...RESOURCE_PATHS]
  for (const resource of requested)
    if (!paths.some((path) => publicUrl + path === resource))
      throw new OAuthError(
        'invalid_target',
        `The resource does not belong to this server. It must be ${publicUrl}/mcp`,
      )
  return requested[0] ?? null
}
