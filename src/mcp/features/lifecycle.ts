/** Server discovery: `initialize` and `ping` (legacy), `server/discover` (modern). */

import { newId } from '../../base/ids.ts'
import { takesForms } from '../protocol/client-capabilities.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { resultOf, type Methods } from '../protocol/method.ts'
import type { Results } from '../protocol/results.ts'
import { LATEST_LEGACY_VERSION, LEGACY_VERSIONS, MODERN_VERSIONS } from '../protocol/era.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'
import type { McpServer } from '../protocol/server.ts'

type Offer = Pick<McpServer<never>, 'serverInfo' | 'instructions'>

/**
 * Begins the session ID of a client that can show forms. Only `initialize` declares it, and the ID is in every later
 * request, so no session is stored (MCP 2025-11-25, basic/transports: Session Management).
 */
const FORMS_SESSION = 'forms'
export const SESSION_HEADER = 'mcp-session-id'

/** Whether the client of a legacy request declared that it can show forms. */
export function declaresForms(sessionId: string): boolean {
  return sessionId.startsWith(`${FORMS_SESSION}_`)
}

/**
 * MCP 2025-11-25, basic/lifecycle: echoes a supported version, and responds to any other with the latest legacy
 * version. This includes a missing version, and 2026-07-28, which has no `initialize`. `asksForms` servers ask clients of
 * the revisions that have elicitation.
 */
export function legacyLifecycle<Caller>(
  offer: Offer,
  capabilities: JsonObject,
  asksForms: boolean,
): Methods<Caller> {
  const { serverInfo, instructions } = offer
  const speaking = (protocolVersion: string) =>
    resultOf(JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions }))
  const latest = speaking(LATEST_LEGACY_VERSION)
  const byVersion = new Map<unknown, MethodAnswer>(
    LEGACY_VERSIONS.map((version) => [version, speaking(version)]),
  )
  const pong = resultOf('{}')
  return {
    initialize: ({ params }) => {
      const requested = params?.['protocolVersion']
      const answer = byVersion.get(requested) ?? latest
      const declared = params?.['capabilities']
      const version = byVersion.has(requested) ? String(requested) : LATEST_LEGACY_VERSION
      const canAsk = asksForms && version >= FIRST_WITH_FORMS && isJsonObject(declared)
      if (!canAsk || !takesForms(declared)) return answer
      return { ...answer, headers: { [SESSION_HEADER]: newId(FORMS_SESSION) } }
    },
    ping: () => pong,
  }
}

/** MCP 2025-06-18, client/elicitation. */
const FIRST_WITH_FORMS = '2025-06-18'

/** MCP 2026-07-28, server/discover. Lists modern versions only, like error `-32022`. */
export function modernLifecycle<Caller>(
  offer: Offer,
  capabilities: JsonObject,
  results: Results,
): Methods<Caller> {
  const { instructions } = offer
  const discovered = resultOf(
    results.cacheable({ supportedVersions: MODERN_VERSIONS, capabilities, instructions }),
  )
  return { 'server/discover': () => discovered }
}
