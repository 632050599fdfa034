/** Builds the HTTP service: selects the handler for each request, starts and stops the listener. */

import { RequestError } from '../base/request-error.ts'
import { atEndOfTurn } from '../base/concurrency/turn-batch.ts'
import { empty, seeOther, type Answer } from './response.ts'
import {
  answerRequest,
  type Handle,
  type MatchedRoute,
  type MemberVersion,
  type OnAnswered,
} from './handle-request.ts'
import { openListener, type Listener, type RequestHandler } from './listener.ts'
import { createPathTable, isDecodable, requestPath, type PathTable } from './router.ts'
import { problem } from './problem.ts'
import { expectsContinue } from './body/read-body.ts'
import { runRoute, type Guards } from './run-route.ts'
import { MAX_URL_LENGTH, type HeaderTimeouts } from './server.ts'
import { preflightHeaders } from './write-response.ts'
import { notFound } from './not-found.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../base/log.ts'
import type { Trace } from '../base/monitoring/tracing.ts'
import type { Route, ErrorResponder } from './route.ts'

interface HttpDeps extends Guards {
  readonly routes: readonly Route[]
  /** Other routes, loaded group by group until one has the requested path. */
  readonly laterRoutes?: readonly (() => Promise<readonly Route[]>)[]
  readonly log: Log
  /** Renders errors as HTML pages for browsers. Without it, they are problem documents. */
  readonly errorPage?: ErrorResponder
  readonly memberVersion?: MemberVersion
  /** Called after every response. */
  readonly onAnswered?: OnAnswered | undefined
  readonly trace?: Trace | undefined
  /** Override the server's defaults. */
  readonly headerTimeouts?: HeaderTimeouts
}

export interface HttpService extends AsyncDisposable {
  /** Answers requests on this listener and closes it on disposal. */
  answerAt(listener: Listener): void
  /** Resolves with the port. Port 0 selects a free one. `localhost` is 127.0.0.1 and, if available, ::1. */
  listen(host: string, port: number): Promise<number>
}

/** Nothing listens until `listen` is called. */
export function assemble(deps: HttpDeps): HttpService {
  const { routes, errorPage = problem } = deps
  const stop = new AbortController()
  const headers = securityHeaders(deps.publicUrl)
  const requestDeps = { ...deps, errorPage, stopping: stop.signal, headers }
  const answer: AnswerWith = (request, response, handle, matched) =>
    void answerRequest(requestDeps, request, response, handle, matched)
  let table = createPathTable(listPaths(routes))
  const later = [...(deps.laterRoutes ?? [])]
  const loaded = [...routes]
  const arrivals = atEndOfTurn<Arrival>((arrival) => {
    const { request, response } = arrival
    const found = table.find(requestPath(request.url ?? ''))
    if (!found && later.length > 0) {
      void loadNext(arrival)
      return
    }
    const { handle, matched } = selectHandler(table, found, deps, arrival)
    answer(request, response, handle, matched)
  })
  /** Answers the request with the routes of the next group too. */
  const loadNext = async ({ request, response }: Arrival) => {
    const [load] = later
    try {
      const group = await load?.()
      if (group && later[0] === load) {
        later.shift()
        loaded.push(...group)
        table = createPathTable(listPaths(loaded))
      }
      arrivals.add({ request, response })
    } catch (error) {
      answer(request, response, () => Promise.reject(error))
    }
  }
  const handler: RequestHandler = (request, response) => {
    const error = validateRequest(request)
    if (error) return answer(request, response, () => Promise.reject(error))
    arrivals.add({ request, response })
  }
  let bound: Listener | undefined
  const answerAt = (listener: Listener) => {
    bound = listener
    listener.answerWith(handler, arrivals.shortenTurn)
  }
  return {
    answerAt,
    async listen(host, port) {
      const listener = await openListener(host, port, { headers, timeouts: deps.headerTimeouts })
      answerAt(listener)
      return listener.port
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await bound?.[Symbol.asyncDispose]()
    },
  }
}

/** Browsers that used HTTPS once use only HTTPS for a year (RFC 6797). */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
}

interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

type AnswerWith = (
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
  matched?: MatchedRoute,
) => void

interface PathEntry {
  /** By method. GET also handles HEAD (RFC 9110 section 9.3.2). */
  readonly routes: ReadonlyMap<string, Route>
  /** Methods as listed in `Allow`. */
  readonly allowed: readonly string[]
  /** Further headers of an OPTIONS response. */
  readonly optionsHeaders: Readonly<Record<string, string>>
  /** For errors that no route of this path handles, such as an unsupported method. */
  readonly matched: MatchedRoute
}

function listPaths(routes: readonly Route[]): Map<string, PathEntry> {
  const table = new Map<string, PathEntry>()
  for (const [path, sharing] of byPath(routes)) {
    const entry = toPathEntry(sharing)
    table.set(path, entry)
    const hasSlash = path !== '/' && sharing.some(({ trailingSlash }) => trailingSlash)
    if (hasSlash) table.set(`${path}/`, entry)
  }
  return table
}

function toPathEntry(sharing: readonly Route[]): PathEntry {
  const routes = new Map(sharing.flatMap((route) => methodsOf(route).map((name) => [name, route])))
  const { onError, path } = sharing[0] ?? {}
  const optionsHeaders = Object.assign({}, ...sharing.map((route) => route.optionsHeaders))
  const allowed = [...routes.keys(), 'OPTIONS']
  return { routes, allowed, optionsHeaders, matched: { onError, path } }
}

/** Selects the handler for a path and method: the route, OPTIONS, or a 404 or 405 error. */
function selectHandler(
  table: PathTable<PathEntry>,
  found: ReturnType<PathTable<PathEntry>['find']>,
  guards: Guards,
  { request, response }: Arrival,
): { readonly handle: Handle; readonly matched?: MatchedRoute } {
  const { method = '' } = request
  const page = pageWithoutSlash(table, request)
  if (page) return { handle: () => Promise.resolve(page) }
  if (!found) return { handle: () => Promise.reject(notFound()) }
  const { value: entry, params } = found
  const { allowed, matched } = entry
  const route = entry.routes.get(method)
  const isPage = (path: string) => table.find(path)?.value.routes.get('GET')?.access === 'session'
  if (route)
    return {
      handle: (exchange) =>
        runRoute(guards, route, { request, response, params, exchange, isPage }),
      matched: route,
    }
  const headers = { ...preflightHeaders(allowed), ...entry.optionsHeaders }
  return method === 'OPTIONS'
    ? { handle: () => Promise.resolve(empty(204, headers)), matched }
    : { handle: () => Promise.reject(wrongMethod(method, allowed)), matched }
}

/** Redirects `/user/connections/` to the page without the slash. Undefined for any other path. */
function pageWithoutSlash(
  table: PathTable<PathEntry>,
  { method, url = '' }: IncomingMessage,
): Answer | undefined {
  const path = requestPath(url)
  if (!path.endsWith('/') || path === '/' || (method !== 'GET' && method !== 'HEAD'))
    return undefined
  const page = path.slice(0, -1)
  const access = table.find(page)?.value.routes.get('GET')?.access
  if (access !== 'session' && access !== 'browser') return undefined
  return seeOther(page + url.slice(url.indexOf(path) + path.length))
}

function methodsOf({ method }: Route): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>()
  for (const route of routes) {
    const sharing = paths.get(route.path)
    if (sharing?.some(({ method }) => method === route.method))
      throw new Error(`two routes answer ${route.method} ${route.path}`)
    if (sharing) sharing.push(route)
    else paths.set(route.path, [route])
  }
  return paths
}

/** Errors that apply to every path. */
function validateRequest({
  url = '',
  headers,
  rawHeaders,
  httpVersion,
}: IncomingMessage): RequestError | undefined {
  if (url.length > MAX_URL_LENGTH)
    return new RequestError('uri_too_long', `The URL is longer than ${MAX_URL_LENGTH} characters.`)
  // RFC 9112 section 3.2
  if (headers.host === undefined && httpVersion === '1.1')
    return new RequestError('invalid_request', 'The Host header is missing. HTTP/1.1 requires it.')
  if (hasTwoHosts(rawHeaders))
    return new RequestError(
      'invalid_request',
      'The request has more than one Host header. Send one.',
    )
  if (headers.expect !== undefined && !expectsContinue(headers.expect))
    return new RequestError(
      'expectation_failed',
      'The Expect header is not supported, except for 100-continue.',
    )
  if (url.includes('%') && !isDecodable(requestPath(url))) return undecodable()
  return undefined
}

/** node:http keeps only the first Host; a proxy in front may have used the last. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === HOST.length && name.toLowerCase() === HOST) count += 1
  }
  return count > 1
}

const HOST = 'host'

function wrongMethod(method: string, allowed: readonly string[]): RequestError {
  const allow = allowed.join(', ')
  return new RequestError('method_not_allowed', `This path supports ${allow}, not ${method}.`, {
    headers: { allow },
  })
}

function undecodable(): RequestError {
  return new RequestError(
    'invalid_request',
    'The URL cannot be decoded: each % must start a percent-encoded UTF-8 sequence.',
  )
}
