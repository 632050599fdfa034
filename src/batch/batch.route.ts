/** `POST /api/batch`: up to twenty reads in one round trip, each answered as it would be by itself. */

import Type from 'typebox'
import { Refusal } from '../base/request-error.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { JSON_TYPE } from '../http/response.ts'
import { readJson } from '../http/parse-request.ts'
import { defineRoute, type JsonBody, type Route } from '../http/route.ts'
import { answerItem, BatchItem, type ItemParts } from './item.ts'
import { listReads, type Reads } from './reads.ts'

export interface BatchParts extends ItemParts {
  /** All routes of the service, once they are known. */
  readonly routes: () => readonly Route[]
}

export const MOST_ITEMS = 20

/** Twenty of the longest items, with room to spare. */
const MOST_BYTES = 256 * 1024

const BatchRequest = Type.Object({
  requests: Type.Array(BatchItem, { minItems: 1, maxItems: MOST_ITEMS }),
})

/** Without the most there may be: too many are refused by a code of their own. */
const ENVELOPE = {
  kind: 'json',
  schema: Type.Object({ requests: Type.Array(BatchItem, { minItems: 1 }) }),
  maxBytes: MOST_BYTES,
} as const satisfies JsonBody

const BatchAnswer = Type.Object({
  object: Type.Literal('batch'),
  count: Type.Integer(),
  responses: Type.Array(
    Type.Object({
      id: Type.String({ description: "The item's own" }),
      status: Type.Integer({ description: 'What the read would have answered by itself' }),
      body: Type.Optional(Type.Unknown({ description: 'Of a read that answers JSON' })),
      text: Type.Optional(Type.String({ description: 'Of any other, such as markdown' })),
    }),
    { description: 'In the order of the requests' },
  ),
})

export function batchRoute(parts: BatchParts): Route {
  let reads: Reads | undefined
  return defineRoute({
    method: 'POST',
    path: '/api/batch',
    operationId: 'batch',
    summary: 'Up to 20 reads in one round trip',
    description:
      'Answers 200 for every valid envelope: each item has a status of its own, and counts against the limit of the ' +
      'read that it names. An item that is no batchable read is refused in its entry, with the list of those that are.',
    access: 'public',
    limit: LIMITS.batch,
    body: {
      kind: 'bytes',
      types: ['application/json'],
      maxBytes: MOST_BYTES,
      content: { 'application/json': BatchRequest },
    },
    answers: {
      200: {
        description: 'Every item with its own status, in the order sent',
        schema: BatchAnswer,
      },
      400: {
        description: 'Not a batch: the item is named, or there are too many',
        type: 'problem',
      },
    },
    async handle({ body, header, address, requestId, signal }) {
      const { requests } = readEnvelope(body, header('content-type'))
      reads ??= listReads(parts.routes())
      const call = { reads, address, requestId, signal }
      const entries = await Promise.all(requests.map((item) => answerItem(parts, call, item)))
      return {
        status: 200,
        headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
        // Every entry is JSON already: nothing is parsed to be written again.
        body: `{"object":"batch","count":${entries.length},"responses":[${entries.join(',')}]}`,
      }
    },
  })
}

function readEnvelope(bytes: Uint8Array, contentType: string | undefined) {
  // Checked against this very schema.
  const envelope = readJson(ENVELOPE, bytes, contentType) as Type.Static<typeof ENVELOPE.schema>
  const { length } = envelope.requests
  if (length <= MOST_ITEMS) return envelope
  throw new Refusal(
    'batch_too_large',
    `A batch has at most ${MOST_ITEMS} items; these are ${length}.`,
    {
      hint: `Send ${Math.ceil(length / MOST_ITEMS)} batches.`,
      members: { max_items: MOST_ITEMS },
    },
  )
}
