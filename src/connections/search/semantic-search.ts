/**
 * Finding connections by what is meant, by words, or by both at once. What both find stands first: lists are put
 * together by reciprocal ranks (Cormack, Clarke, Büttcher, SIGIR 2009). `bench/retrieval.ts` measures what is found.
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

/** `auto` is both where there are vectors, unless the words say it all: see `rankByBoth`. */
export type SearchMode = 'auto' | 'keyword' | 'semantic'

export interface ModeSearch {
  readonly query: ConnectionQuery
  readonly mode: SearchMode
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface ModeDeps {
  readonly embedder: Embedder
  readonly now: number
  readonly signal: AbortSignal
}

export interface ModePage extends ConnectionPage {
  /** How its connections were found. */
  readonly mode: 'keyword' | 'semantic' | 'combined'
}

/** @throws Refusal `conflict` for `semantic` where nothing was embedded, `unavailable` where its model does not answer. */
export async function searchInMode(
  reader: ConnectionReader,
  search: ModeSearch,
  deps: ModeDeps,
): Promise<ModePage> {
  const { query, mode, limit, cursor } = search
  const question = [reader.memberId, query, mode]
  const after = cursor === undefined ? null : readPosition(question, cursor)
  const isGoingOn = after?.tier === RANKED
  if (mode !== 'keyword' && (isGoingOn || after === null)) {
    const rank = mode === 'auto' ? rankByBoth : rankByMeaning
    const ranked = await rank(reader, { query, isGoingOn }, deps)
    if (ranked) {
      const from = isGoingOn ? Math.max(0, Math.floor(after.place)) : 0
      const page = await pageOfRanked(reader, ranked, { question, from, limit })
      return { ...page, mode: mode === 'auto' ? 'combined' : 'semantic' }
    }
  }
  return {
    ...(await keywordSearchPage(reader, { query, limit, question, after })),
    mode: 'keyword',
  }
}

/** In cursors, in place of a tier of the search by words: the place is then one in the ranking. */
const RANKED = 9

interface RankedQuery {
  readonly query: ConnectionQuery
  /** Whether an earlier page of this very ranking was given. */
  readonly isGoingOn: boolean
}

/** Ids, best first; undefined where the search by words is the answer. */
type Ranking = Promise<readonly number[] | undefined>

/** As many as are ranked: whoever is not among them is not what was meant. */
const MAX_RANKED = 100

async function rankByMeaning(
  reader: ConnectionReader,
  { query }: RankedQuery,
  { embedder, now, signal }: ModeDeps,
): Ranking {
  if (tokenize(query.query).length === 0) return undefined
  const vectors = await embedder.memory.of(reader, embedder.model.name, now)
  if (!vectors)
    throw new RequestError('conflict', 'Nothing is prepared for a search by meaning yet.', {
      hint: 'Call embed_connections and wait until its task is done, or search with mode keyword.',
    })
  const vector = await embedQuestion(embedder, query.query, signal)
  return embedder.turns.run(
    reader.memberId,
    () => findByMeaning(reader, query, vectors, vector, signal),
    signal,
  )
}

/**
 * By words alone where there are no vectors or no model answers; where the words are somebody's name; and where they
 * are on so many that a ranking would hide some of them: pages by words go on to the last. A ranking that has begun is
 * not gone on with by words.
 */
async function rankByBoth(
  reader: ConnectionReader,
  { query, isGoingOn }: RankedQuery,
  { embedder, now, signal }: ModeDeps,
): Ranking {
  const vectors = await embedder.memory.of(reader, embedder.model.name, now)
  if (!vectors) return undefined
  const found = await keywordSearch<NamedRow>(reader, NAMED_COLUMNS, query, MAX_RANKED + 1)
  if (!isGoingOn && (found.length > MAX_RANKED || isNamed(query, found[0]))) return undefined
  const asking = embedQuestion(embedder, query.query, signal)
  const vector = await (isGoingOn ? asking : asking.catch(unlessUnavailable))
  if (!vector) return undefined
  const [someWords, meant] = await embedder.turns.run(
    reader.memberId,
    () =>
      Promise.all([
        found.length < FEW ? findBySomeWords(reader, query, vectors.ids.length) : [],
        findByMeaning(reader, query, vectors, vector, signal),
      ]),
    signal,
  )
  return fuse([found.map((row) => fitting(row.connection_id)), someWords, meant.map(fitting)])
}

/** Enough for a search by all words to stand alone beside the one by meaning. */
const FEW = 10

/** Only what the model could not do; mistakes of ours are not hidden. */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof RequestError && error.code === 'unavailable') return undefined
  throw error
}

interface NamedRow {
  readonly connection_id: number
  readonly name: string
}

const NAMED_COLUMNS = 'c.connection_id, c.name'

/** Whether all words asked for stand, whole, in the name of the best match; or none are asked for. */
function isNamed({ query }: ConnectionQuery, best: NamedRow | undefined): boolean {
  const name = new Set(tokenize(best?.name ?? ''))
  return tokenize(query).every((word) => name.has(word))
}

/** Words of a question that are looked up one by one. */
const MAX_LOOKUPS = 8

/**
 * Those who have some of the question's words: the more and the rarer, the better. A word that very many have tells
 * little and is left out. Each counts by the share of the question that it has; its square root was measured better.
 */
async function findBySomeWords(
  reader: ConnectionReader,
  query: ConnectionQuery,
  people: number,
): Promise<Placed[]> {
  const asked = new Set(tokenize(query.query).filter((word) => !STOP_WORDS.has(word)))
  const lists = await Promise.all(
    [...asked]
      .slice(0, MAX_LOOKUPS)
      .map((word) =>
        keywordSearch<NamedRow>(reader, NAMED_COLUMNS, { ...query, query: word }, MAX_RANKED + 1),
      ),
  )
  const scores = new Map<number, number>()
  let whole = 0
  for (const found of lists.filter(({ length }) => length <= MAX_RANKED)) {
    const rarity = Math.log(1 + people / Math.max(1, found.length))
    whole += rarity
    for (const { connection_id } of found) addScore(scores, connection_id, rarity)
  }
  return bestOf(scores)
    .slice(0, MAX_RANKED)
    .map((id) => ({ id, weight: Math.sqrt((scores.get(id) ?? 0) / whole) }))
}

/** The nearest who are still there and fit the filters. */
async function findByMeaning(
  reader: ConnectionReader,
  query: ConnectionQuery,
  vectors: NetworkVectors,
  vector: Float32Array,
  signal: AbortSignal,
): Promise<number[]> {
  const among = await findFiltered(reader, query, signal)
  // Vectors of those deleted since are dropped by the next job; where there are many, more are looked at.
  for (let most = MAX_RANKED; ; most *= 10) {
    const near = await nearest(vectors, vector, { most, among, signal })
    const there = await presentOf(reader, near)
    if (there.length >= MAX_RANKED || near.length < most) return there.slice(0, MAX_RANKED)
  }
}

/** Whom the filters leave; undefined without any. */
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
    const rows: Found<NamedRow>[] = await keywordSearch(
      offThread,
      ID,
      all,
      FILTERED_AT_A_TIME,
      after,
    )
    for (const { connection_id } of rows) ids.add(connection_id)
    const last = rows.at(-1)
    if (!last || rows.length < FILTERED_AT_A_TIME) return ids
    after = { tier: last.tier, place: last.place }
  }
}

const ID = 'c.connection_id'
/** Rows that reach the main thread at a time: a few milliseconds to parse. */
const FILTERED_AT_A_TIME = 5000

async function presentOf(reader: MemberReader, ids: readonly number[]): Promise<number[]> {
  const rows = await reader.all(PRESENT, { ids })
  const present = new Set(rows.map((row) => row.connection_id))
  return ids.filter((id) => present.has(id))
}

/** One of a list, and how much it counts to stand there: 1 where all of it fits. */
interface Placed {
  readonly id: number
  readonly weight: number
}

function fitting(id: number): Placed {
  return { id, weight: 1 }
}

/** The usual constant: the first of a list counts little more than its second. */
const RANK_OFFSET = 60

function fuse(lists: readonly (readonly Placed[])[]): number[] {
  const scores = new Map<number, number>()
  for (const list of lists)
    for (const [rank, { id, weight }] of list.entries())
      addScore(scores, id, weight / (RANK_OFFSET + rank + 1))
  return bestOf(scores)
}

function addScore(scores: Map<number, number>, id: number, score: number): void {
  scores.set(id, (scores.get(id) ?? 0) + score)
}

/** Equals in the order of their ids. */
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
  const shown = ids.flatMap((id, index) => {
    const row = rows.get(id)
    return row ? [{ listed: toListed(row), next: from + index + 1 }] : []
  })
  return {
    connections: shown.map(({ listed }) => listed),
    hasMore: from + limit < ranked.length,
    cursorAfter: (index) => writeCursor(question, [RANKED, shown[index]?.next ?? from + limit]),
  }
}

/** By primary key, both. */
const PRESENT = memberStatement<{ ids: readonly number[] }, { connection_id: number }>()(`
  select c.connection_id from connections c
  where c.member_id = :member_id and c.connection_id in (:ids...bigint) and c.deleted_at is null`)

const LISTED = memberStatement<{ ids: readonly number[] }, ListedRow>()(`
  select ${LISTED_COLUMNS} from connections c
  where c.member_id = :member_id and c.connection_id in (:ids...bigint) and c.deleted_at is null`)
