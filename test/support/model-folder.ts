/** Small static models in the format of model2vec. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface SmallModel {
  /** The vector of each token. `##` begins a token inside a word of a WordPiece model, `▁` a word of a Unigram model. */
  readonly vectors: Readonly<Record<string, readonly number[]>>
  readonly kind?: 'WordPiece' | 'Unigram'
  readonly type?: 'F16' | 'F32'
  /** The weights of the tokens, in their order. */
  readonly weights?: readonly number[]
  /** The row of each token. */
  readonly mapping?: readonly number[]
}

const UNKNOWN = '[UNK]'

export async function writeModelFolder(folder: string, model: SmallModel): Promise<void> {
  const { vectors, kind = 'WordPiece', type = 'F32', weights, mapping } = model
  const tokens = [UNKNOWN, ...Object.keys(vectors)]
  const columns = Object.values(vectors)[0]?.length ?? 0
  const rows = [Array.from({ length: columns }, () => 9), ...Object.values(vectors)]
  const components = rows.flat()
  const data = type === 'F16' ? Float16Array.from(components) : Float32Array.from(components)
  const tensors = {
    embeddings: { dtype: type, shape: [rows.length, columns], data },
    ...(weights && {
      weights: { dtype: 'F64', shape: [tokens.length], data: Float64Array.from([1, ...weights]) },
    }),
    ...(mapping && {
      mapping: {
        dtype: 'I64',
        shape: [tokens.length],
        data: BigInt64Array.from([0, ...mapping].map(BigInt)),
      },
    }),
  }
  await writeFile(join(folder, 'model.safetensors'), safetensors(tensors))
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizerOf(kind, tokens)))
}

interface TensorToWrite {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data: Float64Array | Float32Array | Float16Array | BigInt64Array
}

function safetensors(tensors: Readonly<Record<string, TensorToWrite>>): Buffer {
  let end = 0
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { dtype, shape, data }]) => {
      const data_offsets = [end, (end += data.byteLength)]
      return [name, { dtype, shape, data_offsets }]
    }),
  )
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  const parts = Object.values(tensors).map(({ data }) => Buffer.from(data.buffer))
  return Buffer.concat([length, text, ...parts])
}

function tokenizerOf(kind: 'WordPiece' | 'Unigram', tokens: readonly string[]): object {
  const none = { post_processor: null, decoder: null, added_tokens: [] }
  if (kind === 'Unigram')
    return {
      ...none,
      normalizer: { type: 'Lowercase' },
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
      model: { type: kind, unk_id: 0, vocab: tokens.map((token) => [token, -1]) },
    }
  return {
    ...none,
    normalizer: { type: 'BertNormalizer', clean_text: true, lowercase: true, strip_accents: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: kind,
      unk_token: UNKNOWN,
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  }
}

/** A folder with a model, which is removed at the end. */
export async function modelFolder(model: SmallModel) {
  const path = await mkdtemp(join(tmpdir(), 'weft-model-'))
  await writeModelFolder(path, model)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
