/** Finds the route of a path and decodes its parameters. */

import findMyWay from 'find-my-way'

export interface PathTable<T> {
  /** Looks up a path as returned by `requestPath`; undefined if no entry matches. */
  find(path: string): Found<T> | undefined
}

interface Found<T> {
  readonly value: T
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** Longer than any username or number. Characters. */
const MAX_PARAM_LENGTH = 256

/**
 * Path segments are literal, `:name`, or `:name` with a suffix such as `.md`; a final `*` matches the rest. If several
 * paths match, literals take precedence over parameters with a suffix, then plain parameters, then `*`. Percent-encoded
 * characters are decoded, but an encoded slash does not separate segments.
 */
export function createPathTable<T>(
  paths: Iterable<readonly [path: string, value: T]>,
): PathTable<T> {
  const router = findMyWay({ maxParamLength: MAX_PARAM_LENGTH })
  // One entry per path: methods are resolved separately.
  for (const [path, value] of paths) router.on('GET', path, neverCalled, value)
  return {
    find(path) {
      // `*` as a whole target means the server itself (RFC 9112 section 3.2.4), not a path.
      const found = path.startsWith('/') ? router.find('GET', path) : null
      if (!found) return undefined
      // `params` has no prototype; copy it into a plain object.
      return { value: found.store as T, params: { ...found.params } as Found<T>['params'] }
    },
  }
}

function neverCalled(): never {
  throw new Error('the router is only used for lookups')
}

/** The path of a request target. Clients may send an absolute URL (RFC 9112 section 3.2). */
export function requestPath(url: string): string {
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*\/?/i, '/')
}

/** Whether every percent sign starts a valid UTF-8 sequence. */
export function isDecodable(path: string): boolean {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}
