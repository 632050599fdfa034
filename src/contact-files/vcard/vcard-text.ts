// Decodes the lines of a vCard file. The lines are unfolded as bytes first, because old programs fold lines inside of
// characters, and each property may have its own charset (vCard 2.1).

import { isUtf8 } from 'node:buffer'
import type { Encoding } from '../bytes/encodings.ts'
import { requireEncoding } from '../bytes/text.ts'
import { decoderOf, quotedPrintableBytes } from './vcard-property.ts'

export interface CardText {
  /**
   * Detects the encoding of lines that are not UTF-8 and name no charset.
   *
   * @throws {UnreadableFile} `unknown_encoding` when two encodings are about equally likely.
   */
  prepare(lines: Iterable<string>): Promise<void>
  textOf(line: string): string
  /** Decodes encoded values that are not UTF-8 and name no charset. */
  readonly fallback: TextDecoder | undefined
}

/** For a file that was decoded as a whole. */
export const DECODED: CardText = {
  prepare: async () => {},
  textOf: (line) => line,
  fallback: undefined,
}

/** For lines whose characters are the bytes of the file. */
export function cardText(encoding: Encoding | 'auto'): CardText {
  let fallback = encoding === 'auto' || encoding === 'utf-8' ? undefined : decoderOf(encoding)
  return {
    async prepare(lines) {
      if (fallback !== undefined) return
      const unknown = [...lines].flatMap((line) => unknownBytes(line) ?? [])
      if (unknown.length === 0) return
      fallback = new TextDecoder(await requireEncoding(Buffer.concat(unknown)))
    },
    textOf(line) {
      if (!NOT_ASCII.test(line)) return line
      const bytes = Buffer.from(line, 'latin1')
      if (isUtf8(bytes)) return UTF8.decode(bytes)
      return (decoderOf(charsetOf(line)) ?? fallback ?? WINDOWS_1252).decode(bytes)
    },
    get fallback() {
      return fallback ?? undefined
    },
  }
}

const NOT_ASCII = /[\u0080-\u00ff]/
const UTF8 = new TextDecoder('utf-8')
const WINDOWS_1252 = new TextDecoder('windows-1252')
const LINE_END = Buffer.from('\n')

/** The bytes of a line that is not UTF-8 and names no charset; null for any other. */
function unknownBytes(line: string): Uint8Array[] | null {
  const isEncoded = ENCODED.test(line)
  if (!isEncoded && !NOT_ASCII.test(line)) return null
  if (charsetOf(line) !== '') return null
  const value = line.slice(line.indexOf(':') + 1)
  const bytes = isEncoded ? quotedPrintableBytes(value) : Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? null : [bytes, LINE_END]
}

const ENCODED = /^[^:]*QUOTED-PRINTABLE[;:]/i

function charsetOf(line: string): string {
  return /^[^:]*;\s*CHARSET="?([^;:"]+)/i.exec(line)?.[1]?.trim() ?? ''
}
