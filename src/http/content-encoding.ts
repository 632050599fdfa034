/**
 * Content codings of what is the same for everybody: compressed when somebody first asks for it, and kept. What is
 * made for one person is not compressed: beside a word that a stranger chose, its length would tell of what is secret
 * in it (BREACH).
 */

import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { accepts } from './accept.ts'
import type { Answer, Encodings } from './response.ts'

export function encodingsOf(content: string | Uint8Array): Encodings {
  let br: Uint8Array | undefined
  let gzip: Uint8Array | undefined
  return {
    br: () => (br ??= brotliCompressSync(content, BROTLI)),
    gzip: () => (gzip ??= gzipSync(content)),
  }
}

/** Of the 11 levels of brotli those above it are for files that are compressed beforehand: a tenth smaller, ten times slower. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** In the first of these codings that the caller names (RFC 9110 section 12.5.3), or as it is. */
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
  const coding = CODINGS.find((one) => encodings[one] && accepts(acceptEncoding, one))
  if (coding === undefined) return { ...answer, headers }
  // Each coding makes a representation of its own, with its own tag (RFC 9110 section 8.8.3.3).
  const etag = plainTag?.replace(/"$/, `.${coding}"`)
  return {
    ...answer,
    headers: { ...headers, 'content-encoding': coding, ...(etag !== undefined && { etag }) },
    // Not before it is sent: a 304 needs none.
    get body() {
      return encodings[coding]?.()
    },
  }
}

const CODINGS = ['br', 'gzip'] as const
