/**
 * Finds connections by meaning, by words, or by both. Combined results are merged by reciprocal rank fusion (Cormack,
 * Clarke, Büttcher, SIGIR 2009). `bench/retrieval.ts` measures the quality.
 */

import { setTimeout } from 'node:timers/promises'
import { writeCursor } from '../../base/cursor.ts'
import { RequestError } from '../../base/request-error.ts'
import { embedQuestion, type Embedder } from '../../embeddings/embedder.ts'
import { nearest, type NetworkVectors } from '../../embeddings/network-vectors.ts'
import { followEmbeddings } from './follow-embeddings.ts'
import { filterIndex, hasConnection, isKnownWord, searchIndex } from './index/search-index.ts'
import { indexAt, readIndex, type NetworkIndex } from './network-index.ts'
import { readRows } from './page-rows.ts'
import {
  keywordSearchPage,
  matchesOf,
  readPosition,
  parseConnectionQuery,
  understand,
  SCRATCH,
  SEARCHES,
  type AskedQuery,
  type ConnectionQuery,
  type ConnectionReader,
  type SearchPage,
} from './search.ts'
import type { NetworkState } from '../../tools/call-state.ts'

/** `auto` combines both when embeddings exist, unless keywords are sufficient: see `rankByBoth`. */
export type SearchMode = 'auto' | 'keyword' | 'semantic'

interface ModeSearch {
  readonly query: ConnectionQuery
  readonly mode: SearchMode
  readonly limit: number
  readonly cursor?: string | undefined
}

interface ModeDeps {
  readonly embedder: Embedder
  readonly now: number
  /** The network when the call began; otherwise it is read. */
  readonly network?: NetworkState
  readonly signal: AbortSignal
}

interface ModePage extends SearchPage {
  /** The search mode that was used. */
  readonly mode: 'keyword' | 'semantic' | 'combined'
}

/**
 * @throws {RequestError} `conflict` when the network is not embedded yet, in mode `semantic`.
 * @throws {RequestError} `unavailable` when the model does not respond, in mode `semantic`.
 */
export async function searchInMode(
  reader: ConnectionReader,
  search: ModeSearch,
  deps: ModeDeps,
): Promise<ModePage> {
  const { query, mode, limit, cursor } = search
  const question = [reader.memberId, query, mode]
  const after = cursor === undefined ? null : readPosition(question, cursor)
  const isContinued = after?.score === RANKED
  if (query.custom && mode === 'semantic')
    throw new RequestError('invalid_request', 'custom cannot be combined with mode semantic.', {
      errors: [{ pointer: '/custom', detail: 'is not allowed with mode semantic; use keyword' }],
    })
  if (mode !== 'keyword' && !query.custom && (isContinued || after === null)) {
    const rank = mode === 'auto' ? rankByBoth : rankByMeaning
    const ranked = await rank(reader, { query, isContinued }, deps)
    if (ranked) {
      const from = isContinued ? Math.max(0, Math.floor(after.connectionId)) : 0
      const page = await pageOfRanked(reader, ranked, { question, from, limit })
      return { ...page, mode: mode === 'auto' ? 'combined' : 'semantic' }
    }
  }
  return {
    ...(await keywordSearchPage(reader, { query, limit, question, after, ...moment(deps) })),
    mode: 'keyword',
  }
}

function moment({ now, network }: ModeDeps) {
  return { now, network }
}

async function currentIndex(
  reader: ConnectionReader,
  { network }: ModeDeps,
): Promise<NetworkIndex> {
  return network ? indexAt(reader, network) : readIndex(reader)
}

/** A score in cursors that marks a ranked search; the ID is then an index into the ranking. */
const RANKED = -1

interface RankedQuery {
  readonly query: ConnectionQuery
  /** Whether this is a later page of the same ranking. */
  readonly isContinued: boolean
}

interface RankedResult {
  /** Best first. */
  readonly ranked: readonly Weighted[]
  readonly index: NetworkIndex
  readonly asked: AskedQuery
}

/** Undefined when keyword search should be used. */
type Ranking = Promise<RankedResult | undefined>

/** Connections that are ranked; those further away are not relevant. */
const MAX_RANKED = 100

async function rankByMeaning(
  reader: ConnectionReader,
  { query }: RankedQuery,
  deps: ModeDeps,
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
    () => findByMeaning(index, asked, { vectors, vector, minCosine: 0, signal }),
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
  deps: ModeDeps,
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
 * name, when enough people have all that an understood question asks for, when the question is about something unknown,
 * and when there are more keyword matches than a ranking holds, because keyword pages list them all. Later pages of a
 * ranking never fall back.
 */
async function rankByBoth(
  reader: ConnectionReader,
  { query, isContinued }: RankedQuery,
  deps: ModeDeps,
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
    (understood && total >= MIN_UNDERSTOOD_MATCHES)
  if (!isContinued && isSufficient) return undefined
  const embedding = embedQuestion(embedder, query.query, signal)
  const vector = await (isContinued ? embedding : embedding.catch(ignoreUnavailable))
  if (!vector) return undefined
  const found = hits.map(({ connectionId }) => fullMatch(connectionId))
  const some = hits.length < MIN_KEYWORD_MATCHES ? findBySomeWords(index, asked) : []
  // If no one has its words, the question may have no answer. Filters and the mode `semantic` always return the
  // nearest.
  const isOpen =
    total === 0 && Object.keys(plain.filters).length === 0 && !isAboutNetwork(index, asked, some)
  const minCosine = isOpen ? embedder.model.minCosine : 0
  const meant = await embedder.turns.run(
    reader.memberId,
    () =>
      findByMeaning(index, withConditions(plain, asked), { vectors, vector, minCosine, signal }),
    signal,
  )
  if (isOpen && meant.length === 0 && !isContinued) return undefined
  // Titles, locations and companies of a question match exactly, unlike similar words.
  const weight = understood && total > 0 ? UNDERSTOOD_WEIGHT : 1
  const near = meant.map((id) => ({ id, weight }))
  return { ranked: fuse([found, some, near]), index, asked }
}

/** What people must have, lack or not be also applies to similar people. */
function withConditions(plain: AskedQuery, { filters }: AskedQuery): AskedQuery {
  const { presence, excluded } = filters
  const conditions = { ...(presence && { presence }), ...(excluded && { excluded }) }
  return { ...plain, filters: { ...plain.filters, ...conditions } }
}

/** The weight of similar people next to full matches of a parsed question. */
const UNDERSTOOD_WEIGHT = 0.25

/**
 * Whether a question whose words no one has together is about something in the network: people have most of its words,
 * each somewhere, or half of them, of which one person has many. `kitchen help for elderly neighbors` and `astronaut`
 * both match no one, but only the first is about something in the network. Words that filter do not count: a network
 * that only contains Berlin does not answer `plumber in Berlin`.
 */
function isAboutNetwork(
  index: NetworkIndex,
  { words }: AskedQuery,
  some: readonly Weighted[],
): boolean {
  const free = words.filter(({ isOptional, isFilter }) => !isOptional && isFilter !== true)
  const known = free.filter((word) => isKnownWord(index, word)).length
  if (2 * known !== free.length) return 2 * known > free.length
  return some.some(({ weight }) => weight ** 2 >= HALF_KNOWN_SHARE)
}

/** Measured with `bench/retrieval.ts` and `bench/search-quality.ts`: see decisions/0045. */
const HALF_KNOWN_SHARE = 1 / 3

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
  { filters }: AskedQuery,
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

interface RankedPage {
  readonly question: unknown
  readonly from: number
  readonly limit: number
}

async function pageOfRanked(
  reader: ConnectionReader,
  { ranked, index, asked }: RankedResult,
  { question, from, limit }: RankedPage,
): Promise<SearchPage> {
  const slice = ranked.slice(from, from + limit)
  const ids = slice.map(({ id }) => id)
  const { rows } = await readRows(reader, ids, index.version)
  const present = slice.flatMap(({ weight }, place) => {
    const row = rows[place]
    return row ? [{ row, score: weight, next: from + place + 1 }] : []
  })
  const fields = fieldsOf(index, asked, ids)
  const hits = present.map(({ row: { listed }, score }) => ({
    connectionId: listed.connectionId,
    score,
    fields: fields.get(listed.connectionId) ?? 0,
  }))
  const shownRows = present.map(({ row }) => row)
  return {
    connections: shownRows.map(({ listed }) => listed),
    rows: shownRows,
    hasMore: from + limit < ranked.length,
    total: ranked.length,
    matches: await matchesOf(reader, { words: asked.words, hits, rows: shownRows, maxScore: 1 }),
    cursorAfter: (place) => writeCursor(question, [RANKED, present[place]?.next ?? from + limit]),
  }
}

/** The fields in which these connections have words of the query. */
function fieldsOf(
  index: NetworkIndex,
  asked: AskedQuery,
  ids: readonly number[],
): ReadonlyMap<number, number> {
  const among = new Set(ids)
  const { hits } = searchIndex(index, { ...asked, limit: ids.length, minShare: 0, among }, SCRATCH)
  return new Map(hits.map(({ connectionId, fields }) => [connectionId, fields]))
}
