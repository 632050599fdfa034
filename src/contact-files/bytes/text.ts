// Decodes the bytes of a contact file: UTF-8, UTF-16, UTF-32, or a legacy encoding for lines that are not valid UTF-8.

import { phrase } from '../../languages/message.ts'
import { isUtf8 } from 'node:buffer'
import { detectEncoding, type Reading } from './detect-encoding.ts'
import { markedEncoding, streamDecoder, type Encoding } from './encodings.ts'
import { countKnownColumns } from '../fields/header-words.ts'
import type { Peeked } from './blocks.ts'
import { UnreadableFile } from './unreadable-file.ts'

/**
 * The text without byte order mark, in blocks that end at a line break if one is near. `encoding` is as named by the member;
 * `auto` detects it.
 *
 * @throws {UnreadableFile} `unknown_encoding` when two encodings are about equally likely and give different text.
 */
export async function* decodeText(
  { head, all }: Peeked<Uint8Array>,
  encoding: Encoding | 'auto' = 'auto',
): AsyncGenerator<string, void, undefined> {
  if (head === undefined) return
  const known = encoding === 'auto' ? markedEncoding(head) : encoding
  yield* known === null ? decodeByLine(all) : decodeStream(all, known)
}

const MAX_LINE_BYTES = 1024 * 1024 // a longer line is decoded in pieces

async function* decodeStream(
  blocks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = streamDecoder(encoding)
  for await (const block of blocks) {
    const text = decoder.decode(block, false)
    if (text !== '') yield text
  }
  const rest = decoder.decode(new Uint8Array(), true)
  if (rest !== '') yield rest
}

/** Detects the encoding when the first line that is not UTF-8 arrives. Some files combine UTF-8 with another encoding. */
async function* decodeByLine(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = lineDecoder()
  let held: Uint8Array[] = [] // lines that wait for the detection
  let heldBytes = 0
  for await (const { bytes, last } of wholeLines(blocks)) {
    const lines = last && decoder.isCutShort(bytes) ? bytes.subarray(0, characterEnd(bytes)) : bytes
    held.push(lines)
    heldBytes += lines.length
    const canDecode = held.length === 1 && decoder.canDecode(lines)
    if (!canDecode && heldBytes < SAMPLE_BYTES && !last) continue
    const all = held.length === 1 ? lines : Buffer.concat(held)
    held = []
    heldBytes = 0
    if (!decoder.canDecode(all)) await decoder.detect(all)
    const text = decoder.decode(all)
    if (text !== '') yield text
  }
}

const SAMPLE_BYTES = 256 * 1024 // several thousand rows

interface Lines {
  readonly bytes: Uint8Array
  readonly last: boolean
}

/** Blocks that end after a line break, except for the last one and lines that are too long. */
async function* wholeLines(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Lines> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const block of blocks) {
    const end = lastLineEnd(block)
    if (end > 0) {
      yield { bytes: joined(held, block.subarray(0, end)), last: false }
      held = []
      heldBytes = 0
    }
    held.push(block.subarray(end))
    heldBytes += block.length - end
    if (heldBytes <= MAX_LINE_BYTES) continue
    const long = joined(held, new Uint8Array())
    const cutAt = characterEnd(long)
    yield { bytes: long.subarray(0, cutAt), last: false }
    held = [long.subarray(cutAt)]
    heldBytes = long.length - cutAt
  }
  yield { bytes: joined(held, new Uint8Array()), last: true }
}

function joined(held: readonly Uint8Array[], tail: Uint8Array): Uint8Array {
  return held.length === 0 ? tail : Buffer.concat([...held, tail])
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

function lineDecoder() {
  let first = true
  let multibyte = false
  let legacy: LegacyDecoder | null = null

  return {
    canDecode: (bytes: Uint8Array) => legacy !== null || isUtf8(bytes),
    /** If a file ends inside a UTF-8 character, only that character is lost, not the encoding of the last line. */
    isCutShort(bytes: Uint8Array) {
      const whole = bytes.subarray(0, characterEnd(bytes))
      if (whole.length === bytes.length || !isUtf8(whole)) return false
      return multibyte || UTF8.decode(whole).length < whole.length
    },
    async detect(bytes: Uint8Array) {
      legacy = await detectLegacy(bytes)
    },
    decode(bytes: Uint8Array): string {
      const text = isUtf8(bytes) || legacy === null ? UTF8.decode(bytes) : legacy.decode(bytes)
      multibyte ||= text.length < bytes.length
      const bare = first && text.startsWith('\ufeff') ? text.slice(1) : text
      first &&= text === ''
      return bare
    },
  }
}

interface LegacyDecoder {
  decode(bytes: Uint8Array): string
}

/** @throws {UnreadableFile} `unknown_encoding` when two encodings are about equally likely. */
async function detectLegacy(bytes: Uint8Array): Promise<LegacyDecoder> {
  const { legacy, utf8 } = linesByEncoding(bytes)
  const encoding = await requireEncoding(Buffer.concat(legacy))
  const decoder = new TextDecoder(encoding)
  // Some pairs of Chinese characters in GBK are valid UTF-8, so UTF-8 lines must not be rare.
  const isMixed = !MULTIBYTE.has(encoding) || utf8 > legacy.length / 10
  return { decode: (more) => (isMixed ? decodeMixed(more, decoder) : decoder.decode(more)) }
}

/**
 * The encoding of whole lines that are not UTF-8.
 *
 * @throws {UnreadableFile} `unknown_encoding` when two encodings are about equally likely.
 */
export async function requireEncoding(bytes: Uint8Array): Promise<string> {
  const { readings, isSure } = await detectEncoding(bytes, countKnownColumns)
  const [best] = readings
  if (best === undefined || !isSure) throw unknownEncoding(readings)
  return best.encoding
}

const MULTIBYTE = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'])

/** The lines that are not UTF-8, and the number of those that are and have characters beyond ASCII. */
function linesByEncoding(bytes: Uint8Array) {
  const legacy: Uint8Array[] = []
  let utf8 = 0
  for (const line of linesOf(bytes)) {
    if (!isUtf8(line)) legacy.push(line)
    else if (line.some((byte) => byte > 127)) utf8++
  }
  return { legacy, utf8 }
}

/** Decodes consecutive lines of the same encoding together. */
function decodeMixed(bytes: Uint8Array, legacy: TextDecoder): string {
  let text = ''
  let runFrom = 0
  let runUtf8 = true
  for (const line of linesOf(bytes)) {
    const from = line.byteOffset - bytes.byteOffset
    const utf8 = isUtf8(line)
    if (utf8 === runUtf8) continue
    text += (runUtf8 ? UTF8 : legacy).decode(bytes.subarray(runFrom, from))
    runFrom = from
    runUtf8 = utf8
  }
  return text + (runUtf8 ? UTF8 : legacy).decode(bytes.subarray(runFrom))
}

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length;) {
    const end = lineEnd(bytes, from)
    yield bytes.subarray(from, end)
    from = end
  }
}

/** The error for bytes that can be read in several ways; shows the first text that differs. */
function unknownEncoding(readings: readonly Reading[]): UnreadableFile {
  const [first, second] = readings
  const guesses = [first, second].flatMap((reading) =>
    reading === undefined
      ? []
      : [{ encoding: reading.encoding, preview: differingLine(reading, first, second) }],
  )
  const [one, other] = guesses
  return new UnreadableFile(
    'unknown_encoding',
    one === undefined || other === undefined
      ? phrase('The text encoding of this file is unknown.')
      : {
          source: phrase(
            'The text encoding of this file is not certain: as {one} it reads "{preview}", as {other} it reads "{otherPreview}".',
          ),
          values: {
            one: one.encoding,
            preview: one.preview,
            other: other.encoding,
            otherPreview: other.preview,
          },
        },
    phrase('Import the file again and name its encoding, or save it as UTF-8 first.'),
    { guesses },
  )
}

const MAX_PREVIEW_LENGTH = 60 // characters

/** The line of `reading` at the first character where the two readings differ. */
function differingLine(reading: Reading, first?: Reading, second?: Reading): string {
  const lines = (text: string | undefined) => (text ?? '').split(/[\r\n]+/)
  const [ours, a, b] = [lines(reading.text), lines(first?.text), lines(second?.text)]
  const at = Math.max(
    0,
    a.findIndex((line, index) => line !== b[index]),
  )
  const line = (ours[at] ?? '').replace(/[\p{C}\s]+/gu, ' ').trim()
  return Array.from(line).slice(0, MAX_PREVIEW_LENGTH).join('')
}

const LF = 10
const CR = 13

function lineEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === LF || bytes[at] === CR) return at + 1
  }
  return bytes.length
}

function lastLineEnd(bytes: Uint8Array): number {
  return Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1
}

/** The index after the last complete UTF-8 character. */
function characterEnd(bytes: Uint8Array): number {
  let lead = bytes.length - 1
  while (lead > 0 && bytes.length - lead < 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead--
  const byte = bytes[lead] ?? 0
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
  return lead + length > bytes.length ? lead : bytes.length
}
