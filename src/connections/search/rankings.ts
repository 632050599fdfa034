/**
 * Connections ranked by meaning, or by words and meaning: combined by reciprocal rank fusion (Cormack, Clarke, Büttcher,
 * SIGIR 2009).
 */

import { setTimeout } from 'node:timers/promises'
import { RequestError } from '../../base/request-error.ts'
import { embedQuestion, type Embedder } from '../../embeddings/embedder.ts'
import { nearest, type NetworkVectors } from '../../embeddings/network-vectors.ts'
import { isAboutNetwork } from './about-network.ts'
import { followEmbeddings } from './follow-embeddings.ts'
import { filterIndex, hasConnection, searchIndex } from '../../search/index/search-index.ts'
import { isIdentifier } from '../../search/index/special-words.ts'
import { indexAt, readIndex, type NetworkIndex } from './network-index.ts'
import {
  parseConnectionQuery,
  understand,
  SCRATCH,
  type AskedQuery,
  type ConnectionQuery,
} from './answer-query.ts'
import { SEARCHES, type ConnectionReader } from './search.ts'
import type { IndexFilters } from '../../search/index/index-filters.ts'
import type { SimilarPeople } from './asked-question.ts'
import type { NetworkState } from '../../tools/call-state.ts'

export interface RankingDeps {
  readonly embedder: Embedder
  readonly now: number
  /** The network when the call began; otherwise it is read. */
  readonly network?: NetworkState
  readonly signal: AbortSignal
}

async function currentIndex(
  reader: ConnectionReader,
  { network }: RankingDeps,
): Promise<NetworkIndex> {
  return network ? indexAt(reader, network) : readIndex(reader)
}

interface RankedQuery {
  readonly query: ConnectionQuery
  /** Whether this is a later page of the same ranking. */
  readonly isContinued: boolean
}

export interface RankedResult {
  /** Best first. */
  readonly ranked: readonly Weighted[]
  readonly index: NetworkIndex
  readonly asked: AskedQuery
}

/** Undefined when keyword search should be used. */
type Ranking = Promise<RankedResult | undefined>

/** Connections that are ranked; those further away are not relevant. */
const MAX_RANKED = 100

export async function rankByMeaning(
  reader: ConnectionReader,
  { query }: RankedQuery,
  deps: RankingDeps,
): Ranking {
  const { embedder, signal } = deps
  const asked = parseConnectionQuery(query)
  if (!asked || asked.words.length === 0) return undefined
  const vectors = await preparedVectors(reader, deps)
  if (!vectors) return undefined
  const vector = await embedQuestion(embedder, query.query, signal)
  const index = await currentIndex(reader, deps)
  void followEmbeddings(reader, embedder, index.version)
  const meant = await embedder.turns.run(
    reader.memberId,
    () => findByMeaning(index, asked.filters, { vectors, vector, minCosine: 0, signal }),
    signal,
  )
  return { ranked: fuse([meant.map(fullMatch)]), index, asked }
}

/**
 * The vectors of a network. If it has none, the built-in model embeds it first, which is free. An endpoint may cost money
 * and receives the texts, so it is used only after `embed_connections`. Undefined for a network without text to embed.
 */
async function preparedVectors(
  reader: ConnectionReader,
  deps: RankingDeps,
): Promise<NetworkVectors | undefined> {
  const { embedder, now, signal } = deps
  const read = () => embedder.memory.of(reader, embedder.model.name, now)
  const vectors = await read()
  if (vectors) return vectors
  if (!embedder.model.isLocal)
    throw notPrepared(
      'Call embed_connections and wait until its task is done, or use mode keyword.',
    )
  const { version } = await currentIndex(reader, deps)
  await settledWithin(PREPARING_MS, followEmbeddings(reader, embedder, version), signal)
  const prepared = await read()
  if (!prepared && embedder.followed.get(reader.memberId) instanceof Promise)
    throw notPrepared('It is being prepared. Try again in a few seconds, or use mode keyword.')
  return prepared
}

/** About 50,000 connections. */
const PREPARING_MS = 5000

async function settledWithin(
  milliseconds: number,
  work: Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const settled = new AbortController()
  const either = { signal: AbortSignal.any([signal, settled.signal]), ref: false }
  try {
    await Promise.race([work, setTimeout(milliseconds, undefined, either)])
  } finally {
    settled.abort()
  }
}

function notPrepared(hint: string): RequestError {
  return new RequestError('conflict', 'Semantic search is not prepared yet.', { hint })
}

/**
 * Falls back to keyword search when there are no embeddings or the model does not respond, when the query is a person's
 * name, when enough people have all that an understood question asks for, when someone is found for a question without a
 * subject (an email, or `who works at Stripe`), when the question is about something unknown, and when there are more
 * keyword matches than a ranking holds, because keyword pages list them all. Later pages of a ranking never fall back.
 */
export async function rankByBoth(
  reader: ConnectionReader,
  { query, isContinued }: RankedQuery,
  deps: RankingDeps,
): Ranking {
  const { embedder, now, signal } = deps
  const vectors = await embedder.memory.of(reader, embedder.model.name, now)
  if (!vectors) return undefined
  const plain = parseConnectionQuery(query)
  if (!plain || plain.words.length === 0) return undefined
  const index = await currentIndex(reader, deps)
  void followEmbeddings(reader, embedder, index.version)
  const understood = understand(index, { query, plain, now })
  const asked = understood ?? plain
  const { hits, total } = await SEARCHES.run(reader.memberId, () =>
    searchIndex(index, { ...asked, limit: MAX_RANKED }, SCRATCH),
  )
  const isSufficient =
    total > MAX_RANKED ||
    hits[0]?.isNamed === true ||
    (understood && total >= MIN_UNDERSTOOD_MATCHES) ||
    (total > 0 && (isIdentifier(query.query) || understood?.similar?.().subject === ''))
  if (!isContinued && isSufficient) return undefined
  const found = hits.map(({ connectionId }) => fullMatch(connectionId))
  const some = hits.length < MIN_KEYWORD_MATCHES ? findBySomeWords(index, asked) : []
  // If no one has its words, the question may have no answer. Filters and the mode `semantic` always return the
  // nearest.
  const isOpen =
    total === 0 && Object.keys(plain.filters).length === 0 && !isAboutNetwork(index, asked, some)
  const similar = isOpen ? similarTo(query, asked) : withConditions(query, plain, asked)
  const embedding = embedSubject(embedder, similar, signal)
  const vector = await (isContinued ? embedding : embedding.catch(ignoreUnavailable))
  if (!vector) return undefined
  const minCosine = isOpen ? embedder.model.minCosine : 0
  const meant = await embedder.turns.run(
    reader.memberId,
    () => findByMeaning(index, similar.filters, { vectors, vector, minCosine, signal }),
    signal,
  )
  if (isOpen && meant.length === 0 && !isContinued) return undefined
  // Titles, locations and companies of a question match exactly, unlike similar words.
  const weight = understood && total > 0 ? UNDERSTOOD_WEIGHT : 1
  const near = meant.map((id) => ({ id, weight }))
  return { ranked: fuse([found, some, near]), index, asked }
}

/** Without a subject, a vector that no one is near to: endpoints reject empty texts. */
async function embedSubject(
  embedder: Embedder,
  { subject }: SimilarPeople,
  signal: AbortSignal,
): Promise<Float32Array> {
  return subject === '' ? new Float32Array(0) : embedQuestion(embedder, subject, signal)
}

/** What people must have, lack or not be also applies to similar people. */
function withConditions(
  { query }: ConnectionQuery,
  plain: AskedQuery,
  { filters: { presence, excluded } }: AskedQuery,
): SimilarPeople {
  const conditions = { ...(presence && { presence }), ...(excluded && { excluded }) }
  return { subject: query, filters: { ...plain.filters, ...conditions } }
}

/** A place, a company or a date of a question is no subject: a dentist in Oslo is not similar to all who are in Oslo. */
function similarTo({ query }: ConnectionQuery, { filters, similar }: AskedQuery): SimilarPeople {
  const { subject, filters: own } = similar?.() ?? { subject: query, filters: {} }
  return { subject, filters: { ...filters, ...own } }
}

/** The weight of similar people next to full matches of a parsed question. */
const UNDERSTOOD_WEIGHT = 0.25

/** With this many full matches of a parsed question, similar people are not added. */
const MIN_UNDERSTOOD_MATCHES = 5

/** With fewer keyword matches, connections that match only some of the words are added. */
const MIN_KEYWORD_MATCHES = 10
/** Their minimum share of a query, weighed by rarity. */
const MIN_SHARE = 0.2

/** Ignores an unavailable model; other errors are bugs and are rethrown. */
function ignoreUnavailable(error: unknown): undefined {
  if (error instanceof RequestError && error.code === 'unavailable') return undefined
  throw error
}

/** Each result is weighted by the square root of its share of the query, which measured better than the share itself. */
function findBySomeWords(index: NetworkIndex, asked: AskedQuery): Weighted[] {
  const query = { ...asked, limit: MAX_RANKED, minShare: MIN_SHARE }
  const { hits } = searchIndex(index, query, SCRATCH)
  return hits.map(({ connectionId, share }) => ({ id: connectionId, weight: Math.sqrt(share) }))
}

interface Meaning {
  readonly vectors: NetworkVectors
  readonly vector: Float32Array
  readonly minCosine: number
  readonly signal: AbortSignal
}

/** The nearest connections that still exist and pass the filters. */
async function findByMeaning(
  index: NetworkIndex,
  filters: IndexFilters,
  { vectors, vector, minCosine, signal }: Meaning,
): Promise<number[]> {
  const among = Object.keys(filters).length === 0 ? undefined : filterIndex(index, filters, SCRATCH)
  // The next job drops vectors of deleted connections. Until then, widen the search if many are deleted.
  for (let most = MAX_RANKED; ; most *= 10) {
    const near = await nearest(vectors, vector, { most, minCosine, among, signal })
    const present = near.filter((id) => hasConnection(index, id))
    if (present.length >= MAX_RANKED || near.length < most) return present.slice(0, MAX_RANKED)
  }
}

/** An entry of a ranking and its weight: 1 for a full match. */
interface Weighted {
  readonly id: number
  readonly weight: number
}

function fullMatch(id: number): Weighted {
  return { id, weight: 1 }
}

/** The usual constant of reciprocal rank fusion: the first rank counts only a little more than the second. */
const RANK_OFFSET = 60

/** Best first, with scores from 0 to 1; ties are sorted by ID. */
function fuse(lists: readonly (readonly Weighted[])[]): Weighted[] {
  const scores = new Map<number, number>()
  for (const list of lists)
    for (const [rank, { id, weight }] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + weight / (RANK_OFFSET + rank + 1))
  const best = lists.length / (RANK_OFFSET + 1)
  return [...scores]
    .toSorted(([id, score], [otherId, other]) => other - score || id - otherId)
    .map(([id, score]) => ({ id, weight: score / best }))
}
