/** `POST /api/batch`: up to twenty reads in one round trip, each with its own response. */

import Type from 'typebox'
import { RequestError } from '../base/request-error.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { JSON_TYPE } from '../http/response.ts'
import { readJson } from '../http/parse-request.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { answerItem, BatchItem, type ItemDeps } from './item.ts'
import { listReads, type Reads } from './reads.ts'
import { type JsonBody } from '../http/body.ts'

interface BatchDeps extends ItemDeps {
  /** All routes of the service, once they are known. */
  readonly routes: () => readonly Route[]
}

const MAX_ITEMS = 20

/** Twenty of the longest items, with room to spare. */
const MAX_BYTES = 256 * 1024

const BatchRequest = Type.Object({
  requests: Type.Array(BatchItem, { minItems: 1, maxItems: MAX_ITEMS }),
})

/** Without the most there may be: too many are refused by a code of their own. */
const ENVELOPE = {
  kind: 'json',
  schema: Type.Object({ requests: Type.Array(BatchItem, { minItems: 1 }) }),
  maxBytes: MAX_BYTES,
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

export function batchRoute(deps: BatchDeps): Route {
  let reads: Reads | undefined
  return defineRoute({
    method: 'POST',
    path: '/api/batch',
    operationId: 'batch',
    summary: 'Run up to 20 reads in one request',
    description:
      'Answers 200 for every valid envelope: each item has a status of its own, and counts against the limit of the ' +
      'read that it names. An item that is no batchable read is refused in its entry, with the list of those that are.',
    access: 'public',
    limit: LIMITS.batch,
    body: {
      kind: 'bytes',
      types: ['application/json'],
      maxBytes: MAX_BYTES,
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
      reads ??= listReads(deps.routes())
      const call = { reads, address, requestId, signal }
      const entries = await Promise.all(requests.map((item) => answerItem(deps, call, item)))
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
  if (length <= MAX_ITEMS) return envelope
  throw new RequestError(
    'batch_too_large',
    `A batch has at most ${MAX_ITEMS} items; these are ${length}.`,
    {
      hint: `Send ${Math.ceil(length / MAX_ITEMS)} batches.`,
      members: { max_items: MAX_ITEMS },
    },
  )
}
