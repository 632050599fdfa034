/** One request to one route: who is calling, how often, what they sent, and the handler's answer, in this order. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { RequestError } from '../base/request-error.ts'
import { checkSchema } from '../base/schema.ts'
import { seeOther, type Answer } from './response.ts'
import { deprecationHeaders } from './deprecation.ts'
import { FileForm } from './multipart-form.ts'
import { assertSameOrigin, assertFormToken } from './form-guard.ts'
import { isPublicRead, PUBLIC_READ_HEADERS, withValidator } from './public-read.ts'
import { readQuery } from './parse-request.ts'
import { readBody } from './request-body.ts'
import type { BodyPace } from './body-pace.ts'
import type { Caller } from './caller.ts'
import type { Exchange } from './route-request.ts'
import type { Limits } from './rate-limit-policy.ts'
import type { Route } from './route.ts'
import type { ReadBrowserRequest, BrowserRequest } from './browser-request.ts'

/** What every request meets before its handler. */
export interface Guards {
  /** Who holds this token; refuses with the 401 challenge where nobody does. */
  authenticate(authorization: string | undefined): Promise<Caller>
  readonly openVisit: ReadBrowserRequest
  readonly limits: Limits
  /** Where a request comes from, with proxies that are trusted looked through. */
  addressOf(request: IncomingMessage): string
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  /** How slowly a body may arrive; `BODY_PACE` unless given. */
  readonly bodyPace?: BodyPace
}

export interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As the router found them, decoded. */
  readonly params: unknown
  readonly exchange: Exchange
}

/** Where a browser goes that is not signed in. */
export const SIGN_IN_PATH = '/sign-in'

export async function runRoute(gate: Guards, route: Route, arrival: Arrival): Promise<Answer> {
  if (route.deprecated)
    Object.assign(arrival.exchange.headers, deprecationHeaders(route.deprecated))
  if (route.access === 'browser' || route.access === 'session')
    return runForBrowser(gate, route, arrival)
  if (isPublicRead(route)) {
    Object.assign(arrival.exchange.headers, PUBLIC_READ_HEADERS)
    return withValidator(await handle(gate, route, arrival, undefined, undefined))
  }
  const { authorization } = arrival.request.headers
  const caller = route.access === 'bearer' ? await gate.authenticate(authorization) : undefined
  return handle(gate, route, arrival, caller, undefined)
}

async function runForBrowser(gate: Guards, route: Route, arrival: Arrival): Promise<Answer> {
  const { request } = arrival
  if (route.method !== 'GET') assertSameOrigin(request.headers, gate.publicUrl)
  const browser = await gate.openVisit(request.headers.cookie)
  if (route.access === 'session' && browser.member === undefined)
    return seeOther(signInFirst(request))
  const answer = await handle(gate, route, arrival, undefined, browser)
  return { ...answer, page: true, cookies: [...browser.cookies, ...(answer.cookies ?? [])] }
}

async function handle(
  gate: Guards,
  route: Route,
  { request, response, params: raw, exchange }: Arrival,
  caller: Caller | undefined,
  browser: BrowserRequest | undefined,
): Promise<Answer> {
  const address = gate.addressOf(request)
  const waits = await takeLimit(gate.limits, route, caller?.credential.id ?? address, exchange)
  const params = readParams(route, raw)
  const search = searchOf(request.url ?? '')
  const query = readQuery(route.query, search)
  const body = await readBody(route.body, request, response, gate.bodyPace)
  using fileForm = body instanceof FileForm ? body : undefined
  if (waits !== undefined)
    return route.whenLimited?.({ body }, waits) ?? Promise.reject(tooOften(waits))
  const fields = body instanceof URLSearchParams ? body : fileForm?.fields
  if (browser && fields) assertFormToken(browser, fields)
  const header = headerReader(request)
  const signal = signalOfLeaving(response)
  const { requestId } = exchange
  const sent = { params, query, body, search, header }
  const asked = { ...sent, caller, browser, address, requestId, streamable: true, signal }
  // A session route has a visit with a member, a bearer route a caller: seen to above.
  return await route.handle(asked)
}

/**
 * Undefined where there is room; else the seconds to wait. A route that answers by what is in the body has that read
 * first, all others refuse before.
 */
export async function takeLimit(
  limits: Limits,
  { limit, whenLimited }: Pick<Route, 'limit' | 'whenLimited'>,
  key: string,
  exchange: Exchange,
): Promise<number | undefined> {
  if (!limit) return undefined
  const taken = limits.take(limit, key)
  const verdict = taken instanceof Promise ? await taken : taken
  Object.assign(exchange.headers, verdict.headers)
  if (verdict.allowed) return undefined
  if (whenLimited) return verdict.retryAfter
  throw tooOften(verdict.retryAfter)
}

function tooOften(retryAfter: number): RequestError {
  return new RequestError('rate_limited', `There is room again in ${retryAfter} s.`, {
    retryAfter,
    hint: 'Wait as long as Retry-After says; RateLimit says how many requests are left.',
  })
}

function signInFirst({ method, url = '' }: IncomingMessage): string {
  // What a form held is not repeated by a GET.
  return method === 'GET' || method === 'HEAD'
    ? `${SIGN_IN_PATH}?return_to=${encodeURIComponent(url)}`
    : SIGN_IN_PATH
}

/** A value of a wrong shape is one that nothing has. */
export function readParams({ params: schema }: Route, params: unknown): unknown {
  if (!schema) return {}
  const checked = checkSchema(schema, params)
  if (!checked.ok) throw new RequestError('not_found', 'There is nothing at this address.')
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
