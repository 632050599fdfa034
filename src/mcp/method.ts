/** One JSON-RPC method of an era: what it is given, what it may answer, and how features add methods. */

import { INTERNAL_ERROR, type JsonObject, type RpcError } from './json-rpc.ts'

export type Era = 'legacy' | 'modern'

/** Self-reported and unverified: for display and logs, never for a decision. */
export interface ClientInfo {
  readonly name: string
  readonly version: string | undefined
  readonly title: string | undefined
}

export interface MethodCall<Caller> {
  readonly caller: Caller
  readonly params: JsonObject | undefined
  readonly era: Era
  readonly protocolVersion: string
  /** Modern era only: a sessionless legacy request does not say. */
  readonly clientInfo: ClientInfo | undefined
  /** Modern era only. */
  readonly clientCapabilities: JsonObject | undefined
  /** Modern era only: there going away means cancel, in the legacy era it does not. */
  readonly signal: AbortSignal | undefined
}

export type MethodAnswer =
  | {
      readonly kind: 'result'
      /** The whole `result`, already serialised. */
      readonly json: string
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  | { readonly kind: 'error'; readonly error: RpcError }

export type MethodHandler<Caller> = (
  call: MethodCall<Caller>,
) => MethodAnswer | Promise<MethodAnswer>

export type Methods<Caller> = Readonly<Record<string, MethodHandler<Caller>>>

/** A capability with the methods that serve it, so that what is advertised is what is answered. */
export interface Feature<Caller> {
  readonly capabilities: JsonObject
  readonly legacy: Methods<Caller>
  readonly modern: Methods<Caller>
}

const INTERNAL: MethodAnswer = {
  kind: 'error',
  error: { code: INTERNAL_ERROR, message: 'Internal error' },
}

/** Runs a method; whatever it throws is reported to us and hidden from the caller. */
export async function runMethod<Caller>(
  handler: MethodHandler<Caller>,
  call: MethodCall<Caller>,
  onInternalError: (error: unknown) => void,
): Promise<MethodAnswer> {
  try {
    return await handler(call)
  } catch (error) {
    onInternalError(error)
    return INTERNAL
  }
}

export function resultOf(json: string): MethodAnswer {
  return { kind: 'result', json }
}

export function refusal(error: RpcError): MethodAnswer {
  return { kind: 'error', error }
}
