/**
 * Results that are the same for every caller, compressed once. Only the ID before them differs between responses, so it
 * is stored uncompressed in the same gzip stream. Only gzip is used, because every HTTP client supports it.
 */

import { constants, crc32, deflateRawSync } from 'node:zlib'
import { lazy } from '../../base/lazy.ts'
import type { Encodings } from '../../http/response.ts'

/** The encodings of a response made of `head` and the stored text; undefined if `head` is too long. */
export type EncodeAfter = (head: string) => Encodings | undefined

/** A shorter text fits in one packet uncompressed. Bytes. */
const MIN_COMPRESSED_BYTES = 1_400

/** IDs are short. A stored block holds 65,535 bytes (RFC 1951 section 3.2.4). */
const MAX_HEAD_BYTES = 1_000

/** Undefined for a text that is too short to compress. */
export function encodeAfter(tail: string): EncodeAfter | undefined {
  if (Buffer.byteLength(tail) < MIN_COMPRESSED_BYTES) return undefined
  const kept = lazy(() => {
    const bytes = Buffer.from(tail)
    const level = constants.Z_BEST_COMPRESSION
    return { bytes, deflated: deflateRawSync(bytes, { level }) }
  })
  return (text) => {
    const head = Buffer.from(text)
    if (head.byteLength > MAX_HEAD_BYTES) return undefined
    return { gzip: lazy(() => gzipOf(head, kept())) }
  }
}

interface Deflated {
  readonly bytes: Uint8Array
  /** A separate deflate stream without references to earlier data. */
  readonly deflated: Uint8Array
}

/** RFC 1952 section 2.3: one member, whose deflate stream is a stored block with the head, then the stored blocks. */
function gzipOf(head: Uint8Array, { bytes, deflated }: Deflated): Uint8Array {
  const block = Buffer.alloc(5)
  block.writeUInt16LE(head.byteLength, 1)
  block.writeUInt16LE(head.byteLength ^ 0xffff, 3)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(bytes, crc32(head)), 0)
  trailer.writeUInt32LE(head.byteLength + bytes.byteLength, 4)
  return Buffer.concat([GZIP_HEADER, block, head, deflated, trailer])
}

/** Deflate, without name and time, unknown operating system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
