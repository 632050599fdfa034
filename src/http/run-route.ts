/** Runs one request: authentication, rate limit, validation, handler, in this order. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { RequestError } from '../base/request-error.ts'
import { phrase } from '../languages/message.ts'
import { inLanguage } from '../languages/language.ts'
import { requestLanguage } from '../languages/request-language.ts'
import { names, namesByPreference } from './content/accept.ts'
import { checkSchema } from '../base/schema.ts'
import { seeOther, type Answer } from './response.ts'
import { deprecationHeaders } from './deprecation.ts'
import { FileForm } from './body/multipart-form.ts'
import { assertSameOrigin, formExpired, hasFormToken, withFormToken } from './form-guard.ts'
import { isPublicRead, PUBLIC_READ_HEADERS, withValidator } from './public-cache-headers.ts'
import { notFound } from './not-found.ts'
import { readQuery } from './body/parse-request.ts'
import { isDecodable, requestPath } from './router.ts'
import { readBody } from './body/read-body.ts'
import type { BodyPace } from './body/body-pace.ts'
import type { LargeBodies } from './body/large-bodies.ts'
import type { Caller, DeviceCaller } from './caller.ts'
import type { Exchange } from './route-request.ts'
import type { Limits, LimitPolicy, LimitVerdict } from './rate-limit-policy.ts'
import type { Route } from './route.ts'
import type { BrowserRequest, ReadBrowserRequest, SignedInRequest } from './browser-request.ts'
import type { TypedForms } from './typed-forms.ts'

/** What runs before a handler. */
export interface Guards {
  /** @throws {RequestError} `unauthorized` with the challenge when the token is not valid. */
  authenticate(authorization: string | undefined): Promise<Caller>
  /** @throws {RequestError} `unauthorized` with the challenge when the password is not valid. */
  authenticateDevice(authorization: string | undefined): Promise<DeviceCaller>
  readonly readBrowserRequest: ReadBrowserRequest
  readonly typedForms?: TypedForms
  readonly limits: Limits
  /** Limit on the pages of the demo account, per address. */
  readonly tourLimit?: LimitPolicy
  /** Returns the client's IP address, behind trusted proxies too. */
  addressOf(request: IncomingMessage): string
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
  readonly largeBodies: LargeBodies
  /** `BODY_PACE` by default. */
  readonly bodyPace?: BodyPace
}

interface RouteContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** From the router, decoded. */
  readonly params: unknown
  readonly exchange: Exchange
  /** Whether a signed-in browser can open the path as a page. */
  readonly isPage: (path: string) => boolean
}

/** Where a browser without a session is redirected. */
export const SIGN_IN_PATH = '/sign-in'

export const SIGN_OUT_PATH = '/sign-out'

export async function runRoute(
  guards: Guards,
  route: Route,
  context: RouteContext,
): Promise<Answer> {
  if (route.deprecated)
    Object.assign(context.exchange.headers, deprecationHeaders(route.deprecated))
  if (route.access === 'browser' || route.access === 'session')
    return runForBrowser(guards, route, context)
  if (isPublicRead(route)) {
    Object.assign(context.exchange.headers, PUBLIC_READ_HEADERS)
    const { accept, 'accept-language': languages } = context.request.headers
    const run = () => handle(guards, route, context, undefined, undefined)
    if (!names(accept, 'text/html')) return withValidator(await run())
    const language = requestLanguage(undefined, namesByPreference(languages))
    return withValidator(await inLanguage(language, run))
  }
  const { authorization } = context.request.headers
  const caller = await authenticated(guards, route, authorization)
  return handle(guards, route, context, caller, undefined)
}

function authenticated(
  guards: Guards,
  { access }: Route,
  authorization: string | undefined,
): Promise<Caller | DeviceCaller> | undefined {
  if (access === 'bearer') return guards.authenticate(authorization)
  return access === 'device' ? guards.authenticateDevice(authorization) : undefined
}

async function runForBrowser(guards: Guards, route: Route, context: RouteContext): Promise<Answer> {
  const { request } = context
  const { cookie } = request.headers
  if (route.method !== 'GET') assertSameOrigin(request.headers, guards.publicUrl)
  const sent = await guards.readBrowserRequest(cookie)
  const browser = sent.member?.isTour ? await enterTour(guards, route, context, sent) : sent
  if (route.access === 'session' && !browser.member && route.body?.kind !== 'form')
    return seeOther(signInPath(returnPage(guards, context)))
  const accepted = namesByPreference(request.headers['accept-language'])
  const language = requestLanguage(sent.member?.language, accepted)
  context.exchange.language = language
  const answer = await inLanguage(language, () => answerBrowser(guards, route, context, browser))
  const cookies = [...browser.cookies, ...(answer.cookies ?? [])]
  return { ...withFormToken(answer, browser), page: true, cookies }
}

async function answerBrowser(
  guards: Guards,
  route: Route,
  context: RouteContext,
  browser: BrowserRequest,
): Promise<Answer> {
  const answer = await handle(guards, route, context, undefined, browser)
  if (!guards.typedForms || !isSignedIn(browser)) return answer
  const { method = '', url = '', headers } = context.request
  const visit = { cookies: headers.cookie, method, path: requestPath(url), browser }
  return guards.typedForms.restore(answer, visit)
}

/**
 * A tour of the demo account only reads member pages. On all other pages, no one is signed in.
 *
 * @throws {RequestError} `forbidden` when a form of a member page is sent.
 * @throws {RequestError} `rate_limited` when the address opens too many pages.
 */
async function enterTour(
  guards: Guards,
  route: Route,
  { request, exchange }: RouteContext,
  browser: BrowserRequest,
): Promise<BrowserRequest> {
  if (route.access === 'browser') return browser.outsideTour ?? { ...browser, member: undefined }
  const { limits, tourLimit: limit } = guards
  if (limit) await assertWithinLimit(limits, { limit }, guards.addressOf(request), exchange)
  if (route.method === 'GET' || route.path === SIGN_OUT_PATH) return browser
  throw new RequestError('forbidden', phrase('This is a tour: nothing can be changed.'), {
    hint:
      browser.member?.canJoin === true
        ? phrase('Join to start your own.')
        : phrase('Sign in to work with your own network.'),
  })
}

/** Answers a form of a browser that has signed out, or signed in again, since it loaded the form. Nothing is executed. */
async function answerEarlierForm(
  guards: Guards,
  route: Route,
  context: RouteContext,
  { body, browser }: { readonly body: unknown; readonly browser: BrowserRequest },
): Promise<Answer | undefined> {
  const answer = isSignedIn(browser)
    ? await route.whenSignedInSince?.({ body, browser })
    : await route.whenSignedOutSince?.({ body, browser })
  if (answer || route.access !== 'session') return answer
  const page = returnPage(guards, context)
  const { headers, url = '' } = context.request
  const cookies =
    page !== undefined && body instanceof URLSearchParams
      ? await guards.typedForms?.keep({
          browser,
          cookies: headers.cookie,
          action: requestPath(url),
          page: requestPath(page),
          fields: body,
        })
      : undefined
  if (!isSignedIn(browser)) return seeOther(signInPath(page), cookies)
  return page !== undefined && cookies ? seeOther(page, cookies) : undefined
}

async function handle(
  guards: Guards,
  route: Route,
  context: RouteContext,
  caller: Caller | DeviceCaller | undefined,
  browser: BrowserRequest | undefined,
): Promise<Answer> {
  const { request, response, params: raw, exchange } = context
  const address = guards.addressOf(request)
  const member = route.limit?.per === 'member' ? browser?.member : undefined
  const limitKey = caller?.credential.id ?? (member ? `member ${member.memberId}` : address)
  const retryAfter = await takeLimit(guards.limits, route, limitKey, exchange)
  if (retryAfter !== undefined && !route.whenLimited) throw rateLimited(retryAfter)
  const params = readParams(route, raw)
  const search = searchOf(request.url ?? '')
  const query = readQuery(route.query, search)
  const signal = disconnectSignal(response)
  // The permit of a large body is held until the response, because the handler uses the body.
  let permit: ReturnType<LargeBodies['permitFor']> | undefined
  using _held = { [Symbol.dispose]: () => permit?.[Symbol.dispose]() }
  const body = await readBody(route.body, request, response, {
    pace: guards.bodyPace,
    admitLarge: async (onOverdue) => {
      const sender = caller?.memberId ?? browser?.member?.memberId ?? address
      permit = guards.largeBodies.permitFor(sender)
      await permit.acquire(signal, onOverdue)
    },
  })
  permit?.bodyRead()
  using fileForm = body instanceof FileForm ? body : undefined
  if (retryAfter !== undefined && route.whenLimited) return route.whenLimited({ body }, retryAfter)
  const fields = body instanceof URLSearchParams ? body : fileForm?.fields
  const isSignedOut = route.access === 'session' && !browser?.member
  if (browser && fields && (isSignedOut || !hasFormToken(browser, fields))) {
    const answer = await answerEarlierForm(guards, route, context, { body, browser })
    if (answer) return answer
    throw formExpired()
  }
  // Checked above: a session route has a signed-in member, a bearer or device route its caller.
  return await route.handle({
    params,
    query,
    body,
    search,
    header: headerReader(request),
    caller,
    browser,
    address,
    requestId: exchange.requestId,
    streamable: true,
    signal,
  })
}

function isSignedIn(browser: BrowserRequest): browser is SignedInRequest {
  return browser.member !== undefined
}

/**
 * Counts the request.
 *
 * @throws {RequestError} `rate_limited` when the route's limit is exceeded.
 */
export async function assertWithinLimit(
  limits: Limits,
  route: Pick<Route, 'limit'>,
  key: string,
  exchange: Exchange,
): Promise<void> {
  const retryAfter = await takeLimit(limits, route, key, exchange)
  if (retryAfter !== undefined) throw rateLimited(retryAfter)
}

/** Counts the request. Returns the seconds to wait if the limit is exceeded. */
function takeLimit(
  limits: Limits,
  { limit }: Pick<Route, 'limit'>,
  key: string,
  exchange: Exchange,
): number | undefined | Promise<number | undefined> {
  if (!limit) return undefined
  const apply = ({ headers, allowed, retryAfter }: LimitVerdict) => {
    Object.assign(exchange.headers, headers)
    return allowed ? undefined : retryAfter
  }
  const taken = limits.take(limit, key)
  return taken instanceof Promise ? taken.then(apply) : apply(taken)
}

function rateLimited(retryAfter: number): RequestError {
  return new RequestError(
    'rate_limited',
    `Rate limit exceeded. Try again in ${retryAfter} seconds.`,
    {
      retryAfter,
      hint: 'Wait for the number of seconds in Retry-After. RateLimit reports the remaining requests.',
    },
  )
}

function signInPath(returnTo: string | undefined): string {
  return returnTo === undefined
    ? SIGN_IN_PATH
    : `${SIGN_IN_PATH}?return_to=${encodeURIComponent(returnTo)}`
}

/**
 * The page to return to: the requested one, or that of a submitted form. Its path is in `Referer`, or else begins the
 * path of the form.
 */
function returnPage(
  { publicUrl }: Guards,
  { request: { method, url = '', headers }, isPage }: RouteContext,
): string | undefined {
  if (method === 'GET' || method === 'HEAD') return url
  const referrer = URL.parse(headers.referer ?? '')
  if (referrer?.origin === new URL(publicUrl).origin && isDecodable(referrer.pathname))
    if (isPage(referrer.pathname)) return referrer.pathname + referrer.search
  let path = requestPath(url)
  while (path !== '' && !isPage(path)) path = path.slice(0, path.lastIndexOf('/'))
  return path === '' ? undefined : path
}

/** A value that does not match the schema is a 404. */
export function readParams({ params: schema }: Route, params: unknown): unknown {
  if (!schema) return {}
  const checked = checkSchema(schema, params)
  if (!checked.ok) throw notFound()
  return checked.value
}

/** Joins repeated headers into one list (RFC 9110 section 5.3). */
function headerReader(request: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
}

/** Fires if the client disconnects before the response is complete. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  // It left during authentication: no event follows.
  if (response.destroyed) controller.abort()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

function searchOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}
