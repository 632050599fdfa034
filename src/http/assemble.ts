/** Makes one HTTP server of the routes: routing and body limits by Fastify, everything else from the records. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { newRequestId } from '../base/ids.ts'
import { Refusal } from '../base/refusal.ts'
import { checkSchema } from '../base/schema.ts'
import { empty, type Answer } from './answer.ts'
import type { Caller } from './caller.ts'
import { problem } from './problem.ts'
import { readBytes, readJson, readQuery } from './read-request.ts'
import { preflightHeaders, writeAnswer } from './write-answer.ts'
import type { Log } from '../base/log.ts'
import type { Method, Route } from './route.ts'

export interface HttpParts {
  readonly routes: readonly Route[]
  /** Who holds this token; refuses with the 401 challenge where nobody does. */
  authenticate(authorization: string | undefined): Promise<Caller>
  readonly log: Log
}

export interface HttpService extends AsyncDisposable {
  /** Resolves with the port that was bound; `port` 0 takes a free one. */
  listen(host: string, port: number): Promise<number>
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A body of a route that declares none is refused past this. */
const NO_BODY_LIMIT = 1024
/** How long a graceful stop waits for what it began; milliseconds. */
const STOP_PATIENCE = 10_000
/** Slow senders are cut off: headers within 15 s, a whole request within 5 minutes (50 MB on a slow line). */
const HEADERS_TIMEOUT = 15_000
const REQUEST_TIMEOUT = 300_000

export function assemble(parts: HttpParts): HttpService {
  const hot = hotPaths(parts)
  let server: Server | undefined
  const app = Fastify({
    // Known names only: usernames are short, and so is every other parameter.
    routerOptions: {
      maxParamLength: 256,
      onBadUrl: (_path, request, response) => refuseBadUrl(request, response),
    },
    serverFactory: (handler) => {
      server = createServer(
        {
          optimizeEmptyRequests: true,
          headersTimeout: HEADERS_TIMEOUT,
          requestTimeout: REQUEST_TIMEOUT,
        },
        (request, response) => {
          if (!hot(request, response)) handler(request, response)
        },
      )
      return server
    },
    clientErrorHandler: refuseBrokenHttp,
    forceCloseConnections: 'idle',
  })
  readBodies(app)
  for (const [path, routes] of byPath(parts.routes)) addPath(app, parts, path, routes)
  app.setNotFoundHandler((request, reply) =>
    answerWith(request, reply, parts, () => notFound(request.url)),
  )
  app.setErrorHandler((error, request, reply) =>
    answerWith(request, reply, parts, () => Promise.reject(asRefusal(error))),
  )
  return {
    async listen(host, port) {
      await app.listen({ host, port })
      const address = server?.address()
      return typeof address === 'object' && address !== null ? address.port : port
    },
    async [Symbol.asyncDispose]() {
      const impatient = setTimeout(() => server?.closeAllConnections(), STOP_PATIENCE)
      await app.close()
      clearTimeout(impatient)
    },
  }
}

/** JSON and plain bytes arrive whole and within the route's limit; for a stream route nothing is read here. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    const { route } = request.routeOptions.config as { route?: Route }
    if (route?.body?.kind === 'stream') done(null, undefined)
    else
      collect(payload, route?.body?.maxBytes ?? NO_BODY_LIMIT).then(
        (bytes) => done(null, bytes),
        done,
      )
  })
}

async function collect(payload: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of limited(payload, maxBytes)) chunks.push(chunk)
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

async function* limited(
  payload: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of payload) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

function addPath(
  app: FastifyInstance,
  parts: HttpParts,
  path: string,
  routes: readonly Route[],
): void {
  const allowed = allowedMethods(routes)
  for (const route of routes) {
    const methods = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]
    app.route({
      method: methods,
      url: path,
      exposeHeadRoute: false,
      config: { route },
      // The route's own limit is kept while the body is read; Fastify's stands above the largest of them.
      bodyLimit: 1 << 30,
      handler: (request, reply) =>
        answerWith(request, reply, parts, (id) => runRoute(parts, route, request, id)),
    })
  }
  const others = METHODS.filter((method) => !allowed.includes(method))
  if (others.length > 0)
    app.route({
      method: others,
      url: path,
      handler: (request, reply) =>
        answerWith(request, reply, parts, () => wrongMethod(request.method, allowed)),
    })
  app.route({
    method: 'OPTIONS',
    url: path,
    handler: (request, reply) =>
      answerWith(request, reply, parts, () =>
        Promise.resolve(empty(204, preflightHeaders(allowed))),
      ),
  })
}

async function runRoute(
  parts: HttpParts,
  route: Route,
  request: FastifyRequest,
  requestId: string,
): Promise<Answer> {
  const { raw } = request
  const caller =
    route.access === 'bearer' ? await parts.authenticate(raw.headers.authorization) : undefined
  refuseLongBody(route, raw)
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.complete || request.raw.socket.destroyed) gone.abort()
  })
  return route.handle({
    params: readParams(route, request.params),
    query: readQuery(route.query, searchOf(raw.url ?? '')),
    body: readBody(route, request),
    caller,
    requestId,
    header: headerReader(raw),
    signal: gone.signal,
  })
}

function readParams(route: Route, params: unknown): unknown {
  if (!route.params) return {}
  const checked = checkSchema(route.params, params)
  if (!checked.ok) throw new Refusal('not_found', 'There is nothing at this address.')
  return checked.value
}

function readBody(route: Route, request: FastifyRequest): unknown {
  const { body } = route
  if (!body) return undefined
  if (body.kind === 'stream') return limited(request.raw, body.maxBytes)
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  const type = request.raw.headers['content-type']
  return body.kind === 'json' ? readJson(body, bytes, type) : readBytes(body, bytes, type)
}

/** A body announced too long is refused before it is sent (RFC 9110 section 15.5.14). */
function refuseLongBody(route: Route, request: IncomingMessage): void {
  const maxBytes = route.body?.maxBytes
  const announced = Number(request.headers['content-length'] ?? 0)
  if (maxBytes !== undefined && announced > maxBytes) throw tooLarge(maxBytes)
}

function headerReader(request: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
}

function searchOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

/** Runs a handler and writes what comes of it: its answer, its refusal, or 500 with no detail. */
async function answerWith(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: HttpParts,
  handle: (requestId: string) => Promise<Answer>,
): Promise<void> {
  reply.hijack()
  await answerRaw(request.raw, reply.raw, parts.log, handle)
}

async function answerRaw(
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
  handle: (requestId: string) => Promise<Answer>,
): Promise<void> {
  const requestId = newRequestId()
  let answer: Answer
  try {
    answer = await handle(requestId)
  } catch (error) {
    answer = problem(refusalOf(error, requestId, request, log), requestId)
  }
  // Whoever still sends a body we will not read is told to close, not left waiting.
  if (!request.complete && request.method !== 'GET') response.shouldKeepAlive = false
  writeAnswer(request, response, answer, requestId)
}

function refusalOf(error: unknown, requestId: string, request: IncomingMessage, log: Log): Refusal {
  if (error instanceof Refusal) return error
  log.error(
    { err: error, request_id: requestId, method: request.method, path: pathOf(request.url) },
    'request failed',
  )
  return new Refusal('internal', 'The request failed on our side. Nothing was changed.', {
    hint: 'Try again; if it goes on, tell the operator the request_id.',
  })
}

function pathOf(url: string | undefined): string {
  return (url ?? '').split('?', 1)[0] ?? ''
}

/** What Fastify refuses on its own (a broken content length, a header too large), in our words. */
function asRefusal(error: unknown): unknown {
  const status = (error as { statusCode?: number }).statusCode
  if (error instanceof Refusal || status === undefined || status >= 500) return error
  if (status === 413)
    return new Refusal('payload_too_large', 'The body is too large for this path.')
  if (status === 415)
    return new Refusal('unsupported_media_type', 'The content type cannot be read here.')
  return new Refusal(
    'invalid_request',
    error instanceof Error ? error.message : 'The request cannot be read.',
  )
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes, the most this path takes.`,
    {
      members: { max_bytes: maxBytes },
    },
  )
}

function notFound(url: string): Promise<Answer> {
  throw new Refusal('not_found', `There is nothing at ${pathOf(url).slice(0, 200)}.`)
}

function wrongMethod(method: string, allowed: readonly string[]): Promise<Answer> {
  throw new Refusal(
    'method_not_allowed',
    `This path answers ${allowed.join(', ')}, not ${method}.`,
    {
      headers: { allow: allowed.join(', ') },
    },
  )
}

function allowedMethods(routes: readonly Route[]): string[] {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS']
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

interface HotPath {
  readonly route: Route
  readonly before: string
  readonly name: string
  readonly after: string
}

/** A value that needs no decoding and ends the path; anything else takes the long way. */
const PLAIN_VALUE = /^[A-Za-z0-9_-]+$/

/** The few hottest reads skip the framework: the same handler, answered by the same writer. */
function hotPaths(
  parts: HttpParts,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const paths = parts.routes.filter(({ hot }) => hot === true).map(hotPath)
  const longestFirst = paths.toSorted((a, b) => b.after.length - a.after.length)
  return (request, response) => {
    const url = request.url ?? ''
    if (request.method !== 'GET') return false
    for (const { route, before, name, after } of longestFirst) {
      if (!url.startsWith(before) || !url.endsWith(after)) continue
      const value = url.slice(before.length, url.length - after.length)
      if (!PLAIN_VALUE.test(value)) continue
      void answerRaw(request, response, parts.log, (requestId) =>
        route.handle({
          params: readParams(route, { [name]: value }),
          query: {},
          body: undefined,
          caller: undefined,
          requestId,
          header: headerReader(request),
          signal: NEVER,
        }),
      )
      return true
    }
    return false
  }
}

const NEVER = new AbortController().signal

function hotPath(route: Route): HotPath {
  const parts = /^([^:]*):([a-z_]+)([^/:]*)$/.exec(route.path)
  if (!parts || route.method !== 'GET' || route.access !== 'public' || route.query)
    throw new Error(`${route.path} cannot be answered before the framework`)
  return { route, before: parts[1] ?? '', name: parts[2] ?? '', after: parts[3] ?? '' }
}

function refuseBadUrl(request: IncomingMessage, response: ServerResponse): void {
  const requestId = newRequestId()
  const refusal = new Refusal(
    'invalid_request',
    'The address cannot be decoded: a % must be followed by two hex digits of UTF-8.',
  )
  writeAnswer(request, response, problem(refusal, requestId), requestId)
}

/** Bytes that are not HTTP never become a request; RFC 9112 section 2.2. */
function refuseBrokenHttp(
  error: Error & { code?: string },
  socket: import('node:net').Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [code, status] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? (['headers_too_large', '431 Request Header Fields Too Large'] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? (['invalid_request', '408 Request Timeout'] as const)
        : (['invalid_request', '400 Bad Request'] as const)
  const { body, headers } = problem(
    new Refusal(code, 'The bytes received are not an HTTP request this server can read.'),
    newRequestId(),
  )
  const text = String(body)
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: ${headers['content-type'] ?? ''}\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}
