/** Writes the results of an era. */

import { legacyCallResult } from './call-result.ts'
import type { ServerInfo } from './server-info.ts'

/**
 * How long a client may cache lists and the discovery result: five minutes. They change only with a deployment, and
 * clients are not notified.
 */
const LIST_TTL_MS = 5 * 60 * 1000

/** Results depend on the credential, so shared caches must not store them (MCP 2026-07-28, caching). */
const CACHE_HINT = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const

/** Stale immediately, because clients are not notified of changes. */
const FRESH = JSON.stringify({ ttlMs: 0, cacheScope: CACHE_HINT.cacheScope }).slice(0, -1)

/** `json` is a serialized object without `resultType` and `_meta`; `metaJson` is the tool's own `_meta`. */
export interface Results {
  /** A result of another type than `complete`. */
  readonly of: (resultType: 'input_required' | 'task', json: string, metaJson?: string) => string
  readonly complete: (json: string, metaJson?: string) => string
  /** The same for lists and discovery, which must have a lifetime. */
  readonly cacheable: (members: object) => string
  /** The same for content that may change at any time. */
  readonly fresh: (json: string, metaJson?: string) => string
  /** The complete result of a tool call: members as in `CallResultJson`, and the tool's own `_meta`. */
  readonly call: (members: string, metaJson?: string) => string
}

/** Every legacy result is complete, and nothing says how long it may be cached. */
export const LEGACY_RESULTS: Results = {
  of() {
    throw new Error('the legacy era only has complete results')
  },
  complete: legacyResult,
  cacheable: (members) => JSON.stringify(members),
  fresh: legacyResult,
  call: legacyCallResult,
}

function legacyResult(json: string, metaJson?: string): string {
  return metaJson === undefined ? json : `{"_meta":${metaJson}${rest(json)}`
}

/**
 * Results that name the server, whose identity is serialized once (MCP 2026-07-28, basic: ResultType, per-response protocol
 * fields).
 */
export function modernResults(serverInfo: ServerInfo): Results {
  const identity = JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo })
  const headOf = (resultType: string) =>
    `{"resultType":"${resultType}","_meta":${identity.slice(0, -1)}`
  const head = headOf('complete')
  const complete = (json: string, metaJson = '{}') => head + rest(metaJson) + rest(json)
  return {
    of: (resultType, json, metaJson = '{}') => headOf(resultType) + rest(metaJson) + rest(json),
    complete,
    call: (members, metaJson = '{}') => `${head}${rest(metaJson)},${members}}`,
    fresh: (json, metaJson) => complete(FRESH + rest(json), metaJson),
    cacheable: (members) => complete(JSON.stringify({ ...members, ...CACHE_HINT })),
  }
}

/** The text of an object without its opening brace, to append to an open object. */
function rest(json: string): string {
  return json === '{}' ? '}' : `,${json.slice(1)}`
}
