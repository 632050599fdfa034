/** One item of a batch: its read is run as if it had come by itself, and its answer becomes one entry of JSON. */

import Type, { type Static } from 'typebox'
import { RequestError } from '../base/request-error.ts'
import { EVENT_STREAM_TYPE } from '../http/response.ts'
import { problem } from '../http/problem.ts'
import { readQuery } from '../http/parse-request.ts'
import { internalError } from '../http/handle-request.ts'
import { readParams, assertWithinLimit } from '../http/run-route.ts'
import { decodePath, findRead, type BatchRead, type Reads } from './reads.ts'
import type { Log } from '../base/log.ts'
import type { Answer } from '../http/response.ts'
import type { Limits } from '../http/rate-limit-policy.ts'

export interface ItemDeps {
  readonly limits: Limits
  readonly log: Log
}

/** What is the same for all items of one batch. */
interface BatchCall {
  readonly reads: Reads
  readonly address: string
  readonly requestId: string
  readonly signal: AbortSignal
}

const Scalar = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] })

export const BatchItem = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "The caller's own label; it comes back with the entry, and may repeat.",
  }),
  path: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'Of a batchable read, such as /api/human/ada; without host and query string.',
  }),
  query: Type.Optional(
    Type.Record(Type.String(), Scalar, { description: 'Query parameters, such as q and per_page' }),
  ),
  method: Type.Optional(Type.String({ maxLength: 20, description: 'GET, as without it' })),
})
export type BatchItem = Static<typeof BatchItem>

/** The entry as JSON text. Never rejects: what goes wrong with an item stays in its entry. */
export async function answerItem(
  deps: ItemDeps,
  call: BatchCall,
  item: BatchItem,
): Promise<string> {
  let read: BatchRead | undefined
  try {
    read = requireRead(call.reads, item)
    return entryOf(item, await runRead(deps.limits, call, read, item.query))
  } catch (error) {
    const failure = requestErrorOf(error, deps.log, call, read)
    const onError = read?.route.onError ?? problem
    return entryOf(item, onError(failure, call.requestId))
  }
}

/** The same steps in the same order as for a request of its own; see `http/run-route`. */
async function runRead(
  limits: Limits,
  { address, requestId, signal }: BatchCall,
  { route, params: raw }: BatchRead,
  asked: BatchItem['query'] = {},
): Promise<Answer> {
  await assertWithinLimit(limits, route, address, { requestId, headers: {} })
  const params = readParams(route, raw)
  const search = searchOf(asked)
  const query = readQuery(route.query, search)
  return route.handle({
    params,
    query,
    body: undefined,
    caller: undefined,
    browser: undefined,
    search,
    address,
    requestId,
    // The headers of the batch say nothing of how an item is to be answered.
    header: () => undefined,
    streamable: false,
    signal,
  })
}

function searchOf(query: NonNullable<BatchItem['query']>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.append(name, String(value))
  return search.toString()
}

function requireRead(reads: Reads, { method = 'GET', path }: BatchItem): BatchRead {
  const decoded = decodePath(path)
  const read = decoded === undefined ? undefined : findRead(reads, decoded)
  if (read && method === 'GET') return read
  const quoted = `${method} ${path}`.slice(0, 200).toWellFormed()
  throw new RequestError(
    'not_batchable',
    `“${quoted}” is none of the reads that a batch may hold.`,
    {
      hint: path.includes('?')
        ? 'Query parameters go into the query of the item, not into its path.'
        : 'A batch holds only the reads of the allowlist, by their plain paths.',
      members: { allowlist: reads.allowlist },
    },
  )
}

function requestErrorOf(
  error: unknown,
  log: Log,
  { requestId }: BatchCall,
  read: BatchRead | undefined,
): RequestError {
  const isRefusal = error instanceof RequestError
  if (!isRefusal || error.isFailure)
    log.error({ err: error, request_id: requestId, path: read?.route.path }, 'batch item failed')
  if (isRefusal) return error
  return internalError('This item failed on our side. The others do not depend on it.')
}

function entryOf({ id }: BatchItem, { status, headers, body }: Answer): string {
  const type = headers['content-type'] ?? ''
  if (type.startsWith(EVENT_STREAM_TYPE)) throw new Error('a batchable read answered with events')
  const text = wholeText(body)
  const content = isJson(type) ? `"body":${text}` : `"text":${JSON.stringify(text)}`
  return `{"id":${JSON.stringify(id)},"status":${status},${content}}`
}

function wholeText(body: Answer['body'] = ''): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  throw new Error('a batchable read answered with a stream')
}

function isJson(type: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/.test(type)
}
