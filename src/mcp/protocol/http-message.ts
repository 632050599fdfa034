/** Requests and responses of a tool endpoint, independent of the HTTP framework. */

import type { TextStream, Encodings } from '../../http/response.ts'
import type { LimitVerdict } from '../../http/rate-limit-policy.ts'
import { serializeError, serializeResult, type RpcError, type RpcId } from './json-rpc.ts'
import { gzipSync } from 'node:zlib'

export interface McpRequest {
  readonly method: string
  /** Looks up a header by its lower-case name; names are case-insensitive (RFC 9110 section 5.1). */
  readonly header: (name: string) => string | undefined
  /** The raw bytes; `undefined` when there is no body. */
  readonly body: Uint8Array | undefined
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal | undefined
  /** Counts the further messages of a batch, whose first one was counted as the request. No limit without it. */
  readonly countMore?: (messages: number) => LimitVerdict | Promise<LimitVerdict>
}

export interface McpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; undefined for 202 Accepted and for a stream. */
  readonly body: string | undefined
  /** Encodes `body`, if everything except the ID is the same for all callers. */
  readonly encodings?: Encodings
  /** Server-sent events; the last one is the response. */
  readonly stream?: TextStream
}

/** An accepted message without a response (MCP 2025-11-25 and 2026-07-28, Streamable HTTP). */
export const ACCEPTED: McpAnswer = { status: 202, headers: {}, body: undefined }

const JSON_TYPE = { 'content-type': 'application/json' }

/** `body` is JSON already. */
export function jsonAnswer(
  body: string,
  headers?: Readonly<Record<string, string>>,
  status = 200,
): McpAnswer {
  return { status, headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE, body }
}

/** `id` is null if the request has no valid ID (JSON-RPC 2.0 section 5). */
export function errorAnswer(id: RpcId | null, error: RpcError): McpAnswer {
  return jsonAnswer(serializeError(id, error), error.headers, error.status)
}

/** A shorter text fits in one packet uncompressed. */
const MIN_COMPRESSED_LENGTH = 1_400

/** The outcome of a method, with the ID of its request. */
export function methodAnswer(id: RpcId, answer: MethodAnswer): McpAnswer {
  if (answer.kind === 'error') return errorAnswer(id, answer.error)
  const { json, headers, isShared } = answer
  const text = serializeResult(id, json)
  const plain = jsonAnswer(text, headers)
  return isShared && text.length >= MIN_COMPRESSED_LENGTH
    ? { ...plain, encodings: { gzip: () => gzipSync(text) } }
    : plain
}

/**
 * A header value without the optional whitespace around it (RFC 9110 section 5.5). Uses a loop, because a pattern is
 * quadratic in a long run of spaces, and `trim` takes more than spaces and tabs.
 */
export function headerValue(request: McpRequest, name: string): string | undefined {
  const value = request.header(name)
  if (value === undefined) return undefined
  let start = 0
  let end = value.length
  while (start < end && isOptionalSpace(value.charCodeAt(start))) start++
  while (end > start && isOptionalSpace(value.charCodeAt(end - 1))) end--
  return value.slice(start, end)
}

function isOptionalSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

export type MethodAnswer =
  | {
      readonly kind: 'result'
      /** The serialized `result`. */
      readonly json: string
      readonly headers?: Readonly<Record<string, string>> | undefined
      /** The same for every caller, so that its compressed length reveals nothing. Every client supports gzip. */
      readonly isShared?: true
    }
  | { readonly kind: 'error'; readonly error: RpcError }
