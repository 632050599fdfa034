/** Checks that the headers that a 2026-07-28 client mirrors match the body. */

import { headerValue, type McpRequest } from './http-message.ts'
import { HEADER_MISMATCH, quote, type JsonObject, type RpcError } from './json-rpc.ts'

/**
 * Which member of `params` the `Mcp-Name` header mirrors (MCP 2026-07-28, Streamable HTTP: Standard Request Headers;
 * the `tasks/` rows are from SEP-2663).
 */
const NAME_SOURCE: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined if `MCP-Protocol-Version` matches `_meta`. */
export function checkVersionHeader(request: McpRequest, claimed: string): RpcError | undefined {
  const sent = headerValue(request, 'mcp-protocol-version')
  return sent === claimed ? undefined : mismatch('MCP-Protocol-Version', sent, claimed)
}

/** Undefined if `Mcp-Method` names the method of the body. */
export function checkMethodHeader(request: McpRequest, method: string): RpcError | undefined {
  const sent = headerValue(request, 'mcp-method')
  return sent === method ? undefined : mismatch('Mcp-Method', sent, method)
}

/** If the body lacks the mirrored member, the method reports a better error. */
export function checkNameHeader(
  request: McpRequest,
  method: string,
  params: JsonObject | undefined,
): RpcError | undefined {
  const source = NAME_SOURCE.get(method)
  if (source === undefined) return undefined
  const sent = headerValue(request, 'mcp-name')
  const named = params?.[source]
  if (typeof named !== 'string' && sent === undefined) return undefined
  if (sent !== undefined && decodeHeaderValue(sent) === named) return undefined
  return mismatch('Mcp-Name', sent, typeof named === 'string' ? named : undefined)
}

const BASE64_PREFIX = '=?base64?'
const BASE64_SUFFIX = '?='

/** Outside visible ASCII, space and tab a plain value is not allowed (RFC 9110 section 5.5). */
const UNSAFE = /[^\t -~]/

/**
 * Reads a header value, plain or `=?base64?…?=` (MCP 2026-07-28, Streamable HTTP: Value Encoding). `undefined` if it is
 * neither: bad alphabet or padding, not UTF-8, or characters that should have been encoded.
 */
export function decodeHeaderValue(value: string): string | undefined {
  if (UNSAFE.test(value)) return undefined
  const isEncoded =
    value.startsWith(BASE64_PREFIX) &&
    value.endsWith(BASE64_SUFFIX) &&
    value.length >= BASE64_PREFIX.length + BASE64_SUFFIX.length
  return isEncoded ? decodeBase64(value.slice(BASE64_PREFIX.length, -BASE64_SUFFIX.length)) : value
}

/** Node ignores invalid base64 characters, so the text is valid only if encoding it again returns the same. */
function decodeBase64(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return undefined
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

function mismatch(header: string, sent: string | undefined, wanted: string | undefined): RpcError {
  const found = sent === undefined ? 'is missing' : `is ${quote(sent)}`
  const body = wanted === undefined ? 'the body names nothing' : `the body says ${quote(wanted)}`
  return {
    code: HEADER_MISMATCH,
    message: `Header mismatch: ${header} ${found} but ${body}`,
    status: 400,
  }
}
