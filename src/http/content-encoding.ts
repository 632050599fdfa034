/**
 * Compresses content that is the same for everyone, on first use, and caches the result. Personal content is never
 * compressed: next to attacker-chosen text, the compressed length would leak secrets (BREACH).
 */

import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { lazy } from '../base/lazy.ts'
import { names } from './content/accept.ts'
import type { Answer, Encodings } from './response.ts'

/** Compresses when an encoding is first requested. */
export function encodingsOf(content: string | Uint8Array): Encodings {
  return {
    br: lazy(() => brotliCompressSync(content, BROTLI)),
    gzip: lazy(() => gzipSync(content)),
  }
}

/** Higher brotli levels are meant for precompressed files: a tenth smaller, ten times slower. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/**
 * Encodes the response with the first of these codings that the client accepts by name (RFC 9110 section 12.5.3), if
 * any.
 */
export function encodedAnswer(
  answer: Answer & { readonly encodings: Encodings },
  acceptEncoding: string | undefined,
): Answer {
  const { vary, etag: plainTag } = answer.headers
  const headers = {
    ...answer.headers,
    vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
  }
  const { encodings } = answer
  const coding = CODINGS.find((one) => encodings[one] && names(acceptEncoding, one))
  if (coding === undefined) return { ...answer, headers }
  // Each coding is a separate representation with its own ETag (RFC 9110 section 8.8.3.3).
  const etag = plainTag?.replace(/"$/, `.${coding}"`)
  return {
    ...answer,
    headers: { ...headers, 'content-encoding': coding, ...(etag !== undefined && { etag }) },
    // Lazy, because a 304 has no body.
    get body() {
      return encodings[coding]?.()
    },
  }
}

const CODINGS = ['br', 'gzip'] as const
