/** Which of the routes' paths an address is, and the parameters in it. */

import findMyWay from 'find-my-way'

export interface PathTable<T> {
  /** What stands at a path, as `requestPath` has it; undefined where no path of the table is meant. */
  find(path: string): Found<T> | undefined
}

export interface Found<T> {
  readonly value: T
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** Usernames and numbers are short; a longer value is one that nothing has. Characters. */
const MAX_PARAM_LENGTH = 256

/**
 * The parts of a path between its slashes are literal, or `:name`, or `:name` with an ending such as `.md`; a `*` at
 * the end stands for all the rest. Where several paths match, a literal part comes before an ending, that before a
 * parameter, and `*` last. Percent-encoded characters are the characters themselves, but a slash parts nothing then.
 */
export function createPathTable<T>(
  paths: Iterable<readonly [path: string, value: T]>,
): PathTable<T> {
  const router = findMyWay({ maxParamLength: MAX_PARAM_LENGTH })
  // The methods of a path are its routes' own matter: here each path has one.
  for (const [path, value] of paths) router.on('GET', path, neverCalled, value)
  return {
    find(path) {
      // `*` as a whole is the server itself (RFC 9112 section 3.2.4), and no path.
      const found = path.startsWith('/') ? router.find('GET', path) : null
      if (!found) return undefined
      // What the path was given; the parameters are an object without a prototype.
      return { value: found.store as T, params: { ...found.params } as Found<T>['params'] }
    },
  }
}

function neverCalled(): never {
  throw new Error('a path is looked up, not run')
}

/** The path of a request target: RFC 9112 section 3.2 lets clients name the whole address in it. */
export function requestPath(url: string): string {
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*\/?/i, '/')
}

/** Whether each percent sign begins a character in UTF-8. */
export function isDecodable(path: string): boolean {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}
