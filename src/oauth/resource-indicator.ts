/** Resource indicators (RFC 8707): which of our addresses a client may ask tokens for. */

import { OAuthError } from './oauth-error.ts'

/** The tool endpoints, each a protected resource with a metadata document of its own (RFC 9728). */
export const RESOURCE_PATHS = ['/mcp', '/mcp/v1'] as const

/**
 * What `resource` named, or null where it was left out. All our resources are one service behind one scope, so a token
 * is good for each of them; a resource of anybody else is refused. Clients write a bare origin with a slash or without.
 */
export function checkResource(publicUrl: string, named: readonly string[]): string | null {
  const paths = ['', '/', ...RESOURCE_PATHS]
  for (const resource of named)
    if (!paths.some((path) => publicUrl + path === resource))
      throw new OAuthError(
        'invalid_target',
        `The resource is none of this server: it must be ${publicUrl}/mcp`,
      )
  return named[0] ?? null
}
