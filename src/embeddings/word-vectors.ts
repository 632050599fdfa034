/**
 * Reads the decompressed file of word vectors, about ten thousand words. `scripts/derive-embeddings.ts` creates the file;
 * data/README.md lists its sources.
 *
 * The file: `WEFTWORD`; the number of words, of dimensions, and the bytes of all words, 32 bits each, little-endian; a
 * 32-bit float per word, the factor for its components; the words in UTF-8, most common first, each followed by a line
 * feed; then, in the same order, the components as signed bytes.
 */

import { weightOf } from './word-weight.ts'

export interface WordVectors {
  readonly dimensions: number
  /** The rank of a word; the most common word has rank 0. */
  readonly places: ReadonlyMap<string, number>
  /** For each word, the factor that gives its components their weight in a text. */
  readonly factors: Float32Array
  readonly components: Int8Array
}

export interface NamedVector {
  readonly word: string
  readonly vector: ArrayLike<number>
}

/** `vectors` are ordered by how common their words are, most common first. */
export function writeWordVectors(vectors: readonly NamedVector[]): Uint8Array<ArrayBuffer> {
  const dimensions = vectors[0]?.vector.length ?? 0
  const text = Buffer.from(vectors.map(({ word }) => `${word}\n`).join(''))
  const { scales, words, components, end } = layoutOf(vectors.length, dimensions, text.length)
  const file = Buffer.alloc(end)
  file.write(MAGIC, 'latin1')
  for (const [index, value] of [vectors.length, dimensions, text.length].entries())
    file.writeUInt32LE(value, MAGIC.length + 4 * index)
  text.copy(file, words)
  for (const [place, { vector }] of vectors.entries()) {
    const scale = Math.max(...Array.from(vector, Math.abs)) / 127
    file.writeFloatLE(scale, scales + 4 * place)
    for (let at = 0; at < dimensions; at += 1)
      file.writeInt8(
        scale === 0 ? 0 : Math.round((vector[at] ?? 0) / scale),
        components + place * dimensions + at,
      )
  }
  return new Uint8Array(file)
}

/** @throws {Error} when the file has another format or is truncated. */
export function readWordVectors(file: Buffer): WordVectors {
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new Error('not a file of word vectors')
  const [count = 0, dimensions = 0, bytes = 0] = [0, 1, 2].map((index) =>
    file.readUInt32LE(MAGIC.length + 4 * index),
  )
  const { scales, words, components, end } = layoutOf(count, dimensions, bytes)
  if (file.length !== end) throw new Error('the file of word vectors is truncated')
  const list = file.toString('utf8', words, components).split('\n')
  return {
    dimensions,
    places: new Map(list.slice(0, count).map((word, place) => [word, place])),
    factors: Float32Array.from(
      { length: count },
      (_, place) => file.readFloatLE(scales + 4 * place) * weightOf(place, count),
    ),
    components: new Int8Array(file.buffer, file.byteOffset + components, count * dimensions),
  }
}

const MAGIC = 'WEFTWORD'

/** The offset of each part. */
function layoutOf(count: number, dimensions: number, wordBytes: number) {
  const scales = MAGIC.length + 3 * 4
  const words = scales + 4 * count
  const components = words + wordBytes
  return { scales, words, components, end: components + count * dimensions }
}
