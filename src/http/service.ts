/** Makes one HTTP service of the routes: which handler a request goes to, and when the service starts and stops. */

import { RequestError } from '../base/request-error.ts'
import { empty } from './response.ts'
import { answerRequest, pathOf, type Handle } from './handle-request.ts'
import { hotReads } from './fast-routes.ts'
import { openListener, type Listener, type RequestHandler } from './listener.ts'
import { createPathTable, isDecodable, requestPath, type PathTable } from './router.ts'
import { problem } from './problem.ts'
import { expectsContinue } from './request-body.ts'
import { runRoute, type Guards } from './run-route.ts'
import { MAX_URL_LENGTH, type HeaderTimeouts } from './server.ts'
import { preflightHeaders } from './write-response.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../base/log.ts'
import type { Route, ErrorResponder } from './route.ts'

export interface HttpDeps extends Guards {
  readonly routes: readonly Route[]
  readonly log: Log
  /** Tells a person's browser that there is nothing at an address, or why there is no answer; a problem document without it. */
  readonly refusalPage?: ErrorResponder
  /** Those of the server unless given. */
  readonly headerTimeouts?: HeaderTimeouts
}

export interface HttpService extends AsyncDisposable {
  /** Answers the requests that arrive there, and closes it when disposed. */
  answerAt(listener: Listener): void
  /** Resolves with the port; `port` 0 takes a free one. `localhost` is 127.0.0.1 and, where the machine has it, ::1. */
  listen(host: string, port: number): Promise<number>
}

export function assemble(deps: HttpDeps): HttpService {
  const { routes, log, refusalPage = problem } = deps
  const stop = new AbortController()
  const headers = securityHeaders(deps.publicUrl)
  const desk = { log, refusalPage, stopping: stop.signal, headers }
  const answer: AnswerWith = (request, response, handle, refuse) =>
    void answerRequest(desk, request, response, handle, refuse)
  const places = createPathTable(listPlaces(routes))
  const hot = hotReads(routes, deps, answer)
  const handler: RequestHandler = (request, response) => {
    const refusal = unacceptable(request)
    if (refusal) return answer(request, response, () => Promise.reject(refusal))
    if (hot(request, response)) return
    const { handle, refuse } = choose(places, deps, request, response)
    answer(request, response, handle, refuse)
  }
  let bound: Listener | undefined
  const answerAt = (listener: Listener) => {
    bound = listener
    listener.answerWith(handler)
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

/** Browsers that came once by https come by nothing else for a year (RFC 6797). */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
}

type AnswerWith = (
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
  refuse?: ErrorResponder,
) => void

/** A path that has routes. */
interface Place {
  /** By method; GET's answers HEAD as well (RFC 9110 section 9.3.2). */
  readonly routes: ReadonlyMap<string, Route>
  /** Its methods, as `Allow` lists them. */
  readonly allowed: readonly string[]
  /** How it is told that there is no such method. */
  readonly refuse: ErrorResponder | undefined
}

function listPlaces(routes: readonly Route[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const [path, there] of byPath(routes)) {
    const place = placeOf(there)
    places.set(path, place)
    if (there.some(({ trailingSlash }) => trailingSlash)) places.set(`${path}/`, place)
  }
  return places
}

function placeOf(there: readonly Route[]): Place {
  const routes = new Map(there.flatMap((route) => methodsOf(route).map((name) => [name, route])))
  return { routes, allowed: [...routes.keys(), 'OPTIONS'], refuse: there[0]?.refuse }
}

/** The route of this path and method; its OPTIONS; or the refusal of any other method, or of a path without routes. */
function choose(
  places: PathTable<Place>,
  gate: Guards,
  request: IncomingMessage,
  response: ServerResponse,
): { readonly handle: Handle; readonly refuse?: ErrorResponder | undefined } {
  const { url = '', method = '' } = request
  const found = places.find(requestPath(url))
  if (!found) return { handle: () => Promise.reject(notFound(url)) }
  const { value: place, params } = found
  const { allowed, refuse } = place
  const route = place.routes.get(method)
  if (route)
    return {
      handle: (exchange) => runRoute(gate, route, { request, response, params, exchange }),
      refuse: route.refuse,
    }
  return method === 'OPTIONS'
    ? { handle: () => Promise.resolve(empty(204, preflightHeaders(allowed))), refuse }
    : { handle: () => Promise.reject(wrongMethod(method, allowed)), refuse }
}

function methodsOf({ method }: Route): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>()
  for (const route of routes) {
    const there = paths.get(route.path)
    if (there?.some(({ method }) => method === route.method))
      throw new Error(`two routes answer ${route.method} ${route.path}`)
    if (there) there.push(route)
    else paths.set(route.path, [route])
  }
  return paths
}

/** What no route answers, whatever its path is. */
function unacceptable({
  url = '',
  headers,
  rawHeaders,
  httpVersion,
}: IncomingMessage): RequestError | undefined {
  if (url.length > MAX_URL_LENGTH)
    return new RequestError(
      'uri_too_long',
      `The address is longer than ${MAX_URL_LENGTH} characters.`,
    )
  // RFC 9112 section 3.2
  if (headers.host === undefined && httpVersion === '1.1')
    return new RequestError(
      'invalid_request',
      'A request by HTTP/1.1 names its host in a Host header.',
    )
  if (hasTwoHosts(rawHeaders))
    return new RequestError(
      'invalid_request',
      'The request has more than one Host header. Send one.',
    )
  if (headers.expect !== undefined && !expectsContinue(headers.expect))
    return new RequestError('expectation_failed', 'The only expectation met here is 100-continue.')
  if (url.includes('%') && !isDecodable(requestPath(url))) return undecodable()
  return undefined
}

/** node:http keeps the first of several; a proxy before it may have gone by the last. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === HOST.length && name.toLowerCase() === HOST) count += 1
  }
  return count > 1
}

const HOST = 'host'

function notFound(url: string): RequestError {
  return new RequestError('not_found', `There is nothing at ${pathOf(url).slice(0, 200)}.`)
}

function wrongMethod(method: string, allowed: readonly string[]): RequestError {
  const allow = allowed.join(', ')
  return new RequestError('method_not_allowed', `This path answers ${allow}, not ${method}.`, {
    headers: { allow },
  })
}

function undecodable(): RequestError {
  return new RequestError(
    'invalid_request',
    'The address cannot be decoded: a % must be followed by two hex digits of UTF-8.',
  )
}
