/** Runs a handler and writes what comes of it: its answer, its refusal, or 500 with no detail. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { newRequestId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { notFoundError } from './not-found.ts'
import { sendStream } from './send-stream.ts'
import { writeAnswer } from './write-response.ts'
import type { Log } from '../base/log.ts'
import type { Answer, ContentStream } from './response.ts'
import type { Exchange } from './route-request.ts'
import type { ErrorResponder } from './route.ts'

/** What is the same for every request. */
export interface RequestHandlerDeps {
  readonly log: Log
  /** Tells a person's browser that there is nothing at an address, or why there is no answer. */
  readonly refusalPage: ErrorResponder
  /** Fires when the service begins to stop: it then keeps no connection, and ends streams that would go on. */
  readonly stopping: AbortSignal
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
}

/** Never rejects. Refusals are written by `refuse`, or as problem documents and pages where a route has none. */
export async function answerRequest(
  desk: RequestHandlerDeps,
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
  refuse?: ErrorResponder,
): Promise<void> {
  const exchange: Exchange = { requestId: newRequestId(), headers: { ...desk.headers } }
  try {
    const answer = await handle(exchange)
    if (desk.stopping.aborted) response.shouldKeepAlive = false
    writeAnswer(request, response, answer, exchange)
    if (answer.stream) await sendOrCutOff(desk, request, response, answer.stream, exchange)
  } catch (error) {
    if (desk.stopping.aborted) response.shouldKeepAlive = false
    const refusal = refusalOf(error, exchange.requestId, request, desk.log)
    const { accept } = request.headers
    const { requestId } = exchange
    const answer = refuse
      ? refuse(refusal, requestId)
      : await notFoundError(accept, desk.refusalPage, refusal, requestId)
    writeAnswer(request, response, answer, exchange)
  }
}

async function sendOrCutOff(
  desk: RequestHandlerDeps,
  request: IncomingMessage,
  response: ServerResponse,
  content: ContentStream,
  { requestId }: Exchange,
): Promise<void> {
  try {
    await sendStream(request, response, content, desk.stopping)
  } catch (error) {
    logFailure(error, requestId, request, desk.log)
    // Cut off, it cannot be taken for one that ended.
    response.destroy()
  }
}

export type Handle = (exchange: Exchange) => Promise<Answer>

function refusalOf(
  error: unknown,
  requestId: string,
  request: IncomingMessage,
  log: Log,
): RequestError {
  if (error instanceof RequestError) {
    if (error.isFailure) logFailure(error, requestId, request, log)
    return error
  }
  // Whoever left in the middle of their body met no failure of ours, and reads no answer.
  if (error === request.errored)
    return new RequestError(
      'invalid_request',
      'The connection was lost before the whole body arrived.',
    )
  // Work that stopped because its client disconnected.
  if (error instanceof Error && error.name === 'AbortError' && request.socket.destroyed)
    return new RequestError(
      'invalid_request',
      'The connection was closed before the answer was ready.',
    )
  logFailure(error, requestId, request, log)
  return new RequestError('internal', 'The request failed on our side. Nothing was changed.', {
    hint: 'Try again; if it goes on, tell the operator the request_id.',
  })
}

function logFailure(
  error: unknown,
  requestId: string,
  { method, url }: IncomingMessage,
  log: Log,
): void {
  const path = pathOf(url)
  log.error({ err: error, request_id: requestId, method, path }, 'request failed')
}

export function pathOf(url: string | undefined): string {
  return (url ?? '').split('?', 1)[0] ?? ''
}
