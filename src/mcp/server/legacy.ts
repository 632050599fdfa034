/** Handles messages of the revisions before 2026-07-28, without sessions: every POST is independent. */

import { SESSION_HEADER, declaresForms } from '../features/lifecycle.ts'
import type { McpEndpoint } from './endpoint.ts'
import {
  ACCEPTED,
  errorAnswer,
  headerValue,
  jsonAnswer,
  methodAnswer,
  type McpAnswer,
  type McpRequest,
  type MethodAnswer,
} from '../protocol/http-message.ts'
import {
  invalidRequest,
  methodNotFound,
  quote,
  rateLimited,
  readMessage,
  serializeError,
  serializeResult,
  type JsonObject,
  type RpcError,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  type ValidMessage,
} from '../protocol/json-rpc.ts'
import { methodError, runMethod } from '../protocol/method.ts'
import {
  allowsBatches,
  ASSUMED_VERSION,
  isLegacyVersion,
  LEGACY_VERSIONS,
} from '../protocol/era.ts'
import { Reply, readsEvents } from '../protocol/reply.ts'

/** Larger batches are rejected, because each element costs as much as a separate request. */
const MAX_BATCH_SIZE = 100

/**
 * Notifications are accepted and dropped, `notifications/cancelled` too: it comes as a POST of its own, to any node of
 * the service, and an id alone does not tell whose request it means. What takes long is a job, and jobs are cancelled.
 */
export async function answerLegacyMessage<Caller>(
  endpoint: McpEndpoint<Caller>,
  caller: Caller,
  request: McpRequest,
  message: ValidMessage,
): Promise<McpAnswer> {
  const version = requestedVersion(request)
  if (!isLegacyVersion(version) && !isInitialize(message)) {
    return errorAnswer('id' in message ? message.id : null, unknownVersion(version))
  }
  if (message.kind === 'response') endpoint.takeResponse?.(caller, message)
  if (message.kind !== 'request') return ACCEPTED
  const reply = new Reply(readsEvents(request))
  const answer = runRequest(endpoint, caller, request, message, reply)
  return reply.settle(answer.then((settled) => methodAnswer(message.id, settled)))
}

/** JSON-RPC 2.0 section 6, as MCP 2025-03-26 takes it: elements run side by side, answers keep their order. */
export async function answerLegacyBatch<Caller>(
  endpoint: McpEndpoint<Caller>,
  caller: Caller,
  request: McpRequest,
  batch: readonly unknown[],
): Promise<McpAnswer> {
  const failed = checkBatch(requestedVersion(request), batch)
  if (failed) return errorAnswer(null, failed)
  const { admitted, rejection, headers } = await countBatch(request, batch.length)
  const entries = await Promise.all(
    batch.map((element, place) =>
      answerElement(endpoint, caller, request, element, place < admitted ? undefined : rejection),
    ),
  )
  return joinEntries(
    entries.filter((entry) => entry !== undefined),
    headers,
  )
}

interface BatchCount {
  /** Messages from the first on that there is room for. */
  readonly admitted: number
  /** How requests after those are answered. */
  readonly rejection: RpcError
  /** The remaining quota after the whole batch was counted. */
  readonly headers: Readonly<Record<string, string>>
}

/** Each message of a batch counts as a separate request; the first one was counted on arrival. */
async function countBatch({ countMore }: McpRequest, messages: number): Promise<BatchCount> {
  const verdict = messages > 1 ? await countMore?.(messages - 1) : undefined
  if (!verdict) return { admitted: messages, rejection: rateLimited(0), headers: {} }
  const { admitted, retryAfter, headers } = verdict
  return { admitted: 1 + admitted, rejection: rateLimited(retryAfter), headers }
}

function requestedVersion(request: McpRequest): string {
  return headerValue(request, 'mcp-protocol-version') ?? ASSUMED_VERSION
}

/** `initialize` negotiates in its body, so what its header says is not held against it. */
function isInitialize(message: RpcMessage): boolean {
  return message.kind === 'request' && message.method === 'initialize'
}

/** MCP 2025-06-18, basic/transports: an unsupported version header MUST be answered with 400. */
function unknownVersion(version: string): RpcError {
  return invalidRequest(
    `unsupported MCP-Protocol-Version ${quote(version)}; served here: ${LEGACY_VERSIONS.join(', ')}`,
  )
}

function runRequest<Caller>(
  endpoint: McpEndpoint<Caller>,
  caller: Caller,
  request: McpRequest,
  { id, method, params }: RpcRequest,
  reply: Reply,
): Promise<MethodAnswer> {
  const handler = endpoint.legacyMethods.get(method)
  if (!handler) return Promise.resolve(methodError(methodNotFound(method)))
  return runMethod(
    handler,
    {
      caller,
      id,
      params,
      era: 'legacy',
      protocolVersion: requestedVersion(request),
      clientCapabilities: capabilitiesOf(endpoint, request, reply),
      header: request.header,
      reply,
      signal: undefined,
    },
    endpoint.onInternalError,
  )
}

/**
 * Only what `initialize` declared and the session ID repeats, if the client can be asked on this request. Calls with an
 * Idempotency-Key are of programs that retry.
 */
function capabilitiesOf<Caller>(
  { takeResponse }: McpEndpoint<Caller>,
  request: McpRequest,
  { canStream }: Reply,
): JsonObject | undefined {
  const session = headerValue(request, SESSION_HEADER)
  if (session === undefined || !declaresForms(session)) return undefined
  const canAsk = takeResponse !== undefined && canStream && !headerValue(request, 'idempotency-key')
  return canAsk ? { elicitation: {} } : undefined
}

function checkBatch(version: string, batch: readonly unknown[]): RpcError | undefined {
  if (!isLegacyVersion(version)) return unknownVersion(version)
  if (!allowsBatches(version)) {
    return invalidRequest(`MCP ${version} has no batches; send one message per POST`)
  }
  if (batch.length === 0) return invalidRequest('a batch must not be empty')
  if (batch.length > MAX_BATCH_SIZE) {
    return invalidRequest(`a batch holds at most ${MAX_BATCH_SIZE} messages, not ${batch.length}`)
  }
  return undefined
}

interface Entry {
  readonly json: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** The entry for one element; none for notifications and responses. */
async function answerElement<Caller>(
  endpoint: McpEndpoint<Caller>,
  caller: Caller,
  request: McpRequest,
  element: unknown,
  rejection: RpcError | undefined,
): Promise<Entry | undefined> {
  const message = readMessage(element)
  if (message.kind === 'response') endpoint.takeResponse?.(caller, message)
  if (message.kind === 'notification' || message.kind === 'response') return undefined
  if (message.kind === 'invalid') return failedEntry(message.id, message.error)
  const { id } = message
  if (rejection) return failedEntry(id, rejection)
  if (isInitialize(message)) return failedEntry(id, BATCHED_INITIALIZE)
  const answer = await runRequest(endpoint, caller, request, message, WHOLE)
  if (answer.kind === 'error') return failedEntry(id, answer.error)
  return { json: serializeResult(id, answer.json), status: 200, headers: answer.headers }
}

/** The answer to a batch is one JSON document: nothing is said ahead of it. */
const WHOLE = new Reply(false)

/** MCP 2025-03-26, basic/lifecycle: initialize MUST NOT be part of a batch. */
const BATCHED_INITIALIZE = invalidRequest('initialize cannot be part of a batch')

function failedEntry(id: RpcId | null, error: RpcError): Entry {
  return { json: serializeError(id, error), status: error.status ?? 200, headers: error.headers }
}

/**
 * A batch is 200 unless every entry failed with one and the same HTTP status, such as 429: a client told 429 sends
 * everything again, and what did run must not run twice.
 */
function joinEntries(
  entries: readonly Entry[],
  limitHeaders: Readonly<Record<string, string>>,
): McpAnswer {
  const [first] = entries
  if (!first) return { ...ACCEPTED, headers: limitHeaders }
  const status = entries.every((entry) => entry.status === first.status) ? first.status : 200
  const headers = Object.assign({}, limitHeaders, ...entries.map((entry) => entry.headers))
  return jsonAnswer(`[${entries.map((entry) => entry.json).join(',')}]`, headers, status)
}
