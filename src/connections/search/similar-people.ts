/** The people of a network who are nearest to a query in meaning. */

import { RequestError } from '../../base/request-error.ts'
import { embedQuestion, type Embedder } from '../../embeddings/embedder.ts'
import { nearest, type NetworkVectors } from '../../embeddings/network-vectors.ts'
import { filterIndex, hasConnection, MAX_RANKED } from '../../search/index/search-index.ts'
import { SCRATCH } from './answer-query.ts'
import { embedNetwork } from './embed-network.ts'
import type { IndexFilters } from '../../search/index/index-filters.ts'
import type { IndexReader, NetworkIndex } from './index/network-index.ts'

export interface MeaningDeps {
  readonly embedder: Embedder
  readonly now: number
  readonly signal: AbortSignal
}

interface Meaning {
  readonly text: string
  readonly filters: IndexFilters
  /** How long to wait for vectors that are not computed yet. */
  readonly patienceMs: number
  readonly minCosine: number
}

/** Connection IDs, nearest first. `preparing` while the vectors are computed or read; `none` without vectors. */
export type Similar = readonly number[] | 'preparing' | 'none'

/** @throws {RequestError} `unavailable` when the model does not respond. */
export async function findSimilar(
  reader: IndexReader,
  index: NetworkIndex,
  { text, filters, patienceMs, minCosine }: Meaning,
  deps: MeaningDeps,
): Promise<Similar> {
  const { embedder, signal } = deps
  const known = embedder.memory.of(reader, embedder.model.name, deps.now)
  const vectors = isPending(known) ? await preparedVectors(reader, known, patienceMs, deps) : known
  if (typeof vectors !== 'object') return vectors ?? 'none'
  const vector = await embedQuestion(embedder, text, signal)
  return embedder.turns.run(
    reader.memberId,
    () => nearestPeople(index, filters, { vectors, vector, minCosine, signal }),
    signal,
  )
}

type Reading = Promise<NetworkVectors | undefined>

/** A network without vectors may not be embedded yet. */
function isPending(known: NetworkVectors | undefined | Reading): known is undefined | Reading {
  return known === undefined || known instanceof Promise
}

/**
 * The vectors of a network. It is embedded in the background after changes; a search that is earlier waits so long for a
 * local model. An endpoint may cost money and receives the texts, so it is used only after the job `embed_objects`.
 */
async function preparedVectors(
  reader: IndexReader,
  reading: undefined | Reading,
  patienceMs: number,
  { embedder, now, signal }: MeaningDeps,
): Promise<NetworkVectors | 'preparing' | undefined> {
  // Those of 100,000 people take seconds to read. A later search finds them in memory.
  const stored = await resultWithin(patienceMs / 2, Promise.resolve(reading), signal)
  if (!stored) return 'preparing'
  if (stored.result || !embedder.model.isLocal) return stored.result
  if (!(await resultWithin(patienceMs, embedNow(reader, embedder), signal))) return 'preparing'
  const embedded = Promise.resolve(embedder.memory.of(reader, embedder.model.name, now))
  const read = await resultWithin(patienceMs / 2, embedded, signal)
  return read ? read.result : 'preparing'
}

/** Concurrent searches share it. Resolves when the vectors are current or could not be computed. */
function embedNow(reader: IndexReader, embedder: Embedder): Promise<void> {
  const { memberId } = reader
  const { embedding } = embedder
  let running = embedding.get(memberId)
  if (!running) {
    running = reader.memory
      .save((write) => embedNetwork(reader, embedder, write))
      .finally(() => embedding.delete(memberId))
    embedding.set(memberId, running)
  }
  return running
}

/** Why a search could not look for people of this meaning; undefined for a network without text to embed. */
export function preparationError(
  { model }: Embedder,
  near: Exclude<Similar, readonly number[]>,
): RequestError | undefined {
  if (near === 'preparing')
    return new RequestError('preparing', 'Search by meaning is being prepared.', {
      hint: `Try again in ${RETRY_AFTER} seconds, or use mode keyword.`,
      retryAfter: RETRY_AFTER,
      members: { retryable: true },
    })
  if (model.isLocal) return undefined
  return new RequestError('conflict', 'Semantic search is not prepared yet.', {
    hint: 'Start the job embed_objects with POST /api/jobs and wait until it is done, or use mode keyword.',
  })
}

/** Seconds. */
const RETRY_AFTER = 5

/** Undefined if it takes longer; then it continues. Throws the reason of the signal if it aborts before. */
async function resultWithin<Result>(
  milliseconds: number,
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<{ readonly result: Result } | undefined> {
  signal.throwIfAborted()
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), milliseconds).unref()
  const leave = () => late.reject(signal.reason as Error)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work.then((result) => ({ result })), late.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

interface Comparison {
  readonly vectors: NetworkVectors
  readonly vector: Float32Array
  readonly minCosine: number
  readonly signal: AbortSignal
}

/** Only those who still exist and pass the filters. */
async function nearestPeople(
  index: NetworkIndex,
  filters: IndexFilters,
  { vectors, vector, minCosine, signal }: Comparison,
): Promise<number[]> {
  const among = Object.keys(filters).length === 0 ? undefined : filterIndex(index, filters, SCRATCH)
  // The next job drops vectors of deleted connections. Until then, widen the search if many are deleted.
  for (let most = MAX_RANKED; ; most *= 10) {
    const near = await nearest(vectors, vector, { most, minCosine, among, signal })
    const present = near.filter((id) => hasConnection(index, id))
    if (present.length >= MAX_RANKED || near.length < most) return present.slice(0, MAX_RANKED)
  }
}
