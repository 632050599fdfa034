/** Routes of pages and forms for people. A definition says what differs; everything else is the same for all of them. */

import { LIMITS } from '../guards/rate-limit-policies.ts'
import { isMemberPage } from '../html/member-layout.ts'
import { errorPage } from '../html/message.page.ts'
import { FORM_TOKEN } from '../http/form-guard.ts'
import { hasCode } from '../base/request-error.ts'
import { defineRoute, type ErrorResponder, type Route, type RouteRequest } from '../http/route.ts'
import type { Body } from '../http/body/body-types.ts'
import { submissionOf, type Submission } from './submission.ts'
import type { TObject } from 'typebox'
import type { Clock } from '../base/clock.ts'
import type { Database, MemberDatabase } from '../db/database.ts'
import type { BrowserRequest, SignedInRequest } from '../http/browser-request.ts'
import type { Sidebar } from '../html/sidebar.ts'
import type { FileForm } from '../http/body/multipart-form.ts'
import type { LimitPolicy } from '../http/rate-limit-policy.ts'
import type { Answer } from '../http/response.ts'

export interface PageDeps {
  readonly database: Database
  readonly clock: Clock
  /** The counts in the sidebar of member pages; zero without it. */
  readonly readSidebar?: (request: Pick<PageRequest, 'db' | 'browser' | 'now'>) => Promise<Sidebar>
}

type BrowserAccess = 'browser' | 'session'
type Schema = TObject | undefined

interface Definition<P, Q, A> {
  readonly path: string
  /** `session` by default. */
  readonly access?: A
  readonly params?: P
  readonly query?: Q
  readonly limit?: LimitPolicy
  /** A page with the message by default. */
  readonly onError?: ErrorResponder
  /** The page for what is no longer there, if the handler throws `not_found`. */
  readonly gone?: () => Answer
}

/** A request with what most handlers need. */
export type PageRequest<P = unknown, Q = unknown, A = 'session'> = Omit<
  RouteRequest<P, Q, undefined, A>,
  'body'
> & {
  readonly now: number
  /** The data of the signed-in member. */
  readonly db: A extends 'session' ? MemberDatabase : undefined
}

export type FormRequest<P = unknown, Q = unknown, A = 'session'> = PageRequest<P, Q, A> & {
  readonly body: URLSearchParams
  /** Undefined for a form without a key. */
  readonly submission: Submission | undefined
}

/** A form that was loaded before the browser signed in or out. It has no effect. */
interface EarlierForm<Browser> {
  readonly body: URLSearchParams
  readonly browser: Browser
  /** The submission in the session in which the form says it was loaded. Do not send its result: any browser could send this form. */
  readonly submission: Submission | undefined
}

interface FormDefinition<P, Q, A> extends Definition<P, Q, A> {
  readonly maxBytes?: number
  /** See `Route`. */
  readonly whenSignedInSince?: (form: EarlierForm<SignedInRequest>) => Promise<Answer | undefined>
  readonly whenSignedOutSince?: (form: EarlierForm<BrowserRequest>) => Promise<Answer | undefined>
  handle(request: FormRequest<P, Q, A>): Promise<Answer>
}

/** Fits short fields and the path of a page to return to. */
const MAX_FORM_BYTES = 64 * 1024

/** A page that is read with GET. */
export function pageRoute<
  const P extends Schema = undefined,
  const Q extends Schema = undefined,
  const A extends BrowserAccess = 'session',
>(
  deps: PageDeps,
  route: Definition<P, Q, A> & { handle(request: PageRequest<P, Q, A>): Promise<Answer> },
): Route {
  return defineRoute({
    ...sharedOf('GET', route),
    // Safe: `access` determines whether there is a member, and the schemas were checked.
    async handle(request) {
      const page = extended(deps, request) as unknown as PageRequest<P, Q, A>
      return withSidebar(deps, page, await orGone(route, () => route.handle(page)))
    },
  })
}

/** A form that is sent with POST. One that starts work has the limit `work`. */
export function formRoute<
  const P extends Schema = undefined,
  const Q extends Schema = undefined,
  const A extends BrowserAccess = 'session',
>(deps: PageDeps, route: FormDefinition<P, Q, A>): Route {
  const { maxBytes = MAX_FORM_BYTES, whenSignedInSince, whenSignedOutSince } = route
  const earlier = <Browser>(body: URLSearchParams, browser: Browser): EarlierForm<Browser> => {
    const loaded = { formToken: body.get(FORM_TOKEN) ?? '' }
    const form = { browser: loaded, body, form: route.path, now: deps.clock.now() }
    return { body, browser, submission: submissionOf(form) }
  }
  return defineRoute<Schema, Schema, Extract<Body, { kind: 'form' }>, BrowserAccess>({
    ...sharedOf('POST', { limit: LIMITS.forms, ...route }),
    body: { kind: 'form', maxBytes },
    ...(whenSignedInSince && {
      whenSignedInSince: ({ body, browser }) => whenSignedInSince(earlier(body, browser)),
    }),
    ...(whenSignedOutSince && {
      whenSignedOutSince: ({ body, browser }) => whenSignedOutSince(earlier(body, browser)),
    }),
    async handle(request) {
      const { body, browser, params } = request
      const more = extended(deps, request)
      const form = generatePath(route.path, params)
      const submission = submissionOf({ browser, body, form, now: more.now })
      // Safe: as above.
      const sent = { ...more, submission } as unknown as FormRequest<P, Q, A>
      return withSidebar(deps, more, await orGone(route, () => route.handle(sent)))
    },
  })
}

/** A form with a file. */
export function fileRoute<const P extends Schema = undefined>(
  deps: PageDeps,
  route: Definition<P, undefined, 'session'> & {
    readonly maxBytes: number
    handle(request: PageRequest<P> & { readonly body: FileForm }): Promise<Answer>
  },
): Route {
  return defineRoute({
    ...sharedOf('POST', { limit: LIMITS.work, ...route }),
    body: { kind: 'file-form', maxBytes: route.maxBytes },
    // Safe: as above.
    async handle(request) {
      const sent = extended(deps, request) as PageRequest<P> & { readonly body: FileForm }
      return withSidebar(deps, sent, await orGone(route, () => route.handle(sent)))
    },
  })
}

/** Not in the API description, so without a summary and answers. */
function sharedOf<M extends 'GET' | 'POST', P, Q, A extends BrowserAccess>(
  method: M,
  { path, access, params, query, limit, onError = errorPage }: Definition<P, Q, A>,
) {
  return {
    method,
    path,
    operationId: `${method} ${path}`,
    summary: path,
    answers: {},
    access: access ?? ('session' as const),
    ...(params !== undefined && { params }),
    ...(query !== undefined && { query }),
    ...(limit && { limit }),
    onError,
  }
}

async function orGone(
  { gone }: Pick<Definition<unknown, unknown, unknown>, 'gone'>,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await handle()
  } catch (error) {
    if (!gone || !hasCode(error, 'not_found')) throw error
    return gone()
  }
}

function extended<R extends { readonly browser: BrowserRequest }>(deps: PageDeps, request: R) {
  const { member } = request.browser
  const db = member && deps.database.member(member.memberId)
  return { ...request, now: deps.clock.now(), db }
}

/** A page of any browser, filled in if it is a member page. */
function withSidebar(
  deps: PageDeps,
  {
    browser,
    db,
    now,
  }: { readonly browser: BrowserRequest; readonly db: unknown; readonly now: number },
  answer: Answer,
): Promise<Answer> {
  // Safe: only signed-in members get a member page.
  const request = { browser, db, now } as Pick<PageRequest, 'db' | 'browser' | 'now'>
  return filledIn(deps, request, answer)
}

/** Fills in the sidebar of a member page, after the handler, so that the counts include its changes. */
export async function filledIn(
  { readSidebar }: Pick<PageDeps, 'readSidebar'>,
  request: Pick<PageRequest, 'db' | 'browser' | 'now'>,
  answer: Answer,
): Promise<Answer> {
  if (!isMemberPage(answer) || !readSidebar) return answer
  const { bodyWith, ...page } = answer
  return { ...page, body: bodyWith(await readSidebar(request)) }
}

/** The path of a request, with its parameters. */
function generatePath(path: string, params: unknown): string {
  const named = new Map<string, unknown>(Object.entries(params ?? {}))
  return path.replaceAll(/:([a-z_]+)/g, (_, name) => encodeURIComponent(String(named.get(name))))
}
