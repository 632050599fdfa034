/**
 * A static model from a folder: the vector of a text is the mean of the vectors of its tokens. The vectors stay in the file,
 * and only the latest are in memory.
 */

import { openSync, readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { memoize } from '../base/memoize.ts'
import { normalized } from './embedding-model.ts'
import { readAt, TENSOR_TYPES, type ModelFolder, type Tensor } from './model-folder.ts'

/** About 20 MB. */
const MAX_VECTORS = 20_000
const MAX_WORDS = 50_000

/**
 * Words are tokenized alone, and long ones in parts, because tokenizers take quadratic time for long texts. That makes no
 * difference for those that split at spaces first, as almost all do.
 */
const WORD = /\S{1,64}/gu

/** The part of the library that is used. Its own types do not resolve under Node's rules. */
interface TextTokenizer {
  readonly model: { readonly unk_token_id?: number } | null
  encode(
    text: string,
    options: { readonly add_special_tokens: boolean },
  ): { readonly ids: readonly number[] }
}

/** Takes seconds for a model with hundreds of thousands of tokens. */
export function openStaticModel(folder: ModelFolder): (text: string) => Float32Array {
  const file = openSync(folder.vectorFile, 'r')
  const tokenizer: TextTokenizer = new Tokenizer(
    JSON.parse(readFileSync(folder.tokenizerFile, 'utf8')) as object,
    {},
  )
  const unknown = tokenizer.model?.unk_token_id
  const tokensOf = memoize(
    (word) =>
      tokenizer.encode(word, { add_special_tokens: false }).ids.filter((id) => id !== unknown),
    MAX_WORDS,
  )
  const { embeddings, weights, mapping } = folder
  const weightOf = weights && readList(file, weights)
  const rowOf = mapping && readList(file, mapping)
  const vectorOf = memoize((token: number): Float32Array => {
    const row = rowOf ? (rowOf[token] ?? -1) : token
    const weight = weightOf ? (weightOf[token] ?? 0) : 1
    return row < 0 || row >= embeddings.rows
      ? new Float32Array(embeddings.columns)
      : readRow(file, embeddings, row).map((component) => weight * component)
  }, MAX_VECTORS)
  return (text) => {
    const sum = new Float32Array(embeddings.columns)
    for (const [word] of text.matchAll(WORD))
      for (const token of tokensOf(word)) addTo(sum, vectorOf(token))
    return normalized(sum)
  }
}

function readRow(file: number, { type, columns, offset }: Tensor, row: number): Float32Array {
  const { bytes, read } = TENSOR_TYPES[type]
  const data = readAt(file, offset + row * columns * bytes, columns * bytes)
  return Float32Array.from({ length: columns }, (_, at) => read(data, at * bytes))
}

function readList(file: number, { rows, columns, ...tensor }: Tensor): Float32Array {
  return readRow(file, { ...tensor, rows: 1, columns: rows * columns }, 0)
}

function addTo(sum: Float32Array, vector: Float32Array): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0)
}
