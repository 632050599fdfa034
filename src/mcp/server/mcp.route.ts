/** The tool endpoint over HTTP. `/mcp` serves the latest implementation, and `/mcp/v1` is pinned to the first. */

import * as Type from '../../base/type.ts'
import {
  requestFingerprint,
  readIdempotencyKey,
  requestKey,
  type RequestKey,
} from '../../guards/idempotency-key.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { CHATGPT_APPS } from './chatgpt-tools.ts'
import { answerMcp } from './exchange.ts'
import { messageRoute } from './message-route.ts'
import { isJsonObject, decodeJson } from '../protocol/json-rpc.ts'
import { narrowedEndpoints, type EndpointFor } from './narrowed-endpoints.ts'
import type { MemberServerDeps } from './member-server.ts'
import { originCheck } from '../protocol/origin.ts'
import type { Caller } from '../../http/caller.ts'
import type { Limits } from '../../http/rate-limit-policy.ts'

const Selection = Type.Object({
  tools: Type.Optional(
    Type.String({
      description:
        'Offers only these groups of tools or tools, such as `read,notes`; as does the header `Weft-Tools`',
    }),
  ),
})

/** Larger files must be uploaded instead. */
const MCP_BODY_LIMIT = 12 * 1024 * 1024

/**
 * One implementation, mounted twice. A v2 would be a second `createMemberServer` with its own surface for retried
 * calls: `/mcp` and a new `/mcp/v2` would answer by it, and the line of `/mcp/v1` would stay as it is.
 */
export function mcpRoutes(deps: McpRouteDeps): Route[] {
  const v1: Implementation = {
    endpointFor: narrowedEndpoints(deps),
    surface: 'mcp/v1',
    limits: deps.limits,
    refuseForeign: originCheck(deps.publicUrl),
  }
  const latest = v1
  return [toolRoute('/mcp', 'callMcp', latest), toolRoute('/mcp/v1', 'callMcpV1', v1)]
}

interface McpRouteDeps extends MemberServerDeps {
  readonly limits: Limits
}

interface Implementation {
  readonly endpointFor: EndpointFor
  /** Paths that serve it share their idempotency records. */
  readonly surface: string
  readonly limits: Limits
  readonly refuseForeign: ReturnType<typeof originCheck>
}

function isChatGpt({ credential }: Caller, userAgent = ''): boolean {
  return CHATGPT_APPS.test(`${credential.name.slice(0, 200)} ${userAgent.slice(0, 200)}`)
}

function toolRoute(path: string, operationId: string, implementation: Implementation): Route {
  const { endpointFor, surface, limits, refuseForeign } = implementation
  return defineRoute({
    ...messageRoute(MCP_BODY_LIMIT),
    path,
    operationId,
    summary:
      path === '/mcp'
        ? 'The tool endpoint, latest implementation'
        : 'The tool endpoint, pinned to v1',
    description:
      'JSON-RPC 2.0 by the Model Context Protocol, every revision from 2024-11-05 to 2026-07-28.',
    access: 'bearer',
    query: Selection,
    limit: LIMITS.mcp,
    idempotent: true,
    async handle({ query, body, caller, header, requestId, signal }) {
      refuseForeign(header)
      const endpoint = endpointFor(
        { ...caller.limits, isChatGpt: isChatGpt(caller, header('user-agent')) },
        query.tools,
        header('weft-tools'),
      )
      const key = header('idempotency-key')
      const nextKey = key === undefined ? undefined : idempotencyKeys(caller, surface, key, body)
      const by = { caller, requestId, nextKey, disconnected: signal }
      const countMore = (messages: number) =>
        limits.take(LIMITS.mcp, caller.credential.id, messages)
      return answerMcp(endpoint, by, { method: 'POST', header, body, signal, countMore })
    },
  })
}

/**
 * The key covers the whole body. Each call in it has its own record, by position.
 *
 * @throws {RequestError} `idempotency_key_invalid` when the header is not a key.
 */
export function idempotencyKeys(
  { credential }: Pick<Caller, 'credential'>,
  surface: string,
  header: string,
  body: Uint8Array,
): () => RequestKey {
  const key = readIdempotencyKey(header)
  const fingerprint = requestFingerprint(meaningOf(decodeJson(body)))
  let index = 0
  return () => requestKey({ scope: credential.id, surface, key, index: index++, fingerprint })
}

/**
 * What a message asks for: its ID and `_meta` (progress token, trace, client) may differ when it is sent again, and a request
 * that comes again with the answers to what it was asked is the same request.
 */
function meaningOf(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(meaningOf)
  if (!isJsonObject(body)) return body
  const { id: _id, params, ...rest } = body
  if (!isJsonObject(params)) return { ...rest, params }
  const { _meta, inputResponses: _responses, requestState: _state, ...meant } = params
  return { ...rest, params: meant }
}
