/** The reads that a batch may hold, and the one that a path names: the same as over HTTP, by the same rules. */

import { pathTemplate, type Route } from '../http/route.ts'

export interface Reads {
  /** Those with more fixed text first, as the router has them. */
  readonly inOrder: readonly Read[]
  /** What a caller may send, such as `GET /api/human/{username}`. */
  readonly allowlist: readonly string[]
}

interface Read {
  readonly route: Route
  /** Of a decoded path, with a group for each parameter. */
  readonly pattern: RegExp
}

export interface BatchRead {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** Every route whose record says `batchable`. A copy of another is taken, but names nothing new. */
export function listReads(routes: readonly Route[]): Reads {
  const batchable = routes.filter((route) => route.batchable === true)
  return {
    inOrder: batchable
      .toSorted((one, other) => fixedText(other).length - fixedText(one).length)
      .map(readOf),
    allowlist: batchable
      .filter(({ copyOf }) => copyOf === undefined)
      .map(({ method, path }) => `${method} ${pathTemplate(path)}`),
  }
}

/** The read that answers a path, which `decodePath` made. */
export function findRead({ inOrder }: Reads, path: string): BatchRead | undefined {
  for (const { route, pattern } of inOrder) {
    const found = pattern.exec(path)
    if (found) return { route, params: { ...found.groups } }
  }
  return undefined
}

/**
 * A path as the router decodes it: once. Undefined for what is no plain path: a host, a query string, a fragment,
 * an empty segment, `.` or `..`, a backslash or a control character, encoded or not.
 */
export function decodePath(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined
  const segments = path.slice(1).split('/').map(decodeSegment)
  return segments.every(isPlain) ? `/${segments.join('/')}` : undefined
}

/** RFC 3986 section 2.1; undefined for what does not decode to UTF-8. */
function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

function isPlain(segment: string | undefined): boolean {
  return segment !== undefined && /^(?!\.{1,2}$)[^/\\?#\p{Cc}]+$/u.test(segment)
}

function readOf(route: Route): Read {
  const { method, path, access, body } = route
  if (method !== 'GET' || access !== 'public' || body || 'whenLimited' in route)
    throw new Error(`${method} ${path} is no read that anybody may send, so no batch can hold it`)
  const pattern = path
    .split(PARAMETER)
    // The text between parameters and their names take turns.
    .map((part, index) => (index % 2 === 0 ? RegExp.escape(part) : `(?<${part}>[^/]+)`))
    .join('')
  return { route, pattern: new RegExp(`^${pattern}$`, 'u') }
}

const PARAMETER = /:([a-z_]+)/g

function fixedText({ path }: Route): string {
  return path.replaceAll(PARAMETER, '')
}
