/** One item of a batch: runs its read like a separate request, and returns the response as one JSON entry. */

import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../base/request-error.ts'
import { EVENT_STREAM_TYPE } from '../http/response.ts'
import { problem } from '../http/problem.ts'
import { isJsonType, readQuery } from '../http/body/parse-request.ts'
import { internalError } from '../http/handle-request.ts'
import { readParams, assertWithinLimit } from '../http/run-route.ts'
import { decodePath, findRead, type BatchRead, type Reads } from './batch-reads.ts'
import type { Log } from '../base/log.ts'
import type { Answer } from '../http/response.ts'
import type { Limits } from '../http/rate-limit-policy.ts'

export interface ItemDeps {
  readonly limits: Limits
  readonly log: Log
}

/** The data that all items of a batch share. */
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
    description: "The caller's own label, returned in the entry. Need not be unique.",
  }),
  path: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description:
      'The path of a batchable read, such as /api/human/ada, without host and query string.',
  }),
  query: Type.Optional(
    Type.Record(Type.String(), Scalar, { description: 'Query parameters, such as q and per_page' }),
  ),
  method: Type.Optional(Type.String({ maxLength: 20, description: 'GET, the default' })),
})
export type BatchItem = Static<typeof BatchItem>

/** Returns the entry as JSON text. Never rejects: an error of an item is returned in its entry. */
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
    const requestError = requestErrorOf(error, deps.log, call, read)
    const onError = read?.route.onError ?? problem
    return entryOf(item, onError(requestError, call.requestId))
  }
}

/** The same steps in the same order as for a separate request, see `http/run-route.ts`. */
async function runRead(
  limits: Limits,
  { address, requestId, signal }: BatchCall,
  { route, params: raw }: BatchRead,
  fields: BatchItem['query'] = {},
): Promise<Answer> {
  await assertWithinLimit(limits, route, address, { requestId, headers: {} })
  const params = readParams(route, raw)
  const search = searchOf(fields)
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
    // The headers of the batch do not apply to its items.
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
  throw new RequestError('not_batchable', `“${quoted}” is not allowed in a batch.`, {
    hint: path.includes('?')
      ? 'Put query parameters into the query of the item, not into its path.'
      : 'Use a read from the allowlist, with its plain path.',
    members: { allowlist: reads.allowlist },
  })
}

function requestErrorOf(
  error: unknown,
  log: Log,
  { requestId }: BatchCall,
  read: BatchRead | undefined,
): RequestError {
  const isRequestError = error instanceof RequestError
  if (!isRequestError || error.isFailure)
    log.error({ err: error, request_id: requestId, path: read?.route.path }, 'batch item failed')
  if (isRequestError) return error
  return internalError(
    'This item failed because of an internal error. The other items are not affected.',
  )
}

function entryOf({ id }: BatchItem, { status, headers, body }: Answer): string {
  const type = headers['content-type'] ?? ''
  if (type.startsWith(EVENT_STREAM_TYPE))
    throw new Error('a batchable read returned an event stream')
  const text = wholeText(body)
  const content = isJsonType(type) ? `"body":${text}` : `"text":${JSON.stringify(text)}`
  return `{"id":${JSON.stringify(id)},"status":${status},${content}}`
}

function wholeText(body: Answer['body'] = ''): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  throw new Error('a batchable read returned a stream')
}
