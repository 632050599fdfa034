/** What every 2026-07-28 result carries beside its own members. */

import type { ServerInfo } from './server.ts'

/**
 * How long a client may keep a list or the discovery answer: five minutes. They change with a deploy only, and
 * nothing tells clients when they do.
 */
const LIST_TTL_MS = 5 * 60 * 1000

/** Answers depend on whose credential asks, so no shared cache may keep them (MCP 2026-07-28, caching). */
const CACHE_HINT = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const

/** Writes complete results that name the server (MCP 2026-07-28, basic: ResultType, per-response protocol fields). */
export interface ModernResults {
  /** `json` is a serialised object without `resultType` and `_meta`; `metaJson` is the tool's own `_meta`. */
  readonly complete: (json: string, metaJson?: string) => string
  /** The same for lists and discovery, which must say how long they keep. */
  readonly cacheable: (members: object) => string
}

export function modernResults(serverInfo: ServerInfo): ModernResults {
  const identity = JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo })
  const head = `{"resultType":"complete","_meta":${identity.slice(0, -1)}`
  const complete = (json: string, metaJson = '{}') => head + rest(metaJson) + rest(json)
  return {
    complete,
    cacheable: (members) => complete(JSON.stringify({ ...members, ...CACHE_HINT })),
  }
}

/** An object's text as the continuation of one already begun. */
function rest(json: string): string {
  return json === '{}' ? '}' : `,${json.slice(1)}`
}
