/** Parses the `Idempotency-Key` header and fingerprints requests (draft-ietf-httpapi-idempotency-key-header-07). */

import { hash } from 'node:crypto'
import { RequestError } from '../base/request-error.ts'

/** Identifies a retryable request: its sender, key and content. */
export interface RequestKey {
  /** The credential, or the client address of an anonymous request. Keys are scoped to it. */
  readonly scope: string
  /** Hash of the surface, the key and the index within a batch. The key itself is never stored. */
  readonly keyHash: string
  /** Hash of the content: reusing a key with another fingerprint is an error. */
  readonly fingerprint: string
}

const MAX_KEY_LENGTH = 255

/** 1 to 255 visible characters, not counting the quotes of an RFC 8941 string. Undefined without the header. */
export function readIdempotencyKey(header: string): string
export function readIdempotencyKey(header: string | undefined): string | undefined
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = dequoted(header.trim())
  if (key !== undefined && key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key
  throw new RequestError(
    'idempotency_key_invalid',
    `The Idempotency-Key is not valid. It must have 1 to ${MAX_KEY_LENGTH} visible ASCII characters without spaces.`,
    { hint: 'Use a random UUID for each write, and reuse it only to retry that write.' },
  )
}

/** RFC 8941 section 3.3.3; undefined if the string is malformed. */
function dequoted(text: string): string | undefined {
  if (!text.startsWith('"')) return text
  if (!/^"(?:[^"\\]|\\["\\])*"$/.test(text)) return undefined
  return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
}

/** Only the hash of the key is stored. */
export function requestKey(request: {
  readonly scope: string
  /** Paths with the same surface share their records. */
  readonly surface: string
  readonly key: string
  /** Index of the call in a batch. */
  readonly index?: number
  readonly fingerprint: string
}): RequestKey {
  const { scope, surface, key, index = 0, fingerprint } = request
  return { scope, keyHash: hash('sha256', `${surface}\n${index}\n${key}`, 'hex'), fingerprint }
}

/** The key of a request with a JSON body; undefined without the header. */
export function keyOfRequest(
  header: (name: string) => string | undefined,
  request: { readonly scope: string; readonly surface: string; readonly body: unknown },
): RequestKey | undefined {
  const key = readIdempotencyKey(header('idempotency-key'))
  if (key === undefined) return undefined
  const { scope, surface, body } = request
  return requestKey({ scope, surface, key, fingerprint: requestFingerprint(body) })
}

/** SHA-256 of the JSON, independent of the order of object members. */
export function requestFingerprint(value: unknown): string {
  return hash('sha256', JSON.stringify(value, inOrder) ?? '', 'hex')
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
