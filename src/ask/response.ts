/** Answers of `/ask` on the wire: JSON, server-sent events, and failures; NLWeb 0.55 and its flat form in one. */

import { newId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { content, json, type Answer } from '../http/response.ts'
import { problem } from '../http/problem.ts'
import type { Question } from './question.ts'
import type { AskResult } from './source.ts'

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

const PROTOCOL = { response_format: 'conv_search', version: '0.55' }

/** Every question has an id of its own, so no two answers are the same. */
const HEADERS = { 'cache-control': 'no-store', vary: 'Accept' }

export function answerAsJson(
  question: Question,
  results: readonly AskResult[],
  headers: Readonly<Record<string, string>>,
): Answer {
  return json({ ...opening(question), results }, 200, { ...HEADERS, ...headers })
}

/** The whole stream at once: every result is known before the first is sent. */
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

/** WHATWG HTML, server-sent events; JSON has no line breaks of its own. */
function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
