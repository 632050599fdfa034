/** The tool endpoint over HTTP: `/mcp` follows the latest implementation, `/mcp/v1` stays with the first. */

import { Refusal } from '../base/refusal.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { createMcpEndpoint, type McpEndpoint } from './endpoint.ts'
import { answerMcp } from './exchange.ts'
import { originCheck } from './origin.ts'
import { createToolServer, type ToolCaller, type ToolServerParts } from './tool-server.ts'
import type { Answer } from '../http/answer.ts'

/** A larger file is uploaded, not pasted into a call. */
const MCP_BODY_LIMIT = 12 * 1024 * 1024

/**
 * One implementation, mounted twice. A v2 would be a second `createToolServer` beside this one: `/mcp` and a new
 * `/mcp/v2` would answer by it, and the line of `/mcp/v1` would stay as it is.
 */
export function mcpRoutes(parts: ToolServerParts): Route[] {
  const v1 = createMcpEndpoint(createToolServer(parts))
  const latest = v1
  const refuseForeign = originCheck(parts.publicUrl)
  return [
    toolRoute('/mcp', 'callMcp', latest, refuseForeign),
    toolRoute('/mcp/v1', 'callMcpV1', v1, refuseForeign),
  ]
}

function toolRoute(
  path: string,
  operationId: string,
  endpoint: McpEndpoint<ToolCaller>,
  refuseForeign: ReturnType<typeof originCheck>,
): Route {
  return defineRoute({
    method: 'POST',
    path,
    operationId,
    summary:
      path === '/mcp'
        ? 'The tool endpoint, latest implementation'
        : 'The tool endpoint, pinned to v1',
    description:
      'JSON-RPC 2.0 by the Model Context Protocol, every revision from 2024-11-05 to 2026-07-28.',
    access: 'bearer',
    body: { kind: 'bytes', types: ['*/*'], maxBytes: MCP_BODY_LIMIT },
    answers: {
      200: { description: 'A JSON-RPC response, or a batch of them', type: 'application/json' },
      202: { description: 'A notification was accepted; no content' },
    },
    async handle({ body, caller, header, requestId, signal }): Promise<Answer> {
      refuseForeign(header)
      if (body === undefined)
        throw new Refusal('invalid_request', 'A JSON-RPC message is expected.')
      return answerMcp(endpoint, { caller, requestId }, { method: 'POST', header, body, signal })
    },
  })
}
