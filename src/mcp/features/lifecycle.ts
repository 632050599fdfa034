/** Server discovery: `initialize` and `ping` (legacy), `server/discover` (modern). */

import type { JsonObject } from '../protocol/json-rpc.ts'
import { resultOf, type Methods } from '../protocol/method.ts'
import type { ModernResults } from '../protocol/modern-result.ts'
import { LATEST_LEGACY_VERSION, LEGACY_VERSIONS, MODERN_VERSIONS } from '../protocol/versions.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'
import type { McpServer } from '../protocol/server.ts'

type Offer = Pick<McpServer<never>, 'serverInfo' | 'instructions'>

/**
 * MCP 2025-11-25, basic/lifecycle: echoes a supported version, and responds to any other with the latest legacy
 * version. This includes a missing version, and 2026-07-28, which has no `initialize`.
 */
export function legacyLifecycle<Caller>(offer: Offer, capabilities: JsonObject): Methods<Caller> {
  const { serverInfo, instructions } = offer
  const speaking = (protocolVersion: string) =>
    resultOf(JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions }))
  const latest = speaking(LATEST_LEGACY_VERSION)
  const byVersion = new Map<unknown, MethodAnswer>(
    LEGACY_VERSIONS.map((version) => [version, speaking(version)]),
  )
  const pong = resultOf('{}')
  return {
    initialize: ({ params }) => byVersion.get(params?.['protocolVersion']) ?? latest,
    ping: () => pong,
  }
}

/** MCP 2026-07-28, server/discover. Lists modern versions only, like error `-32022`. */
export function modernLifecycle<Caller>(
  offer: Offer,
  capabilities: JsonObject,
  results: ModernResults,
): Methods<Caller> {
  const { instructions } = offer
  const discovered = resultOf(
    results.cacheable({ supportedVersions: MODERN_VERSIONS, capabilities, instructions }),
  )
  return { 'server/discover': () => discovered }
}
