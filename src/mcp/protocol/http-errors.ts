/** Converts errors of the HTTP layer to JSON-RPC, so that clients of the tool endpoint handle one kind of error. */

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

/** For an error before a message was read. It has no ID. */
export function rpcErrorResponse(error: RequestError, requestId: string): Answer {
  const rpcError = rpcErrorOf(error, requestId)
  return jsonAnswer(serializeError(null, rpcError), rpcError.headers, rpcError.status)
}

/** `data` contains the stable code, the hint and further members of the error. */
export function rpcErrorOf(error: RequestError, requestId: string): RpcError {
  const { hint, retryAfter, headers, members } = error.details
  const retry = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return {
    code: codeOf(error),
    message: error.message,
    data: {
      code: error.code,
      ...(hint === undefined ? {} : { hint }),
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
      ...members,
      request_id: requestId,
    },
    status: error.status,
    headers: { 'cache-control': 'no-store', ...retry, ...headers },
  }
}

function codeOf({ code, status }: RequestError): number {
  if (code === 'rate_limited') return RATE_LIMITED
  return status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST
}
