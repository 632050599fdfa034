/** A JSON-RPC method of an era: its input, its output, and how features add methods. */

import { RequestError } from '../../base/request-error.ts'
import {
  INTERNAL_ERROR,
  invalidParams,
  temporarilyUnavailable,
  type JsonObject,
  type RpcError,
  type RpcId,
} from './json-rpc.ts'
import type { Reply } from './reply.ts'
import type { MethodAnswer } from './http-message.ts'

export type Era = 'legacy' | 'modern'

export interface MethodCall<Caller> {
  readonly caller: Caller
  readonly id: RpcId
  readonly params: JsonObject | undefined
  readonly era: Era
  readonly protocolVersion: string
  /** In the legacy era only elicitation, from the session ID. */
  readonly clientCapabilities: JsonObject | undefined
  /** A header of the HTTP request, by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** Sends messages before the result. */
  readonly reply: Reply
  /** Modern era only, where a closed connection cancels the request. In the legacy era it does not. */
  readonly signal: AbortSignal | undefined
}

export type MethodHandler<Caller> = (
  call: MethodCall<Caller>,
) => MethodAnswer | Promise<MethodAnswer>

export type Methods<Caller> = Readonly<Record<string, MethodHandler<Caller>>>

/** Capabilities of an era with their methods, so that every advertised capability is served. */
export interface Feature<Caller> {
  readonly capabilities: JsonObject
  readonly methods: Methods<Caller>
}

const INTERNAL: MethodAnswer = {
  kind: 'error',
  error: { code: INTERNAL_ERROR, message: 'Internal error' },
}

/** Runs a method and reports its errors internally. The caller learns only whether to retry. */
export async function runMethod<Caller>(
  handler: MethodHandler<Caller>,
  call: MethodCall<Caller>,
  onInternalError: (error: unknown) => void,
): Promise<MethodAnswer> {
  try {
    return await handler(call)
  } catch (error) {
    onInternalError(error)
    if (!(error instanceof RequestError) || error.code !== 'unavailable') return INTERNAL
    return methodError(temporarilyUnavailable(error.message, error.details.retryAfter ?? 1))
  }
}

/** Returns the only page. Cursors are never issued. */
export function singlePage<Caller>(pageJson: string): MethodHandler<Caller> {
  const onlyPage = sharedResult(pageJson)
  const foreignCursor = methodError(invalidParams('"cursor" was not issued by this server'))
  return ({ params }) =>
    (params?.['cursor'] ?? undefined) === undefined ? onlyPage : foreignCursor
}

/** `json` is the result as JSON. */
export function resultOf(json: string): MethodAnswer {
  return { kind: 'result', json }
}

/** A result that is the same for every caller, serialized once. */
function sharedResult(json: string): MethodAnswer {
  return { kind: 'result', json, isShared: true }
}

/** A protocol error. Tool errors are results with `isError`. */
export function methodError(error: RpcError): MethodAnswer {
  return { kind: 'error', error }
}
