/** The tool endpoint without HTTP: one request in, one answer out, every MCP revision at one URL. */

import { MAX_JSON_DEPTH, isTooDeep, isType } from '../../http/body/parse-request.ts'
import type { McpEndpoint } from './endpoint.ts'
import { classifyBody } from '../protocol/era.ts'
import {
  errorAnswer,
  headerValue,
  jsonAnswer,
  type McpAnswer,
  type McpRequest,
} from '../protocol/http-message.ts'
import {
  idOf,
  INVALID_REQUEST,
  invalidRequest,
  isJsonObject,
  PARSE_ERROR,
  decodeJson,
  rateLimited,
  serializeError,
  type RpcError,
  type RpcId,
} from '../protocol/json-rpc.ts'
import { answerLegacyBatch, answerLegacyMessage } from './legacy.ts'
import { answerModernNotification, answerModernRequest } from './modern.ts'

const POST_ONLY: RpcError = {
  code: INVALID_REQUEST,
  message: 'Method not allowed: send JSON-RPC messages with POST',
  status: 405,
  headers: { allow: 'POST' },
}

const JSON_ONLY: RpcError = {
  code: INVALID_REQUEST,
  message: 'Unsupported media type: Content-Type must be application/json',
  status: 415,
}

const NOT_JSON: RpcError = {
  code: PARSE_ERROR,
  message: 'Parse error: the body is not JSON in UTF-8',
  status: 400,
}

const TOO_DEEP = invalidRequest(`the body is nested deeper than ${MAX_JSON_DEPTH} levels`)

/**
 * Answers one HTTP request to a tool endpoint: MCP 2024-11-05 to 2025-11-25 and 2026-07-28, Streamable HTTP without
 * sessions. Never throws. The answer is JSON whatever `Accept` says, unless something is to be said ahead of the result
 * and the client reads events. Origin, bearer and rate limits are the caller's to check first.
 */
export async function answerMcp<Caller>(
  endpoint: McpEndpoint<Caller>,
  caller: Caller,
  request: McpRequest,
): Promise<McpAnswer> {
  if (request.method !== 'POST') return errorAnswer(null, POST_ONLY)
  if (!isType(request.header('content-type'), ['application/json']))
    return errorAnswer(null, JSON_ONLY)
  const body = decodeJson(request.body)
  if (body === undefined) return errorAnswer(null, NOT_JSON)
  if (isTooDeep(body)) return errorAnswer(idOf(body), TOO_DEEP)
  return answerBody(endpoint, caller, request, body)
}

/**
 * The answer to a request that is over a limit before anything was run: HTTP 429 with `-32003` under the request's
 * own id, or under each id of a batch. The ids of responses are not answered: they are the server's own.
 */
export function rateLimitResponse(
  bytes: Uint8Array | undefined,
  retryAfterSeconds: number,
): McpAnswer {
  const error = rateLimited(retryAfterSeconds)
  const body = decodeJson(bytes)
  const ids = Array.isArray(body) ? body.map(requestIdOf).filter((id) => id !== null) : []
  if (ids.length === 0) return errorAnswer(requestIdOf(body), error)
  const entries = ids.map((id) => serializeError(id, error))
  return jsonAnswer(`[${entries.join(',')}]`, error.headers, error.status)
}

function requestIdOf(value: unknown): RpcId | null {
  return isJsonObject(value) && 'method' in value ? idOf(value) : null
}

function answerBody<Caller>(
  endpoint: McpEndpoint<Caller>,
  caller: Caller,
  request: McpRequest,
  body: unknown,
): Promise<McpAnswer> | McpAnswer {
  const found = classifyBody(body, headerValue(request, 'mcp-protocol-version'))
  switch (found.kind) {
    case 'rejected':
      return errorAnswer(found.id, found.error)
    case 'modern-request':
      return answerModernRequest(endpoint, caller, request, found.message, found.meta)
    case 'modern-notification':
      return answerModernNotification(request, found.message, found.meta)
    case 'legacy-batch':
      return answerLegacyBatch(endpoint, caller, request, found.batch)
    case 'legacy-message':
      return answerLegacyMessage(endpoint, caller, request, found.message)
    default:
      return found satisfies never
  }
}
