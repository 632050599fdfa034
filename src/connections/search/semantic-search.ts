/**
 * Finds connections by meaning, by words, or by both. Combined results are merged by reciprocal rank fusion (Cormack,
 * Clarke, Büttcher, SIGIR 2009). `bench/retrieval.ts` measures the quality.
 */

import { writeCursor } from '../../base/cursor.ts'
import { RequestError } from '../../base/request-error.ts'
import { tokenize } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { embedQuestion, type Embedder } from '../../embeddings/embedder.ts'
import { nearest, type NetworkVectors } from '../../embeddings/network-vectors.ts'
import { STOP_WORDS } from '../../embeddings/stop-words.ts'
import { LISTED_COLUMNS, toListed, type ListedRow } from '../model/connection.ts'
import {
  keywordSearch,
  keywordSearchPage,
  readPosition,
  type ConnectionPage,
  type ConnectionQuery,
  type ConnectionReader,
} from './search.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Found, TextPosition } from '../../db/full-text.ts'

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
  readonly signal: AbortSignal
}

interface ModePage extends ConnectionPage {
  /** The search mode that was used. */
  readonly mode: 'keyword' | 'semantic' | 'combined'
}

/**
 * @throws {RequestError} In mode `semantic`: `conflict` when nothing is embedded yet, `unavailable` when the model does
 * not respond.
 */
export async function searchInMode(
  reader: ConnectionReader,
  search: ModeSearch,
  deps: ModeDeps,
): Promise<ModePage> {
  const { query, mode, limit, cursor } = search
  const question = [reader.memberId, query, mode]
  const after = cursor === undefined ? null : readPosition(question, cursor)
  const isContinued = after?.tier === RANKED
  if (mode !== 'keyword' && (isContinued || after === null)) {
    const rank = mode === 'auto' ? rankByBoth : rankByMeaning
    const ranked = await rank(reader, { query, isContinued }, deps)
    if (ranked) {
      const from = isContinued ? Math.max(0, Math.floor(after.place)) : 0
      const page = await pageOfRanked(reader, ranked, { question, from, limit })
      return { ...page, mode: mode === 'auto' ? 'combined' : 'semantic' }
    }
  }
  return {
    ...(await keywordSearchPage(reader, { query, limit, question, after })),
    mode: 'keyword',
  }
}

/** A tier in cursors that marks a ranked search; the position is then an index into the ranking. */
const RANKED = 9

interface RankedQuery {
  readonly query: ConnectionQuery
  /** Whether this is a later page of the same ranking. */
  readonly isContinued: boolean
}

/** IDs, best first; undefined when keyword search should be used. */
type Ranking = Promise<readonly number[] | undefined>

/** Connections that are ranked; those further away are not relevant. */
const MAX_RANKED = 100

async function rankByMeaning(
  reader: ConnectionReader,
  { query }: RankedQuery,
  { embedder, now, signal }: ModeDeps,
): Ranking {
  if (tokenize(query.query).length === 0) return undefined
  const vectors = await embedder.memory.of(reader, embedder.model.name, now)
  if (!vectors)
    throw new RequestError('conflict', 'Semantic search is not prepared yet.', {
      hint: 'Call embed_connections and wait until its task is done, or use mode keyword.',
    })
  const vector = await embedQuestion(embedder, query.query, signal)
  return embedder.turns.run(
    reader.memberId,
    () => findByMeaning(reader, query, vectors, vector, signal),
    signal,
  )
}

/**
 * Falls back to keyword search when there are no embeddings or the model does not respond, when the query is a person's
 * name, and when there are more keyword matches than a ranking holds, because keyword pages list them all. Later pages
 * of a ranking never fall back.
 */
async function rankByBoth(
  reader: ConnectionReader,
  { query, isContinued }: RankedQuery,
  { embedder, now, signal }: ModeDeps,
): Ranking {
  const vectors = await embedder.memory.of(reader, embedder.model.name, now)
  if (!vectors) return undefined
  const found = await keywordSearch<NamedRow>(reader, NAMED_COLUMNS, query, MAX_RANKED + 1)
  if (!isContinued && (found.length > MAX_RANKED || isNamed(query, found[0]))) return undefined
  const embedding = embedQuestion(embedder, query.query, signal)
  const vector = await (isContinued ? embedding : embedding.catch(ignoreUnavailable))
  if (!vector) return undefined
  const [someWords, meant] = await embedder.turns.run(
    reader.memberId,
    () =>
      Promise.all([
        found.length < MIN_KEYWORD_MATCHES
          ? findBySomeWords(reader, query, vectors.ids.length)
          : [],
        findByMeaning(reader, query, vectors, vector, signal),
      ]),
    signal,
  )
  return fuse([found.map((row) => fullMatch(row.connection_id)), someWords, meant.map(fullMatch)])
}

/** With fewer keyword matches, connections that match only some of the words are added. */
const MIN_KEYWORD_MATCHES = 10

/** Ignores an unavailable model; other errors are bugs and are rethrown. */
function ignoreUnavailable(error: unknown): undefined {
  if (error instanceof RequestError && error.code === 'unavailable') return undefined
  throw error
}

interface NamedRow {
  readonly connection_id: number
  readonly name: string
}

const NAMED_COLUMNS = 'c.connection_id, c.name'

/** Whether all words of the query are whole words of the best match's name; true for an empty query. */
function isNamed({ query }: ConnectionQuery, best: NamedRow | undefined): boolean {
  const name = new Set(tokenize(best?.name ?? ''))
  return tokenize(query).every((word) => name.has(word))
}

/** Words of a query that are looked up individually. */
const MAX_LOOKUPS = 8

/**
 * Connections that have some of the query's words; more and rarer words rank higher. Very common words are ignored.
 * Each result is weighted by the square root of its share of the query, which measured better than the share itself.
 */
async function findBySomeWords(
  reader: ConnectionReader,
  query: ConnectionQuery,
  people: number,
): Promise<Weighted[]> {
  const words = new Set(tokenize(query.query).filter((word) => !STOP_WORDS.has(word)))
  const lists = await Promise.all(
    [...words]
      .slice(0, MAX_LOOKUPS)
      .map((word) =>
        keywordSearch<NamedRow>(reader, NAMED_COLUMNS, { ...query, query: word }, MAX_RANKED + 1),
      ),
  )
  const scores = new Map<number, number>()
  let total = 0
  for (const found of lists.filter(({ length }) => length <= MAX_RANKED)) {
    const rarity = Math.log(1 + people / Math.max(1, found.length))
    total += rarity
    for (const { connection_id } of found) addScore(scores, connection_id, rarity)
  }
  return bestOf(scores)
    .slice(0, MAX_RANKED)
    .map((id) => ({ id, weight: Math.sqrt((scores.get(id) ?? 0) / total) }))
}

/** The nearest connections that still exist and pass the filters. */
async function findByMeaning(
  reader: ConnectionReader,
  query: ConnectionQuery,
  vectors: NetworkVectors,
  vector: Float32Array,
  signal: AbortSignal,
): Promise<number[]> {
  const among = await findFiltered(reader, query, signal)
  // The next job drops vectors of deleted connections. Until then, widen the search if many are deleted.
  for (let most = MAX_RANKED; ; most *= 10) {
    const near = await nearest(vectors, vector, { most, among, signal })
    const present = await presentOf(reader, near)
    if (present.length >= MAX_RANKED || near.length < most) return present.slice(0, MAX_RANKED)
  }
}

/** IDs of connections that pass the filters; undefined without filters. */
async function findFiltered(
  { memberId, heavy, fullText }: ConnectionReader,
  query: ConnectionQuery,
  signal: AbortSignal,
): Promise<ReadonlySet<number> | undefined> {
  const filters = Object.entries(query).filter(([name]) => name !== 'query')
  if (filters.length === 0) return undefined
  const offThread: ConnectionReader = {
    memberId,
    heavy,
    fullText,
    get: (statement, params) => heavy.get(statement, params),
    all: (statement, params) => heavy.all(statement, params),
  }
  const all = { ...query, query: '' }
  const ids = new Set<number>()
  for (let after: TextPosition | null = null; ;) {
    signal.throwIfAborted()
    const rows: Found<NamedRow>[] = await keywordSearch(offThread, ID, all, FILTER_BATCH, after)
    for (const { connection_id } of rows) ids.add(connection_id)
    const last = rows.at(-1)
    if (!last || rows.length < FILTER_BATCH) return ids
    after = { tier: last.tier, place: last.place }
  }
}

const ID = 'c.connection_id'
/** Rows sent to the main thread at once: a few milliseconds to parse. */
const FILTER_BATCH = 5000

async function presentOf(reader: MemberReader, ids: readonly number[]): Promise<number[]> {
  const rows = await reader.all(PRESENT, { ids })
  const present = new Set(rows.map((row) => row.connection_id))
  return ids.filter((id) => present.has(id))
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

function fuse(lists: readonly (readonly Weighted[])[]): number[] {
  const scores = new Map<number, number>()
  for (const list of lists)
    for (const [rank, { id, weight }] of list.entries())
      addScore(scores, id, weight / (RANK_OFFSET + rank + 1))
  return bestOf(scores)
}

function addScore(scores: Map<number, number>, id: number, score: number): void {
  scores.set(id, (scores.get(id) ?? 0) + score)
}

/** Best first; ties are sorted by ID. */
function bestOf(scores: ReadonlyMap<number, number>): number[] {
  return [...scores]
    .toSorted(([id, score], [otherId, other]) => other - score || id - otherId)
    .map(([id]) => id)
}

interface RankedPage {
  readonly question: unknown
  readonly from: number
  readonly limit: number
}

async function pageOfRanked(
  reader: MemberReader,
  ranked: readonly number[],
  { question, from, limit }: RankedPage,
): Promise<ConnectionPage> {
  const ids = ranked.slice(from, from + limit)
  const rows = new Map(
    (await reader.all(LISTED, { ids })).map((row) => [row.connection_id, row] as const),
  )
  const present = ids.flatMap((id, index) => {
    const row = rows.get(id)
    return row ? [{ listed: toListed(row), next: from + index + 1 }] : []
  })
  return {
    connections: present.map(({ listed }) => listed),
    hasMore: from + limit < ranked.length,
    cursorAfter: (index) => writeCursor(question, [RANKED, present[index]?.next ?? from + limit]),
  }
}

/** By primary key, like `LISTED`. */
const PRESENT = memberStatement<{ ids: readonly number[] }, { connection_id: number }>()(`
  select c.connection_id from connections c
  where c.member_id = :member_id and c.connection_id in (:ids...bigint) and c.deleted_at is null`)

const LISTED = memberStatement<{ ids: readonly number[] }, ListedRow>()(`
  select ${LISTED_COLUMNS} from connections c
  where c.member_id = :member_id and c.connection_id in (:ids...bigint) and c.deleted_at is null`)
