/** The people of a network who are nearest to a query in meaning. */

import { RequestError } from '../../../base/request-error.ts'
import { embedQuestion, type Embedder } from '../../../embeddings/embedder.ts'
import { nearest, type NetworkVectors } from '../../../embeddings/nearest-by-cosine.ts'
import type { VersionedVectors } from '../../../embeddings/vector-memory.ts'
import { filterIndex, hasConnection, MAX_RANKED } from '../../../search/search-index.ts'
import { prepareNetwork } from './prepare-network.ts'
import type { IndexFilters } from '../../../search/index/index-filters.ts'
import type { IndexReader, NetworkIndex } from '../index/network-index.ts'

export interface MeaningDeps {
  readonly embedder: Embedder
  readonly now: number
  /** Where the member is, which decides what is today. UTC by default. */
  readonly timeZone?: string
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
type Similar = readonly number[] | 'preparing' | 'none'

/** @throws {RequestError} `unavailable` when the model does not respond. */
export async function findSimilar(
  reader: IndexReader,
  index: NetworkIndex,
  { text, filters, patienceMs, minCosine }: Meaning,
  deps: MeaningDeps,
): Promise<Similar> {
  const { embedder, signal } = deps
  const current = currentVectors(reader, { version: index.version, patienceMs }, deps)
  const vectors = current instanceof Promise ? await current : current
  if (vectors === undefined) return embedder.model.isLocal ? 'preparing' : 'none'
  if (vectors.ids.length === 0) return 'none'
  const vector = await embedQuestion(embedder, text, signal)
  return embedder.turns.run(
    reader.memberId,
    () => nearestPeople(index, filters, { vectors, vector, minCosine, signal }),
    signal,
  )
}

type Vectors = VersionedVectors | undefined

interface Wanted {
  /** Version of the network that is searched. */
  readonly version: number
  readonly patienceMs: number
}

/** The vectors of the network; undefined while they are not computed or read. Not a promise if they are in memory. */
function currentVectors(
  reader: IndexReader,
  wanted: Wanted,
  deps: MeaningDeps,
): Vectors | Promise<Vectors> {
  const known = readVectors(reader, deps)
  const isCurrent = known && !(known instanceof Promise) && known.version >= wanted.version
  return isCurrent ? known : renewedVectors(reader, wanted, deps)
}

function readVectors(reader: IndexReader, { embedder, now }: MeaningDeps) {
  return embedder.memory.of(reader, embedder.model.name, now)
}

/**
 * Reads the vectors of a network, and prepares them if it has changed since: few changes take some milliseconds, and a new
 * network is prepared in the background after some time. Waits only for a local model: an endpoint may cost money and
 * receives the texts, so it is used only after the job `embed_objects`.
 */
async function renewedVectors(
  reader: IndexReader,
  { version, patienceMs }: Wanted,
  deps: MeaningDeps,
): Promise<Vectors> {
  const { embedder, signal } = deps
  // Those of 100,000 people take seconds to read. A later search finds them in memory.
  const stored = await resultWithin(patienceMs / 2, readVectors(reader, deps), signal)
  if (!stored) return undefined
  const known = stored.result
  if (known && known.version >= version) return known
  if (!embedder.model.isLocal) {
    if (known) void prepareNow(reader, deps)
    return known
  }
  // Only the first of the searches of a changed network waits for its vectors.
  const isRunning = known !== undefined && embedder.preparing.has(reader.memberId)
  const preparing = prepareNow(reader, deps)
  if (isRunning || !(await resultWithin(patienceMs, preparing, signal))) return known
  return (await resultWithin(patienceMs / 2, readVectors(reader, deps), signal))?.result ?? known
}

/** Resolves when the network is prepared, or cannot be prepared now. */
function prepareNow(reader: IndexReader, { embedder, now }: MeaningDeps): Promise<void> {
  const beganAt = performance.now()
  const clock = () => now + Math.round(performance.now() - beganAt)
  return reader.memory.save((write) => prepareNetwork(reader, write, { embedder, now: clock }))
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
  work: Result | Promise<Result>,
  signal: AbortSignal,
): Promise<{ readonly result: Result } | undefined> {
  if (!(work instanceof Promise)) return { result: work }
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
  const among = Object.keys(filters).length === 0 ? undefined : filterIndex(index, filters)
  // The next job drops vectors of deleted connections. Until then, widen the search if many are deleted.
  for (let most = MAX_RANKED; ; most *= 10) {
    const near = await nearest(vectors, vector, { most, minCosine, among, signal })
    const present = near.filter((id) => hasConnection(index, id))
    if (present.length >= MAX_RANKED || near.length < most) return present.slice(0, MAX_RANKED)
  }
}
