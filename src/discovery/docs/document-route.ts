/** A route for a static document: rendered once, cached as bytes, read with GET. */

import { contentEtag } from '../../http/public-cache-headers.ts'
import { encodingsOf } from '../../http/content-encoding.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { TSchema } from 'typebox'
import type { Answer } from '../../http/response.ts'

interface DocumentDefinition {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly type: string
  readonly schema?: TSchema
  readonly headers?: Readonly<Record<string, string>>
  /** Called on the first request, when all routes are known. */
  write(): string
}

/** In seconds. Documents change only with a release. */
const CACHE_CONTROL = 'public, max-age=300'

/** A document that is the same for everyone until the service restarts. */
export function documentRoute(definition: DocumentDefinition): Route {
  const { path, operationId, summary, type, schema, headers } = definition
  let kept: Answer | undefined
  return defineRoute({
    method: 'GET',
    path,
    operationId,
    summary,
    access: 'public',
    answers: {
      200: {
        description: 'The document',
        ...(schema ? { schema } : { type }),
        headers: ['ETag'],
      },
    },
    handle() {
      kept ??= documentAnswer(definition.write(), type, headers)
      return Promise.resolve(kept)
    },
  })
}

/** A document with an ETag and compressed forms. */
export function documentAnswer(
  text: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const body = Buffer.from(text)
  return {
    status: 200,
    headers: { 'content-type': type, ...sharedHeaders(body), ...headers },
    body,
    encodings: encodingsOf(body),
  }
}

/** For public content. */
export function sharedHeaders(content: string | Uint8Array): Record<string, string> {
  return { etag: contentEtag(content), 'cache-control': CACHE_CONTROL }
}
