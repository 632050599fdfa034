/** The subset of JSON-RPC 2.0 that MCP uses: parses messages, serializes results and errors. */

export type JsonObject = Readonly<Record<string, unknown>>

/** MCP forbids `null` and fractions as ids (2025-11-25 and 2026-07-28, basic). */
export type RpcId = string | number

export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RpcId
  readonly method: string
  readonly params: JsonObject | undefined
}

export interface RpcNotification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject | undefined
}

/** A response to a server request. Of an error, only the message is kept. */
export interface RpcResponse {
  readonly kind: 'response'
  readonly id: RpcId | null
  readonly outcome:
    | { readonly ok: true; readonly result: unknown }
    | { readonly ok: false; readonly message: string }
}

export interface InvalidMessage {
  readonly kind: 'invalid'
  /** `null` if the message has no valid ID (JSON-RPC 2.0 section 5). */
  readonly id: RpcId | null
  readonly error: RpcError
}

export type ValidMessage = RpcRequest | RpcNotification | RpcResponse

export type RpcMessage = ValidMessage | InvalidMessage

/** JSON-RPC 2.0 section 5.1, with its HTTP response. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
  /** HTTP status; 200 if omitted. */
  readonly status?: number
  /** HTTP headers that belong to the error, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** Defined by Weft's API, and sent only with HTTP 429. */
export const RATE_LIMITED = -32003
/** MCP 2026-07-28, basic: Error Codes. */
export const HEADER_MISMATCH = -32020
export const MISSING_CLIENT_CAPABILITY = -32021
export const UNSUPPORTED_PROTOCOL_VERSION = -32022

/** RFC 8259 section 8.1: JSON between systems is UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The parsed body, or `undefined` when it is not JSON in UTF-8. JSON itself has no `undefined`. */
export function decodeJson(body: Uint8Array | undefined): unknown {
  if (body === undefined) return undefined
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    return undefined
  }
}

/** Classifies a parsed value (JSON-RPC 2.0 section 4). Reads own members only and copies none. */
export function readMessage(value: unknown): RpcMessage {
  if (!isJsonObject(value)) return invalid(null, 'a message must be a JSON object')
  const { id, method, params } = value
  if (value['jsonrpc'] !== '2.0') return invalid(idOf(value), '"jsonrpc" must be "2.0"')
  if (method === undefined && isResponse(value)) return readResponse(value)
  if (typeof method !== 'string') return invalid(idOf(value), '"method" must be a string')
  if (id === undefined) {
    return { kind: 'notification', method, params: isJsonObject(params) ? params : undefined }
  }
  if (!isRpcId(id)) return invalid(null, '"id" must be a string or a whole number below 2^53')
  if (params !== undefined && !isJsonObject(params)) {
    return { kind: 'invalid', id, error: invalidParams('"params" must be an object') }
  }
  return { kind: 'request', id, method, params }
}

/** The ID for the response, or `null` if the value has no valid one. */
export function idOf(value: unknown): RpcId | null {
  return isJsonObject(value) && isRpcId(value['id']) ? value['id'] : null
}

/** False for arrays and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `resultJson` is JSON already. */
export function serializeResult(id: RpcId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${serializeId(id)},"result":${resultJson}}`
}

/** A request to the client as JSON text (JSON-RPC 2.0 section 4). */
export function serializeRequest(id: RpcId, method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** A notification has no ID and no response (JSON-RPC 2.0 section 4.1). */
export function serializeNotification(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

/** Only `code`, `message` and `data` go on the wire. */
export function serializeError(id: RpcId | null, error: RpcError): string {
  const { code, message, data } = error
  return `{"jsonrpc":"2.0","id":${serializeId(id)},"error":${JSON.stringify({ code, message, data })}}`
}

/** Code -32600: the message is not a request of JSON-RPC or of MCP. */
export function invalidRequest(detail: string): RpcError {
  return { code: INVALID_REQUEST, message: `Invalid request: ${detail}`, status: 400 }
}

/** Code -32602: a known method, but parameters that it does not accept. */
export function invalidParams(detail: string): RpcError {
  return { code: INVALID_PARAMS, message: `Invalid params: ${detail}` }
}

/** Code -32601. */
export function methodNotFound(method: string): RpcError {
  return { code: METHOD_NOT_FOUND, message: `Method not found: ${quote(method)}` }
}

/** The HTTP status is 429, with `Retry-After`. */
export function rateLimited(retryAfterSeconds: number): RpcError {
  return {
    code: RATE_LIMITED,
    message: `Rate limit exceeded. Try again in ${retryAfterSeconds} seconds.`,
    data: { retry_after: retryAfterSeconds },
    status: 429,
    headers: { 'retry-after': String(retryAfterSeconds) },
  }
}

/** The service is temporarily unavailable; the request can be retried. */
export function temporarilyUnavailable(message: string, retryAfterSeconds: number): RpcError {
  return {
    code: INTERNAL_ERROR,
    message,
    data: { code: 'unavailable', retry_after: retryAfterSeconds },
    status: 503,
    headers: { 'cache-control': 'no-store', 'retry-after': String(retryAfterSeconds) },
  }
}

/** Quotes caller input for a message: truncated and on one line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

function invalid(id: RpcId | null, detail: string): InvalidMessage {
  return { kind: 'invalid', id, error: invalidRequest(detail) }
}

/** Numbers above 2^53 lose precision, so they would not be echoed exactly. */
function isRpcId(id: unknown): id is RpcId {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function isResponse(value: JsonObject): boolean {
  return Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')
}

function readResponse(value: JsonObject): RpcResponse {
  const id = idOf(value)
  const { error, result } = value
  if (error === undefined) return { kind: 'response', id, outcome: { ok: true, result } }
  const message = isJsonObject(error) ? error['message'] : undefined
  const told = typeof message === 'string' ? message : 'no reason given'
  return { kind: 'response', id, outcome: { ok: false, message: told } }
}

function serializeId(id: RpcId | null): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id)
}
