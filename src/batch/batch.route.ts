/** `POST /api/batch`: up to twenty reads in one round trip, each with its own response. */

import * as Type from '../base/type.ts'
import { RequestError } from '../base/request-error.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { JSON_TYPE } from '../http/response.ts'
import { readJson } from '../http/body/parse-request.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { answerItem, BatchItem, type ItemDeps } from './batch-item.ts'
import { listReads, type Reads } from './batch-reads.ts'
import type { JsonBody } from '../http/body/body-types.ts'

interface BatchDeps extends ItemDeps {
  /** All routes of the service, once they are known. */
  readonly routes: () => readonly Route[]
}

const MAX_ITEMS = 20

/** More than twenty items of maximum length. */
const MAX_BYTES = 256 * 1024

const BatchRequest = Type.Object({
  requests: Type.Array(BatchItem, { minItems: 1, maxItems: MAX_ITEMS }),
})

/** Without `maxItems`, because too many items have their own error code. */
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
      id: Type.String({ description: "The item's ID" }),
      status: Type.Integer({ description: 'The status of a separate request' }),
      body: Type.Optional(
        Type.Unknown({ description: 'The response of a read that returns JSON' }),
      ),
      text: Type.Optional(Type.String({ description: 'Any other response, such as markdown' })),
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
      'Returns 200 for every valid batch. Each item has its own status and counts toward the rate limit of its read. ' +
      'An item that is not a batchable read gets an error in its entry, with the list of allowed reads.',
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
        description: 'One entry per item with its own status, in the order of the request',
        schema: BatchAnswer,
      },
      400: {
        description: 'Invalid item, which the error names, or too many items',
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
        // Entries are JSON text already, so they are not parsed again.
        body: `{"object":"batch","count":${entries.length},"responses":[${entries.join(',')}]}`,
      }
    },
  })
}

function readEnvelope(bytes: Uint8Array, contentType: string | undefined) {
  // Validated against this schema.
  const envelope = readJson(ENVELOPE, bytes, contentType) as Type.Static<typeof ENVELOPE.schema>
  const { length } = envelope.requests
  if (length <= MAX_ITEMS) return envelope
  throw new RequestError(
    'batch_too_large',
    `A batch can have at most ${MAX_ITEMS} items; this one has ${length}.`,
    {
      hint: `Send ${Math.ceil(length / MAX_ITEMS)} batches.`,
      members: { max_items: MAX_ITEMS },
    },
  )
}
