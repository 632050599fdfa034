/** Parameters of OAuth requests: each at most once, an empty one as one that was left out (RFC 6749 section 3.1). */

import { SCOPE } from '../access/bearer.ts'
import { OAuthError } from './oauth-error.ts'

/** RFC 8707 section 2 lets `resource` come several times. */
const REPEATABLE = new Set(['resource'])

export function parameter(given: URLSearchParams, name: string): string | undefined {
  const value = given.get(name)
  return value === null || value === '' ? undefined : value
}

export function assertNotRepeated(given: URLSearchParams): void {
  for (const name of new Set(given.keys()))
    if (!REPEATABLE.has(name) && given.getAll(name).length > 1)
      // The name is the sender's own text: it is not repeated in an answer that a person may read.
      throw new OAuthError('invalid_request', 'A parameter was sent more than once')
}

export function requireParameter(given: URLSearchParams, name: string): string {
  const value = parameter(given, name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}

/** There is one scope; it is meant where none is named. */
export function checkScope(scope: string | undefined): string {
  const named = scope?.split(' ').filter((one) => one !== '') ?? []
  if (named.every((one) => one === SCOPE)) return SCOPE
  throw new OAuthError('invalid_scope', `The only scope here is ${SCOPE}`)
}
