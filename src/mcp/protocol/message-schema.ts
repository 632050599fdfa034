/** JSON-RPC 2.0 as the tool endpoints speak it, for the description of the API; what is checked, is checked by era. */

import * as Type from '../../base/type.ts'
import type { TSchema } from 'typebox'

const Id = Type.Union([Type.String(), Type.Integer()])

/** MCP 2025-03-26 has batches: the response to a list is a list. */
const OneOrMore = <S extends TSchema>(one: S) => Type.Union([one, Type.Array(one)])

export const RpcMessageSchema = OneOrMore(
  Type.Object(
    {
      jsonrpc: Type.Literal('2.0'),
      id: Type.Optional(Id),
      method: Type.String({ description: 'For example tools/list or tools/call' }),
      params: Type.Optional(
        Type.Object({
          name: Type.Optional(Type.String({ description: 'The name of the tool' })),
          arguments: Type.Optional(Type.Object({}, { additionalProperties: true })),
        }),
      ),
    },
    { description: 'A Model Context Protocol request, or a notification if it has no id' },
  ),
)

const Failure = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  data: Type.Optional(Type.Any()),
})

export const RpcResponseSchema = OneOrMore(
  Type.Object({
    jsonrpc: Type.Literal('2.0'),
    id: Type.Union([Id, Type.Null()]),
    result: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'A failed tool call has isError, and the error as JSON in a text block',
        },
      ),
    ),
    error: Type.Optional(Failure),
  }),
)

export const RpcFailure = OneOrMore(
  Type.Object({
    jsonrpc: Type.Literal('2.0'),
    id: Type.Union([Id, Type.Null()]),
    error: Failure,
  }),
)
