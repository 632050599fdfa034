/** Runs a handler and writes the result: its response, a documented error, or a 500 without details. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { newRequestId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { inLanguage } from '../languages/language.ts'
import { requestLanguage } from '../languages/request-language.ts'
import { namesByPreference } from './content/accept.ts'
import { notFoundError } from './error-format.ts'
import { connectionClosed } from './body/read-body.ts'
import { describeResponse, requestSpan } from './request-span.ts'
import { requestPath } from './router.ts'
import { sendStream } from './send-stream.ts'
import { writeAnswer } from './write-response.ts'
import type { Log } from '../base/log.ts'
import type { Span, Trace } from '../base/monitoring/tracing.ts'
import type { Answer, ContentStream } from './response.ts'
import type { Exchange } from './route-request.ts'
import type { ErrorResponder } from './route.ts'

interface RequestHandlerDeps {
  readonly log: Log
  /** Renders an error as an HTML page for browsers. */
  readonly errorPage: ErrorResponder
  readonly memberVersion?: MemberVersion | undefined
  /** Fires at shutdown: connections close and open-ended streams end. */
  readonly stopping: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  readonly onAnswered?: OnAnswered | undefined
  readonly trace?: Trace | undefined
}

/** A request whose response was sent or cut off. */
export interface AnsweredRequest {
  readonly request: IncomingMessage
  readonly requestId: string
  readonly method: string
  /** With parameters as `:name`, never the requested path. */
  readonly route: string | undefined
  readonly status: number
  readonly milliseconds: number
  /** Code of the error, if there is one. */
  readonly code: string | undefined
  /** True if the client disconnected during a stream. */
  readonly isCut: boolean
}

/** Must be fast and not throw. */
export type OnAnswered = (answered: AnsweredRequest) => void

/** Answers a request. Never rejects: errors are written by the route's `onError`, or as problem documents or pages. */
export function answerRequest(
  deps: RequestHandlerDeps,
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
  matched: MatchedRoute = {},
): Promise<void> {
  if (!deps.trace) return respond(deps, request, response, handle, matched)
  return deps.trace(requestSpan(request, matched.path), (span) =>
    respond({ ...deps, span }, request, response, handle, matched),
  )
}

async function respond(
  deps: RequestHandlerDeps & { readonly span?: Span },
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
  { onError, path }: MatchedRoute,
): Promise<void> {
  const startedAt = performance.now()
  const exchange: Exchange = { requestId: newRequestId(), headers: { ...deps.headers } }
  let code: string | undefined
  let isStream = false
  try {
    const answer = await versionFor(deps, request, await handle(exchange), exchange)
    if (deps.stopping.aborted) response.shouldKeepAlive = false
    writeAnswer(request, response, answer, exchange)
    isStream = answer.stream !== undefined
    if (answer.stream) await sendOrCutOff(deps, request, response, answer.stream, exchange)
  } catch (error) {
    if (deps.stopping.aborted) response.shouldKeepAlive = false
    const requestError = toRequestError(error, exchange.requestId, request, deps.log)
    code = requestError.code
    const { accept, 'accept-language': languages } = request.headers
    const { requestId, language = requestLanguage(undefined, namesByPreference(languages)) } =
      exchange
    const answer = await inLanguage(language, () =>
      onError
        ? onError(requestError, requestId)
        : notFoundError(accept, deps.errorPage, requestError, requestId),
    )
    writeAnswer(request, response, await versionFor(deps, request, answer, exchange), exchange)
  }
  if (deps.span) describeResponse(deps.span, exchange.requestId, response.statusCode, code)
  deps.onAnswered?.({
    request,
    requestId: exchange.requestId,
    method: request.method ?? '',
    route: path,
    status: response.statusCode,
    milliseconds: performance.now() - startedAt,
    code,
    isCut: isStream && response.destroyed && !response.writableFinished,
  })
}

/** Resolves to the member's version of a page; undefined if no one is signed in. */
export type MemberVersion = (
  forMember: NonNullable<Answer['forMember']>,
  cookies: string,
  languages: string | undefined,
) => Promise<Answer | undefined>

/** A page that has a version for members is sent in it to a member, and as it is if that fails. */
async function versionFor(
  { memberVersion, log }: RequestHandlerDeps,
  request: IncomingMessage,
  answer: Answer,
  exchange: Exchange,
): Promise<Answer> {
  const { cookie, 'accept-language': languages } = request.headers
  if (!memberVersion || !answer.forMember || cookie === undefined) return answer
  try {
    const version = await memberVersion(answer.forMember, cookie, languages)
    if (!version) return answer
    const { vary, link } = answer.headers
    const kept = { ...(vary !== undefined && { vary }), ...(link !== undefined && { link }) }
    return { ...version, headers: { ...version.headers, ...kept } }
  } catch (error) {
    logFailure(error, exchange.requestId, request, log)
    return answer
  }
}

export interface MatchedRoute {
  /** Renders errors; problem documents or pages by default. */
  readonly onError?: ErrorResponder | undefined
  /** With parameters as `:name`. */
  readonly path?: string | undefined
}

async function sendOrCutOff(
  deps: RequestHandlerDeps,
  request: IncomingMessage,
  response: ServerResponse,
  content: ContentStream,
  { requestId }: Exchange,
): Promise<void> {
  try {
    await sendStream(request, response, content, deps.stopping)
  } catch (error) {
    if (!(error instanceof RequestError) || error.isFailure)
      logFailure(error, requestId, request, deps.log)
    // Otherwise the client would take a truncated stream for a complete one.
    response.destroy()
  }
}

export type Handle = (exchange: Exchange) => Promise<Answer>

function toRequestError(
  error: unknown,
  requestId: string,
  request: IncomingMessage,
  log: Log,
): RequestError {
  if (error instanceof RequestError) {
    if (error.isFailure) logFailure(error, requestId, request, log)
    return error
  }
  // The client disconnected during its upload.
  if (error === request.errored) return connectionClosed()
  // Work aborted because the client disconnected.
  if (error instanceof Error && error.name === 'AbortError' && request.socket.destroyed)
    return new RequestError(
      'invalid_request',
      'The connection was closed before the response was ready.',
    )
  logFailure(error, requestId, request, log)
  return internalError('An internal error occurred. No changes were made.')
}

/** Returns a 500 without details, which are in the log. */
export function internalError(message: string): RequestError {
  return new RequestError('internal', message, {
    hint: 'Try again. If the error persists, report the request_id to the operator.',
  })
}

function logFailure(
  error: unknown,
  requestId: string,
  { method, url }: IncomingMessage,
  log: Log,
): void {
  const path = requestPath(url ?? '')
  log.error({ err: error, request_id: requestId, method, path }, 'request failed')
}
