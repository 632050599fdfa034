/** Answers one stateless message of MCP 2026-07-28: validates it step by step, then runs the method. */

import type { McpEndpoint } from './endpoint.ts'
import {
  CLIENT_CAPABILITIES_KEY,
  PROTOCOL_VERSION_KEY,
  isServedModernVersion,
  MODERN_VERSIONS,
} from '../protocol/era.ts'
import {
  ACCEPTED,
  errorAnswer,
  headerValue,
  methodAnswer,
  type McpAnswer,
  type McpRequest,
} from '../protocol/http-message.ts'
import {
  invalidParams,
  isJsonObject,
  methodNotFound,
  UNSUPPORTED_PROTOCOL_VERSION,
  type JsonObject,
  type RpcError,
  type RpcNotification,
  type RpcRequest,
} from '../protocol/json-rpc.ts'
import { runMethod } from '../protocol/method.ts'
import {
  checkMethodHeader,
  checkNameHeader,
  checkVersionHeader,
} from '../protocol/mirrored-headers.ts'
import { Reply, readsEvents } from '../protocol/reply.ts'

/** The first check that fails answers (MCP 2026-07-28, Streamable HTTP: Server Validation). */
export async function answerModernRequest<Caller>(
  endpoint: McpEndpoint<Caller>,
  caller: Caller,
  request: McpRequest,
  message: RpcRequest,
  meta: JsonObject,
): Promise<McpAnswer> {
  const { id, method, params } = message
  const version = meta[PROTOCOL_VERSION_KEY]
  if (typeof version !== 'string') return errorAnswer(id, VERSION_NOT_TEXT)
  const badVersion = checkVersionHeader(request, version) ?? checkServed(version)
  if (badVersion) return errorAnswer(id, badVersion)
  const clientCapabilities = meta[CLIENT_CAPABILITIES_KEY]
  if (!isJsonObject(clientCapabilities)) return errorAnswer(id, CAPABILITIES_MISSING)
  const badMirror = checkMethodHeader(request, method) ?? checkNameHeader(request, method, params)
  if (badMirror) return errorAnswer(id, badMirror)
  const handler = endpoint.modernMethods.get(method)
  if (!handler) return errorAnswer(id, { ...methodNotFound(method), status: 404 })
  const reply = new Reply(readsEvents(request))
  const answer = runMethod(
    handler,
    {
      caller,
      id,
      params,
      era: 'modern',
      protocolVersion: version,
      clientCapabilities,
      header: request.header,
      reply,
      signal: request.signal,
    },
    endpoint.onInternalError,
  )
  return reply.settle(answer.then((settled) => methodAnswer(id, settled)))
}

/**
 * No notification of this era asks for anything; a well-formed one is accepted and dropped. Its headers are not
 * required, but may not contradict the body (MCP 2026-07-28, Streamable HTTP: Sending Messages).
 */
export function answerModernNotification(
  request: McpRequest,
  { method }: RpcNotification,
  meta: JsonObject | undefined,
): McpAnswer {
  const sentVersion = headerValue(request, 'mcp-protocol-version')
  const version = meta ? meta[PROTOCOL_VERSION_KEY] : sentVersion
  if (typeof version !== 'string') return errorAnswer(null, VERSION_NOT_TEXT)
  const failed =
    (sentVersion === undefined ? undefined : checkVersionHeader(request, version)) ??
    checkServed(version) ??
    (headerValue(request, 'mcp-method') === undefined
      ? undefined
      : checkMethodHeader(request, method))
  return failed ? errorAnswer(null, failed) : ACCEPTED
}

const VERSION_NOT_TEXT = malformed(`${PROTOCOL_VERSION_KEY} must be a string`)

const CAPABILITIES_MISSING = malformed(`"_meta" needs ${CLIENT_CAPABILITIES_KEY}, an object`)

/** MCP 2026-07-28, basic: a missing required field is `-32602` with HTTP 400. */
function malformed(detail: string): RpcError {
  return { ...invalidParams(detail), status: 400 }
}

function checkServed(requested: string): RpcError | undefined {
  if (isServedModernVersion(requested)) return undefined
  return {
    code: UNSUPPORTED_PROTOCOL_VERSION,
    message: 'Unsupported protocol version',
    data: { supported: MODERN_VERSIONS, requested },
    status: 400,
  }
}
