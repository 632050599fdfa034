/** Parameters of OAuth requests. They must not repeat, and an empty one counts as omitted (RFC 6749 section 3.1). */

import { SCOPE } from '../access/scope.ts'
import { OAuthError } from './oauth-error.ts'

/** RFC 8707 section 2 allows several `resource` parameters. */
const REPEATABLE = new Set(['resource'])

export function parameter(given: URLSearchParams, name: string): string | undefined {
  const value = given.get(name)
  return value === null || value === '' ? undefined : value
}

export function assertNotRepeated(given: URLSearchParams): void {
  for (const name of new Set(given.keys()))
    if (!REPEATABLE.has(name) && given.getAll(name).length > 1)
      // Does not echo the name, which is untrusted text that a person may read.
      throw new OAuthError('invalid_request', 'A parameter was sent more than once')
}

export function requireParameter(given: URLSearchParams, name: string): string {
  const value = parameter(given, name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}

/** There is only one scope, which is also the default. */
export function checkScope(scope: string | undefined): string {
  const requested = scope?.split(' ').filter((name) => name !== '') ?? []
  if (requested.every((name) => name === SCOPE)) return SCOPE
  throw new OAuthError('invalid_scope', `The only supported scope is ${SCOPE}`)
}

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
