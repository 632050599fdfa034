/** What every anonymous GET answers with, so that caches can keep it and check it again. */

import { hash } from 'node:crypto'
import type { Answer } from './response.ts'
import type { Route } from './route.ts'

/** On every answer of a public read: errors at the same URL are HTML, markdown or JSON by the Accept header. */
export const PUBLIC_READ_HEADERS: Readonly<Record<string, string>> = { vary: 'Accept' }

export function isPublicRead({ method, access }: Pick<Route, 'method' | 'access'>): boolean {
  return method === 'GET' && access === 'public'
}

/** The answer with an ETag, made from its content where the handler gave none. What no cache may store has none. */
export function withValidator(answer: Answer): Answer {
  const { status, headers, body } = answer
  const toSqlValue = !/\bno-store\b/.test(headers['cache-control'] ?? '')
  if (status !== 200 || body === undefined || !toSqlValue || 'etag' in headers) return answer
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
  return { ...answer, headers: { ...headers, etag } }
}
