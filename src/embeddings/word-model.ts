/** The built-in model: the vector of a text is the weighted sum of its word vectors. English only, without a service. */

import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { tokenize } from '../base/tokenize.ts'
import { normalized, type EmbeddingModel } from './embedding-model.ts'
import { STOP_WORDS } from '../search/questions/stop-words.ts'
import { readWordVectors, type WordVectors } from './word-vectors.ts'

/** Identifies the data and how vectors are computed from it; change it when either changes. */
const NAME = 'glove-60k-1'

const FILE = new URL('./data/words.bin.gz', import.meta.url)

/** A little more than its decompressed content, so that zlib fills one buffer and does not join many small ones. */
const BUFFER_BYTES = 7 * 1024 * 1024

const decompress = promisify(gunzip)

/** On the own set of `bench/search/`, the nearest person to a question without an answer has at most 0.62. */
export const WORD_MIN_COSINE = 0.35

/** Function words of other languages. English text has them in names, so the model knows them, but they do not say what is asked for. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `al als auf aus bei con da das dans de dei del della dem den der des di die do dos du e ein eine el en est et fur het
   im in la las le les los mit na no nos o os par para per por pour qui sur su um un una und une van von y zu zum zur`.split(
    /\s+/,
  ),
)

/** Reads its file when the first text is embedded, which takes about 80 ms and 20 MB. */
export function wordModel(): EmbeddingModel {
  let reading: Promise<WordVectors> | undefined
  return {
    name: NAME,
    isLocal: true,
    minCosine: WORD_MIN_COSINE,
    async embed(texts) {
      reading ??= readVectors()
      const vectors = await reading
      return texts.map((text) => embedWords(vectors, tokenize(text)))
    },
    async embedQuestion(text) {
      reading ??= readVectors()
      const vectors = await reading
      const words = tokenize(text).filter(
        (word) => !STOP_WORDS.has(word) && !FUNCTION_WORDS.has(word),
      )
      const known = words.filter((word) => vectors.places.has(word))
      return 2 * known.length < words.length ? new Float32Array(0) : embedWords(vectors, words)
    },
  }
}

async function readVectors(): Promise<WordVectors> {
  return readWordVectors(await decompress(await readFile(FILE), { chunkSize: BUFFER_BYTES }))
}

/** The common component was already removed from the word vectors, so it need not be removed from the sum. */
export function embedWords(
  { places, dimensions, factors, components }: WordVectors,
  asked: readonly string[],
): Float32Array {
  const sum = new Float32Array(dimensions)
  for (const word of asked) {
    const place = STOP_WORDS.has(word) ? undefined : places.get(word)
    if (place === undefined) continue
    const factor = factors[place] ?? 0
    const from = place * dimensions
    for (let at = 0; at < dimensions; at += 1)
      sum[at] = (sum[at] ?? 0) + factor * (components[from + at] ?? 0)
  }
  return normalized(sum)
}
