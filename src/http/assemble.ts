/** Makes one HTTP service of the routes: which handler a request goes to, and when the service starts and stops. */

import { once } from 'node:events'
import { METHODS, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Refusal } from '../base/refusal.ts'
import { empty, type Answer } from './answer.ts'
import { answerRequest, pathOf, type Handle } from './answer-request.ts'
import { hotReads } from './hot-reads.ts'
import { problem } from './problem.ts'
import { expectsContinue } from './request-body.ts'
import { runRoute, type Gate } from './run-route.ts'
import { createHttpServer, LONGEST_URL } from './server.ts'
import { preflightHeaders } from './write-answer.ts'
import type { Log } from '../base/log.ts'
import type { Exchange } from './exchange.ts'
import type { Route, WriteRefusal } from './route.ts'

export interface HttpParts extends Gate {
  readonly routes: readonly Route[]
  readonly log: Log
  /** Shows a person's browser that there is nothing at an address; without it, it gets the problem document. */
  readonly notFoundPage?: WriteRefusal
}

export interface HttpService extends AsyncDisposable {
  /** Resolves with the port that was bound; `port` 0 takes a free one. */
  listen(host: string, port: number): Promise<number>
}

/** How long a graceful stop waits for what it began; milliseconds. */
const STOP_PATIENCE = 10_000

/** Usernames and numbers are short; a longer value is one that nothing has. */
const LONGEST_PARAM = 256

export function assemble(parts: HttpParts): HttpService {
  const { routes, log, notFoundPage = problem } = parts
  const stop = new AbortController()
  const desk = { log, notFoundPage, stopping: stop.signal }
  const answer: AnswerWith = (request, response, handle, refuse) =>
    void answerRequest(desk, request, response, handle, refuse)
  const app = createRouter(answer)
  for (const [path, there] of byPath(routes)) addPath(app, path, there, parts, answer)
  addPath(app, '*', [], parts, answer)
  const hot = hotReads(routes, parts, answer)
  const server = createHttpServer((request, response) => {
    const refusal = unacceptable(request)
    if (refusal) answer(request, response, () => Promise.reject(refusal))
    else if (!hot(request, response)) app.routing(request, response)
  })
  return {
    async listen(host, port) {
      await app.ready()
      server.listen({ host, port })
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : port
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await stopServer(server)
      await app.close()
    },
  }
}

type AnswerWith = (
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
  refuse?: WriteRefusal,
) => void

/** Fastify is the router alone: bodies, refusals and answers are ours, in the order `runRoute` says. */
function createRouter(answer: AnswerWith): FastifyInstance {
  const app = Fastify({
    routerOptions: {
      maxParamLength: LONGEST_PARAM,
      onBadUrl: (_path, request, response) =>
        answer(request, response, () => Promise.reject(undecodable())),
    },
  })
  for (const method of ROUTED) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  return app
}

/** Every method node:http parses; a CONNECT never becomes a request. */
const ROUTED = METHODS.filter((method) => method !== 'CONNECT')

/** The routes of a path, its OPTIONS, and a refusal for every other method; a path without routes is not there. */
function addPath(
  app: FastifyInstance,
  path: string,
  routes: readonly Route[],
  gate: Gate,
  answer: AnswerWith,
): void {
  const add = (
    methods: readonly string[],
    handle: RequestHandler,
    { refuse }: Pick<Route, 'refuse'> = routes[0] ?? {},
  ) =>
    app.route({
      method: [...methods],
      url: path,
      exposeHeadRoute: false,
      // Fastify's life cycle ends at its first step: `done` is never called, so it reads no body and refuses nothing.
      onRequest: (request, reply) =>
        answer(request.raw, reply.raw, (exchange) => handle(request, exchange, reply.raw), refuse),
      handler: neverReached,
    })
  if (routes.length === 0) return void add(ROUTED, ({ raw }) => Promise.reject(notFound(raw.url)))
  const allowed = allowedMethods(routes)
  for (const route of routes)
    add(
      methodsOf(route),
      ({ raw, params }, exchange, response) =>
        runRoute(gate, route, { request: raw, response, params, exchange }),
      route,
    )
  add(['OPTIONS'], () => Promise.resolve(empty(204, preflightHeaders(allowed))))
  const others = ROUTED.filter((method) => !allowed.includes(method))
  add(others, ({ raw }) => Promise.reject(wrongMethod(raw.method ?? '', allowed)))
}

type RequestHandler = (
  request: FastifyRequest,
  exchange: Exchange,
  response: ServerResponse,
) => Promise<Answer>

function neverReached(): never {
  throw new Error('a route was answered in its onRequest step')
}

/** GET is answered to HEAD as well, without the content (RFC 9110 section 9.3.2). */
function methodsOf({ method }: Route): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

function allowedMethods(routes: readonly Route[]): string[] {
  return [...routes.flatMap(methodsOf), 'OPTIONS']
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
function unacceptable({ url = '', headers, httpVersion }: IncomingMessage): Refusal | undefined {
  if (url.length > LONGEST_URL)
    return new Refusal('uri_too_long', `The address is longer than ${LONGEST_URL} characters.`)
  // RFC 9112 section 3.2
  if (headers.host === undefined && httpVersion === '1.1')
    return new Refusal('invalid_request', 'A request by HTTP/1.1 names its host in a Host header.')
  if (headers.expect !== undefined && !expectsContinue(headers.expect))
    return new Refusal('expectation_failed', 'The only expectation met here is 100-continue.')
  return undefined
}

function notFound(url: string | undefined): Refusal {
  return new Refusal('not_found', `There is nothing at ${pathOf(url).slice(0, 200)}.`)
}

function wrongMethod(method: string, allowed: readonly string[]): Refusal {
  const allow = allowed.join(', ')
  return new Refusal('method_not_allowed', `This path answers ${allow}, not ${method}.`, {
    headers: { allow },
  })
}

function undecodable(): Refusal {
  return new Refusal(
    'invalid_request',
    'The address cannot be decoded: a % must be followed by two hex digits of UTF-8.',
  )
}

/** No new connections; those without a request are closed, the others once theirs is answered. */
async function stopServer(server: Server): Promise<void> {
  if (!server.listening) return
  const impatient = setTimeout(() => server.closeAllConnections(), STOP_PATIENCE)
  const closed = once(server, 'close')
  server.close()
  await closed
  clearTimeout(impatient)
}
