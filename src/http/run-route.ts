/** One request to one route: who is calling, what they sent, and the handler's answer, in this order. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../base/refusal.ts'
import { checkSchema } from '../base/schema.ts'
import { readQuery } from './read-request.ts'
import { readBody } from './request-body.ts'
import type { Answer } from './answer.ts'
import type { Caller } from './caller.ts'
import type { Route } from './route.ts'

export interface Run {
  readonly route: Route
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As the router found them, decoded. */
  readonly params: unknown
  readonly requestId: string
}

export async function runRoute(run: Run): Promise<Answer> {
  const { route, request, response, requestId } = run
  const caller =
    route.access === 'bearer' ? await run.authenticate(request.headers.authorization) : undefined
  const params = readParams(route, run.params)
  const query = readQuery(route.query, searchOf(request.url ?? ''))
  const body = await readBody(route.body, request, response)
  return route.handle({
    params,
    query,
    body,
    caller,
    requestId,
    header: headerReader(request),
    signal: signalOfLeaving(response),
  })
}

/** A value of a wrong shape is one that nothing has. */
export function readParams({ params: schema }: Route, params: unknown): unknown {
  if (!schema) return {}
  const checked = checkSchema(schema, params)
  if (!checked.ok) throw new Refusal('not_found', 'There is nothing at this address.')
  return checked.value
}

/** A header that came several times is one list (RFC 9110 section 5.3). */
export function headerReader(request: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
}

/** A response that closes before it was written whole has lost its reader. */
function signalOfLeaving(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

function searchOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}
