/** Determines the era of a POSTed body, and rejects invalid bodies. */

import {
  invalidParams,
  invalidRequest,
  isJsonObject,
  readMessage,
  type InvalidMessage,
  type JsonObject,
  type RpcId,
  type RpcError,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  type ValidMessage,
} from './json-rpc.ts'

/** MCP 2026-07-28, basic: per-request protocol fields in `params._meta`. */
export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

type Classified =
  | { readonly kind: 'rejected'; readonly id: RpcId | null; readonly error: RpcError }
  | { readonly kind: 'modern-request'; readonly message: RpcRequest; readonly meta: JsonObject }
  | {
      readonly kind: 'modern-notification'
      readonly message: RpcNotification
      readonly meta: JsonObject | undefined
    }
  | { readonly kind: 'legacy-batch'; readonly batch: readonly unknown[] }
  | { readonly kind: 'legacy-message'; readonly message: ValidMessage }

/**
 * The version claimed in the body decides. The `MCP-Protocol-Version` header is used only if the body has none, and never
 * makes a request legacy (MCP 2026-07-28, basic/versioning: Backward Compatibility).
 */
export function classifyBody(body: unknown, versionHeader: string | undefined): Classified {
  if (Array.isArray(body)) return classifyBatch(body)
  const message = readMessage(body)
  if (message.kind === 'invalid') return refuseInvalid(message, versionHeader)
  if (message.kind === 'request') return classifyRequest(message, versionHeader)
  if (message.kind === 'notification') return classifyNotification(message, versionHeader)
  return classifyResponse(message, versionHeader)
}

function classifyBatch(batch: readonly unknown[]): Classified {
  if (batch.some((element) => isJsonObject(element) && claimOf(element['params']))) {
    return reject(null, invalidRequest('MCP 2026-07-28 has no batches; send one message per POST'))
  }
  return { kind: 'legacy-batch', batch }
}

function refuseInvalid(message: InvalidMessage, versionHeader: string | undefined): Classified {
  const status = namesModernEra(versionHeader) ? { status: 400 } : undefined
  return reject(message.id, { ...message.error, ...status })
}

/** MCP 2026-07-28, Streamable HTTP: the client MUST NOT send responses. */
function classifyResponse(message: RpcResponse, versionHeader: string | undefined): Classified {
  if (namesModernEra(versionHeader)) {
    return reject(null, invalidRequest('MCP 2026-07-28 has no responses from the client'))
  }
  return { kind: 'legacy-message', message }
}

function classifyRequest(message: RpcRequest, versionHeader: string | undefined): Classified {
  const meta = claimOf(message.params)
  if (meta) return { kind: 'modern-request', message, meta }
  if (message.method !== 'initialize' && namesModernEra(versionHeader)) {
    return reject(message.id, {
      ...invalidParams(`MCP ${versionHeader} needs "_meta" with ${PROTOCOL_VERSION_KEY}`),
      status: 400,
    })
  }
  return { kind: 'legacy-message', message }
}

/** Core notifications contain no version, so the header decides. */
function classifyNotification(
  message: RpcNotification,
  versionHeader: string | undefined,
): Classified {
  const meta = claimOf(message.params)
  if (meta || namesModernEra(versionHeader)) return { kind: 'modern-notification', message, meta }
  return { kind: 'legacy-message', message }
}

/** The `_meta` of a message that claims to be modern; its claim may still be wrong. */
function claimOf(params: unknown): JsonObject | undefined {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) && meta[PROTOCOL_VERSION_KEY] !== undefined ? meta : undefined
}

function reject(id: RpcId | null, error: RpcError): Classified {
  return { kind: 'rejected', id, error }
}

/** Revisions that start with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** The response of `initialize` to an unknown version (MCP 2025-11-25, basic/lifecycle). */
export const LATEST_LEGACY_VERSION = '2025-11-25'

/** Revisions that include their version in every request; the only ones named in errors and in `server/discover`. */
export const MODERN_VERSIONS = ['2026-07-28'] as const

/** The version of a request without an `MCP-Protocol-Version` header (MCP 2025-06-18, basic/transports). */
export const ASSUMED_VERSION = '2025-03-26'

const FIRST_MODERN_VERSION = '2026-07-28'

/** MCP 2025-06-18 removed JSON-RPC batches. */
const FIRST_VERSION_WITHOUT_BATCHES = '2025-06-18'

const VERSION_SHAPE = /^\d{4}-\d{2}-\d{2}$/

/** True for the supported revisions that begin with `initialize`. */
export function isLegacyVersion(version: string): boolean {
  return (LEGACY_VERSIONS as readonly string[]).includes(version)
}

/** True for the supported revisions without sessions. */
export function isServedModernVersion(version: string): boolean {
  return (MODERN_VERSIONS as readonly string[]).includes(version)
}

/** True for 2026-07-28 and later revisions, supported or not. Revisions are dates, so they compare as text. */
function namesModernEra(version: string | undefined): boolean {
  return version !== undefined && version >= FIRST_MODERN_VERSION && VERSION_SHAPE.test(version)
}

/** JSON-RPC batches were removed in revision 2025-06-18. */
export function allowsBatches(legacyVersion: string): boolean {
  return legacyVersion < FIRST_VERSION_WITHOUT_BATCHES
}
