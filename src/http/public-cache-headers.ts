/** Cache headers and ETags of anonymous GET responses. */

import { hash } from 'node:crypto'
import type { Answer } from './response.ts'
import type { Route } from './route.ts'

/** Every response to a public read varies by Accept, because errors at the same URL are HTML, Markdown or JSON. */
export const PUBLIC_READ_HEADERS: Readonly<Record<string, string>> = { vary: 'Accept' }

export function isPublicRead({ method, access }: Pick<Route, 'method' | 'access'>): boolean {
  return method === 'GET' && access === 'public'
}

/** Adds an ETag computed from the content, unless the handler set one or the response must not be stored. */
export function withValidator(answer: Answer): Answer {
  const { status, headers, body } = answer
  const isStorable = !/\bno-store\b/.test(headers['cache-control'] ?? '')
  if (status !== 200 || body === undefined || !isStorable || 'etag' in headers) return answer
  return { ...answer, headers: { ...headers, etag: contentEtag(body) } }
}

/** Returns the ETag of a content, with 162 bits of its SHA-256 digest. */
export function contentEtag(content: string | Uint8Array): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}
