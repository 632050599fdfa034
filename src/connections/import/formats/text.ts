// Decodes the bytes of a contact file as UTF-8, UTF-16, or Windows-1252 for lines that are not valid UTF-8.

import { isUtf8 } from 'node:buffer'

/** The text without byte order mark, in blocks that end at a line break if one is near. */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  blockSize: number = BLOCK_SIZE,
): AsyncGenerator<string, void, undefined> {
  let decoder: BlockDecoder | null = null
  for await (const block of evenSizedBlocks(bytes, blockSize)) {
    decoder ??= decoderFor(block)
    const text = decoder.decode(block)
    if (text !== '') yield text
  }
  const rest = decoder?.end() ?? ''
  if (rest !== '') yield rest
}

/** The same bytes in blocks of equal size, so that results do not depend on how the bytes arrived. */
export async function* evenSizedBlocks(
  bytes: AsyncIterable<Uint8Array>,
  size: number = BLOCK_SIZE,
): AsyncGenerator<Uint8Array, void, undefined> {
  let block = new Uint8Array(size)
  let filled = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + size - filled)
      block.set(part, filled)
      at += part.length
      filled += part.length
      if (filled < size) continue
      yield block
      block = new Uint8Array(size)
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}

const BLOCK_SIZE = 64 * 1024 // bytes: the chunk size of file streams
const MAX_LINE_BYTES = 1024 * 1024 // a longer line is decoded in pieces

interface BlockDecoder {
  decode(block: Uint8Array): string
  end(): string
}

function decoderFor(head: Uint8Array): BlockDecoder {
  const encoding = utf16In(head)
  return encoding === null ? lineDecoder() : streamDecoder(encoding)
}

/** Detects UTF-16 by its byte order mark, else by the zero in every second byte of Latin text. */
function utf16In(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  const sample = head.subarray(0, 400)
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  const enough = sample.length * 0.4 // at least 80 % of the characters are Latin
  if (sample.length < 8 || (even > 0 && odd > 0)) return null
  if (odd > enough) return 'utf-16le'
  return even > enough ? 'utf-16be' : null
}

function streamDecoder(encoding: string): BlockDecoder {
  const decoder = new TextDecoder(encoding)
  return {
    decode: (block) => decoder.decode(block, { stream: true }),
    end: () => decoder.decode(),
  }
}

/** Detects the encoding per line, because some files combine two encodings. */
function lineDecoder(): BlockDecoder {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let first = true
  let multibyte = false

  function decodeBytes(bytes: Uint8Array, last: boolean): string {
    const text = decodeLines(bytes, last && multibyte)
    multibyte ||= text.length < bytes.length
    const bare = first && text.startsWith('\ufeff') ? text.slice(1) : text
    first &&= text === ''
    return bare
  }

  function take(tail: Uint8Array): Uint8Array {
    const bytes = held.length === 0 ? tail : Buffer.concat([...held, tail])
    held = []
    heldBytes = 0
    return bytes
  }

  return {
    decode(block) {
      const end = lastLineEnd(block)
      let text = end === 0 ? '' : decodeBytes(take(block.subarray(0, end)), false)
      const rest = block.subarray(end)
      held.push(rest)
      heldBytes += rest.length
      if (heldBytes <= MAX_LINE_BYTES) return text
      const long = take(new Uint8Array())
      const cutAt = characterEnd(long)
      text += decodeBytes(long.subarray(0, cutAt), false)
      held = [long.subarray(cutAt)]
      heldBytes = long.length - cutAt
      return text
    },
    end: () => decodeBytes(take(new Uint8Array()), true),
  }
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })
const WINDOWS_1252 = new TextDecoder('windows-1252')

/** Decodes consecutive lines of the same encoding together. */
function decodeLines(bytes: Uint8Array, cutShort: boolean): string {
  if (isUtf8(bytes)) return UTF8.decode(bytes)
  let text = ''
  let runFrom = 0
  let runUtf8 = true
  for (let from = 0; from < bytes.length;) {
    const end = lineEnd(bytes, from)
    const utf8 = isUtf8(bytes.subarray(from, end))
    if (utf8 !== runUtf8) {
      text += decodeRun(bytes.subarray(runFrom, from), runUtf8, false)
      runFrom = from
      runUtf8 = utf8
    }
    from = end
  }
  return text + decodeRun(bytes.subarray(runFrom), runUtf8, cutShort)
}

/** A file that ends inside a UTF-8 character loses only that character, not the encoding of its last line. */
function decodeRun(bytes: Uint8Array, utf8: boolean, cutShort: boolean): string {
  if (utf8) return UTF8.decode(bytes)
  const whole = cutShort ? bytes.subarray(0, characterEnd(bytes)) : bytes
  return cutShort && isUtf8(whole) ? UTF8.decode(whole) : WINDOWS_1252.decode(bytes)
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
