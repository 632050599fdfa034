// The bytes of a file in blocks, the first of which is read ahead.

/** A stream whose first item was already read. */
export interface Peeked<T> {
  readonly head: T | undefined
  readonly all: AsyncIterable<T>
  close(): Promise<void>
}

/** The bytes in blocks of equal size, so that results do not depend on how they arrived. */
export function readBlocks(
  bytes: AsyncIterable<Uint8Array>,
  size = BLOCK_SIZE,
): Promise<Peeked<Uint8Array>> {
  return peeked(evenSizedBlocks(bytes, size))
}

const BLOCK_SIZE = 64 * 1024 // bytes: the chunk size of file streams

async function* evenSizedBlocks(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
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

/** Reads the first item of a stream. */
export async function peeked<T>(items: AsyncGenerator<T, void, undefined>): Promise<Peeked<T>> {
  const first = await items.next()
  async function* all() {
    try {
      if (first.done !== true) yield first.value
      yield* items
    } finally {
      await items.return()
    }
  }
  return {
    head: first.done === true ? undefined : first.value,
    all: all(),
    close: async () => void (await items.return()),
  }
}

/** Text with one character per byte. */
export function binaryText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** The same for blocks of bytes. */
export async function* binaryBlocks(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const block of blocks) yield binaryText(block)
}

/** All of a text; undefined if it has more characters than `most`. */
export async function wholeText(
  blocks: AsyncIterable<string>,
  most = Infinity,
): Promise<string | undefined> {
  const parts: string[] = []
  let length = 0
  for await (const block of blocks) {
    parts.push(block)
    length += block.length
    if (length > most) return undefined
  }
  return parts.join('')
}
