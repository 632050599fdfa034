/** The tools on the demo account over HTTP: one endpoint with two paths. */

import { LIMITS } from '../guards/rate-limit-policies.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { createMcpEndpoint, type McpEndpoint } from '../mcp/server/endpoint.ts'
import { answerMcp } from '../mcp/server/exchange.ts'
import { messageRoute } from '../mcp/server/message-route.ts'
import { originCheck } from '../mcp/protocol/origin.ts'
import { idempotencyKeys } from '../mcp/server/mcp.route.ts'
import { SANDBOX_PREFIX } from './mount.ts'
import { createSandboxToolServer, NO_CREDENTIAL, type Visitor } from './tool-server.ts'
import type { Limits } from '../http/rate-limit-policy.ts'
import type { ToolServerDeps } from '../mcp/server/tool-server.ts'

export interface SandboxToolDeps extends ToolServerDeps {
  readonly limits: Limits
}

export const TOOL_PATHS = [`${SANDBOX_PREFIX}/mcp`, '/mcp/sandbox'] as const

/** The sandbox accepts no writes, so requests are small. Anonymous bodies are never large: see http/body/large-bodies.ts. */
const MAX_BYTES = 256 * 1024

export function toolRoutes(deps: SandboxToolDeps): Route[] {
  const endpoint = createMcpEndpoint(createSandboxToolServer(deps))
  return TOOL_PATHS.map((path) => toolRoute(path, endpoint, deps))
}

function toolRoute(
  path: (typeof TOOL_PATHS)[number],
  endpoint: McpEndpoint<Visitor>,
  { publicUrl, limits }: SandboxToolDeps,
): Route {
  const rejectForeignOrigin = originCheck(publicUrl)
  return defineRoute({
    ...messageRoute(MAX_BYTES),
    path,
    operationId: path === '/mcp/sandbox' ? 'callMcpSandbox' : 'callSandboxMcp',
    summary: 'The tools on the demo account, without a credential',
    description:
      'JSON-RPC 2.0 of the Model Context Protocol, as at /mcp. Tools that read are free, tools that write are rejected ' +
      'with sandbox_read_only.',
    access: 'public',
    limit: LIMITS.sandbox,
    idempotent: true,
    async handle({ body, header, address, requestId, signal }) {
      rejectForeignOrigin(header)
      const key = header('idempotency-key')
      // Without a credential, keys are scoped to the client address.
      const credential = { ...NO_CREDENTIAL, id: address }
      const nextKey =
        key === undefined ? undefined : idempotencyKeys({ credential }, path, key, body)
      const visitor = { address, requestId, nextKey, disconnected: signal }
      const countMore = (messages: number) => limits.take(LIMITS.sandbox, address, messages)
      return answerMcp(endpoint, visitor, { method: 'POST', header, body, signal, countMore })
    },
  })
}
