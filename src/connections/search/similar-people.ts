/** The people of a network who are nearest to a query in meaning. */

import { setTimeout } from 'node:timers/promises'
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

/**
 * Connection IDs, nearest first. Undefined for a network without vectors.
 *
 * @throws {RequestError} `unavailable` when the model does not respond.
 */
export async function findSimilar(
  reader: IndexReader,
  index: NetworkIndex,
  { text, filters, patienceMs, minCosine }: Meaning,
  deps: MeaningDeps,
): Promise<readonly number[] | undefined> {
  const { embedder, signal } = deps
  const vectors = await preparedVectors(reader, patienceMs, deps)
  if (!vectors) return undefined
  const vector = await embedQuestion(embedder, text, signal)
  return embedder.turns.run(
    reader.memberId,
    () => nearestPeople(index, filters, { vectors, vector, minCosine, signal }),
    signal,
  )
}

/**
 * The vectors of a network. It is embedded in the background after changes; a search that is earlier waits so long for a
 * local model. An endpoint may cost money and receives the texts, so it is used only after the job `embed_objects`.
 */
async function preparedVectors(
  reader: IndexReader,
  patienceMs: number,
  { embedder, now, signal }: MeaningDeps,
): Promise<NetworkVectors | undefined> {
  const read = () => embedder.memory.of(reader, embedder.model.name, now)
  // Those of 100,000 people take seconds to read. A later search finds them in memory.
  const stored = await resultWithin(patienceMs / 2, read(), signal)
  if (!stored || stored.result || !embedder.model.isLocal) return stored?.result
  await resultWithin(patienceMs, embedNow(reader, embedder), signal)
  return read()
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

/** Why a network has no vectors; undefined for a network without text to embed. */
export function preparationError(
  { model, embedding }: Embedder,
  memberId: number,
): RequestError | undefined {
  const isPreparing = embedding.has(memberId)
  if (model.isLocal && !isPreparing) return undefined
  return new RequestError('conflict', 'Semantic search is not prepared yet.', {
    hint: isPreparing
      ? 'It is being prepared. Try again in a few seconds, or use mode keyword.'
      : 'Start the job embed_objects with POST /api/jobs and wait until it is done, or use mode keyword.',
  })
}

/** Undefined if it takes longer; then it continues. */
async function resultWithin<Result>(
  milliseconds: number,
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<{ readonly result: Result } | undefined> {
  const settled = new AbortController()
  const either = { signal: AbortSignal.any([signal, settled.signal]), ref: false }
  try {
    return await Promise.race([
      work.then((result) => ({ result })),
      setTimeout(milliseconds, undefined, either),
    ])
  } finally {
    settled.abort()
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
