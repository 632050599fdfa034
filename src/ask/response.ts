/** Responses of `/ask`: JSON, server-sent events, and errors, in the format of NLWeb 0.55 and its earlier flat form. */

import { newId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { content, json, type Answer } from '../http/response.ts'
import { problem } from '../http/problem.ts'
import type { Question } from './question.ts'
import type { AskResult } from './source.ts'

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

const PROTOCOL = { response_format: 'conv_search', version: '0.55' }

/** Every response has its own ID, so it cannot be cached. */
const HEADERS = { 'cache-control': 'no-store', vary: 'Accept' }

export function answerAsJson(
  question: Question,
  results: readonly AskResult[],
  headers: Readonly<Record<string, string>>,
): Answer {
  return json({ ...opening(question), results }, 200, { ...HEADERS, ...headers })
}

/** Writes the whole stream at once, because all results are known before the first is sent. */
export function answerAsEvents(
  question: Question,
  results: readonly AskResult[],
  headers: Readonly<Record<string, string>>,
): Answer {
  const { query_id, _meta } = opening(question)
  const events = [
    event('start', { query_id, _meta }),
    ...results.map((result) => event('result', { query_id, results: [result] })),
    event('complete', { query_id, _meta, count: results.length }),
  ]
  return content(events.join(''), EVENT_STREAM, 200, { ...HEADERS, ...headers })
}

/** A problem document that NLWeb clients also read as their `failure`. */
export function askFailure(error: RequestError, requestId: string): Answer {
  const { code, message, details } = error
  const members = {
    ...details.members,
    _meta: { response_type: 'failure', ...PROTOCOL },
    error: { code: code.toUpperCase(), message },
  }
  return problem(new RequestError(code, message, { ...details, members }), requestId)
}

function opening({ queryId, text }: Question) {
  return {
    query_id: queryId ?? newId('query'),
    _meta: {
      response_type: 'answer',
      ...PROTOCOL,
      mode: 'list',
      decontextualized_query: text,
    },
  }
}

/** Server-sent events (WHATWG HTML). JSON text contains no line breaks. */
function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
