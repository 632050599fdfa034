/** The `Idempotency-Key` header and what a key stands for (draft-ietf-httpapi-idempotency-key-header-07). */

import { hash } from 'node:crypto'
import { RequestError } from '../base/request-error.ts'

/** One request that may be sent again: by whom, under which key, and what it says. */
export interface RequestKey {
  /** The credential, or the address of nobody: a key means nothing to anybody else. */
  readonly scope: string
  /** Of the surface, the key and the place within a batch. Never the key itself. */
  readonly keyHash: string
  /** Of what was sent: the same key with another fingerprint is a mistake. */
  readonly fingerprint: string
}

export const MAX_KEY_LENGTH = 255

/** 1 to 255 visible characters; a string of RFC 8941 counts without its quotes. Undefined where none was sent. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = dequoted(header.trim())
  if (key !== undefined && key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key
  throw new RequestError(
    'idempotency_key_invalid',
    `An Idempotency-Key has 1 to ${MAX_KEY_LENGTH} visible ASCII characters and no spaces.`,
    { hint: 'A random UUID per write is a good key; send the same one only to repeat that write.' },
  )
}

/** RFC 8941 section 3.3.3; undefined for a string that is not well formed. */
function dequoted(text: string): string | undefined {
  if (!text.startsWith('"')) return text
  if (!/^"(?:[^"\\]|\\["\\])*"$/.test(text)) return undefined
  return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
}

export function requestKey(parts: {
  readonly scope: string
  /** Paths that share their records name the same surface. */
  readonly surface: string
  readonly key: string
  /** Which call of a batch it is. */
  readonly index?: number
  readonly fingerprint: string
}): RequestKey {
  const { scope, surface, key, index = 0, fingerprint } = parts
  return { scope, keyHash: hash('sha256', `${surface}\n${index}\n${key}`, 'hex'), fingerprint }
}

/** The key of a request with a JSON body; undefined where it brought none. */
export function keyOfRequest(
  header: (name: string) => string | undefined,
  request: { readonly scope: string; readonly surface: string; readonly body: unknown },
): RequestKey | undefined {
  const key = readIdempotencyKey(header('idempotency-key'))
  if (key === undefined) return undefined
  const { scope, surface, body } = request
  return requestKey({ scope, surface, key, fingerprint: fingerprintOf(body) })
}

/** SHA-256 over JSON in which the order of an object's members does not count. */
export function fingerprintOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value, inOrder) ?? '', 'hex')
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
