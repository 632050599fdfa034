/** Errors as HTTP says them: RFC 9457 problem documents, in this one place. */

import type { Answer } from './response.ts'
import type { RequestError } from '../base/request-error.ts'

/** The members every problem has; a code may add its own beside them. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly hint?: string
  readonly request_id: string
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export function problem(refusal: RequestError, requestId: string): Answer {
  const { hint, errors, retryAfter, headers, members } = refusal.details
  const document = {
    type: 'about:blank',
    title: refusal.title,
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    ...(hint === undefined ? {} : { hint }),
    ...(errors === undefined ? {} : { errors }),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...members,
    request_id: requestId,
  } satisfies Problem & Record<string, unknown>
  return {
    status: refusal.status,
    headers: {
      'content-type': PROBLEM_TYPE,
      'cache-control': 'no-store',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...headers,
    },
    body: JSON.stringify(document),
  }
}
