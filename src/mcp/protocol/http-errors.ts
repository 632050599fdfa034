/** Refusals of the HTTP layer as JSON-RPC says them, so that a client of the tool endpoint reads one kind of error. */

import { jsonAnswer } from './http-message.ts'
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  RATE_LIMITED,
  serializeError,
  type RpcError,
} from './json-rpc.ts'
import type { RequestError } from '../../base/request-error.ts'
import type { Answer } from '../../http/response.ts'

/** What was refused before a message was read has no id to answer under. */
export function rpcErrorResponse(refusal: RequestError, requestId: string): Answer {
  const error = rpcErrorOf(refusal, requestId)
  return jsonAnswer(serializeError(null, error), error.headers, error.status)
}

/** The stable code, the hint and whatever the code needs are in `data`. */
export function rpcErrorOf(refusal: RequestError, requestId: string): RpcError {
  const { hint, retryAfter, headers, members } = refusal.details
  const retry = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return {
    code: codeOf(refusal),
    message: refusal.message,
    data: {
      code: refusal.code,
      ...(hint === undefined ? {} : { hint }),
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
      ...members,
      request_id: requestId,
    },
    status: refusal.status,
    headers: { 'cache-control': 'no-store', ...retry, ...headers },
  }
}

function codeOf({ code, status }: RequestError): number {
  if (code === 'rate_limited') return RATE_LIMITED
  return status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST
}
