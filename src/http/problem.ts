/** Errors as RFC 9457 problem documents. */

import type { Answer } from './response.ts'
import type { RequestError } from '../base/request-error.ts'

/** Members of every problem document. A code may add its own. */
interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly hint?: string
  readonly request_id: string
}

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export function problem(error: RequestError, requestId: string): Answer {
  const { hint, errors, retryAfter, headers, members } = error.details
  const document = {
    type: 'about:blank',
    title: error.title,
    status: error.status,
    detail: error.message,
    code: error.code,
    ...(hint === undefined ? {} : { hint }),
    ...(errors === undefined ? {} : { errors }),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...members,
    request_id: requestId,
  } satisfies Problem & Record<string, unknown>
  return {
    status: error.status,
    headers: {
      'content-type': PROBLEM_TYPE,
      'cache-control': 'no-store',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...headers,
    },
    body: JSON.stringify(document),
  }
}
