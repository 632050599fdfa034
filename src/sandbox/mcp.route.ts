/** The tools on the demo account over HTTP: one endpoint at two addresses. */

import { readIdempotencyKey } from '../guards/idempotency-key.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { createMcpEndpoint, type McpEndpoint } from '../mcp/server/endpoint.ts'
import { answerMcp, refuseRateLimited } from '../mcp/server/exchange.ts'
import { RpcFailure, RpcMessage, RpcResponse } from '../mcp/protocol/message-schema.ts'
import { originCheck } from '../mcp/protocol/origin.ts'
import { refuseAsRpc } from '../mcp/protocol/http-errors.ts'
import { keysOf } from '../mcp/server/mcp.route.ts'
import { SANDBOX } from './mount.ts'
import { createSandboxToolServer, NO_CREDENTIAL, type Visitor } from './tool-server.ts'
import type { Limits } from '../http/rate-limit-policy.ts'
import type { ToolServerParts } from '../mcp/server/tool-server.ts'

export interface SandboxToolParts extends ToolServerParts {
  readonly limits: Limits
}

export const TOOL_PATHS = [`${SANDBOX}/mcp`, '/mcp/sandbox'] as const

/** Nothing is written here, so nothing large is read. */
const MOST_BYTES = 1024 * 1024

export function toolRoutes(parts: SandboxToolParts): Route[] {
  const endpoint = createMcpEndpoint(createSandboxToolServer(parts))
  return TOOL_PATHS.map((path) => toolRoute(path, endpoint, parts))
}

function toolRoute(
  path: (typeof TOOL_PATHS)[number],
  endpoint: McpEndpoint<Visitor>,
  { publicUrl, limits }: SandboxToolParts,
): Route {
  const refuseForeign = originCheck(publicUrl)
  return defineRoute({
    method: 'POST',
    path,
    operationId: path === '/mcp/sandbox' ? 'callMcpSandbox' : 'callSandboxMcp',
    summary: 'The tools on the demo account, without a credential',
    description:
      'JSON-RPC 2.0 by the Model Context Protocol, as at /mcp. Tools that read are free, tools that write are refused ' +
      'with sandbox_read_only.',
    access: 'public',
    body: {
      kind: 'bytes',
      types: ['*/*'],
      maxBytes: MOST_BYTES,
      content: { 'application/json': RpcMessage },
    },
    limit: LIMITS.sandbox,
    trailingSlash: true,
    idempotent: true,
    answers: {
      200: { description: 'A JSON-RPC response, or a batch of them', schema: RpcResponse },
      400: { description: 'What was sent is no message of the protocol', schema: RpcFailure },
      202: { description: 'A notification was accepted; no content' },
    },
    refuse: refuseAsRpc,
    whenLimited: ({ body }, retryAfter) => refuseRateLimited(body, retryAfter),
    async handle({ body, header, address, requestId, signal }) {
      refuseForeign(header)
      const key = readIdempotencyKey(header('idempotency-key'))
      // Without a credential a key belongs to the address it came from.
      const credential = { ...NO_CREDENTIAL, id: address }
      const nextKey = key === undefined ? undefined : keysOf({ credential }, path, key, body)
      const visitor = { address, requestId, nextKey, disconnected: signal }
      const countMore = (messages: number) => limits.take(LIMITS.sandbox, address, messages)
      return answerMcp(endpoint, visitor, { method: 'POST', header, body, signal, countMore })
    },
  })
}
