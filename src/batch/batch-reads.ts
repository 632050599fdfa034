/** The reads that are allowed in a batch, and the lookup of a read by its path, with the rules of the HTTP router. */

import { decodedUri } from '../base/parse-text.ts'
import { pathTemplate, type Route } from '../http/route.ts'

export interface Reads {
  /** Paths with more fixed text first, as in the router. */
  readonly inOrder: readonly Read[]
  /** The allowed requests, such as `GET /api/human/{username}`. */
  readonly allowlist: readonly string[]
}

interface Read {
  readonly route: Route
  /** Matches a decoded path, with a group for each parameter. */
  readonly pattern: RegExp
}

export interface BatchRead {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** Every route with `batchable`. Copies of other routes are allowed but not listed. */
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

/** Returns the read for a path from `decodePath`. */
export function findRead({ inOrder }: Reads, path: string): BatchRead | undefined {
  for (const { route, pattern } of inOrder) {
    const found = pattern.exec(path)
    if (found) return { route, params: { ...found.groups } }
  }
  return undefined
}

/**
 * Decodes a path once, like the router. Undefined if it is not a plain path: if it has a host, a query string, a
 * fragment, an empty segment, `.` or `..`, a backslash or a control character, encoded or not.
 */
export function decodePath(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined
  const segments = path.slice(1).split('/').map(decodedUri)
  return segments.every(isPlain) ? `/${segments.join('/')}` : undefined
}

function isPlain(segment: string | undefined): boolean {
  return segment !== undefined && /^(?!\.{1,2}$)[^/\\?#\p{Cc}]+$/u.test(segment)
}

function readOf(route: Route): Read {
  const { method, path, access, body } = route
  if (method !== 'GET' || access !== 'public' || body || 'whenLimited' in route)
    throw new Error(`${method} ${path} is not a public read, so it cannot be batchable`)
  const pattern = path
    .split(PARAMETER)
    // Fixed text and parameter names alternate.
    .map((part, index) => (index % 2 === 0 ? RegExp.escape(part) : `(?<${part}>[^/]+)`))
    .join('')
  // regex-ok: each part of a path ends at a slash
  return { route, pattern: new RegExp(`^${pattern}$`, 'u') }
}

const PARAMETER = /:([a-z_]+)/g

function fixedText({ path }: Route): string {
  return path.replaceAll(PARAMETER, '')
}
