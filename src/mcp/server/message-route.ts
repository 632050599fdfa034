/** What the routes of all tool endpoints have in common. */

import { EVENT_STREAM_TYPE } from '../../http/response.ts'
import { rpcErrorResponse } from '../protocol/http-errors.ts'
import { RpcFailure, RpcMessageSchema, RpcResponseSchema } from '../protocol/message-schema.ts'
import { rateLimitResponse } from './exchange.ts'

/** The part of a route that reads a message of at most `maxBytes`. */
export function messageRoute(maxBytes: number) {
  return {
    method: 'POST',
    body: {
      kind: 'bytes',
      types: ['*/*'],
      maxBytes,
      content: { 'application/json': RpcMessageSchema },
    },
    trailingSlash: true,
    answers: {
      200: {
        description:
          'A JSON-RPC response or a batch of them. If a call reports progress, the last of several server-sent events',
        schema: RpcResponseSchema,
        type: EVENT_STREAM_TYPE,
      },
      400: { description: 'Not a valid protocol message', schema: RpcFailure },
      202: { description: 'A notification was accepted; no content' },
    },
    onError: rpcErrorResponse,
    whenLimited: ({ body }: { readonly body: Uint8Array }, retryAfter: number) =>
      rateLimitResponse(body, retryAfter),
  } as const
}
