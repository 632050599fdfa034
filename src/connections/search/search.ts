/** Keyword search with filters, page by page, for the tools and the web pages. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { readCursor, writeCursor } from '../../base/cursor.ts'
import { TimeSlices } from '../../base/time-slices.ts'
import { nextStep } from '../../base/turn-batch.ts'
import { readRows, type PageRow } from './page-rows.ts'
import { tagOf } from '../model/tag-store.ts'
import { analyzeFilter, analyzeQuery, latinWords } from './index/analyze-query.ts'
import { dayNumber } from './index/analyze-document.ts'
import { searchIndex } from './index/search-index.ts'
import { withSplitEmails } from './index/special-words.ts'
import type { IndexHit, IndexQuery, IndexResult } from './index/select-people.ts'
import type { SearchIndex } from './index/layout.ts'
import { SearchScratch } from './index/search-scratch.ts'
import { filterByCustom } from './custom-filter.ts'
import { tagTerm } from './index/special-terms.ts'
import { suggestQuery } from './index/suggest.ts'
import {
  beginLoading,
  heldIndex,
  indexAt,
  type IndexReader,
  type NetworkIndex,
} from './network-index.ts'
import { readQuestion, type SimilarPeople } from './asked-question.ts'
import { matchesOf, type SearchMatch } from './search-matches.ts'
import type { HitPosition } from './index/best-hits.ts'
import type { IndexFilters } from './index/index-filters.ts'
import { withoutFieldLabels } from './query-operators.ts'
import type { QueryWord } from './index/query-word.ts'
import type { Listed } from '../model/connection.ts'
import { readNetworkState, type NetworkState } from '../../tools/call-state.ts'

export interface ConnectionQuery {
  /** Words to find in any field, each whole or as a prefix. Empty matches every connection that passes the filters. */
  readonly query: string
  readonly company?: string
  readonly title?: string
  readonly location?: string
  readonly tag?: string
  /** YYYY-MM-DD, inclusive. */
  readonly connectedAfter?: string
  /** Conditions for custom fields: `Tier=Gold`, `Score>=5`, `Tier=*` for any value. */
  readonly custom?: readonly string[]
}

/** One page, best first. `cursorAfter` returns the cursor of the page that starts after the connection at `index`. */
export interface ConnectionPage {
  readonly connections: readonly Listed[]
  readonly hasMore: boolean
  cursorAfter(index: number): string
}

export interface SearchPage extends ConnectionPage {
  /** The same as `connections`, with tags. */
  readonly rows: readonly PageRow[]
  /** All matches, on all pages. */
  readonly total: number
  /** In the order of `connections`; empty if the query has no words. */
  readonly matches: readonly SearchMatch[]
  /** A query that finds connections, if this one finds none. */
  readonly didYouMean?: string
}

export type ConnectionReader = IndexReader

/** Keyword search only. */
export async function searchConnections(
  reader: ConnectionReader,
  query: ConnectionQuery,
  limit: number,
  cursor?: string,
): Promise<SearchPage> {
  const question = [reader.memberId, query]
  const after = cursor === undefined ? null : readPosition(question, cursor)
  return keywordSearchPage(reader, { query, limit, question, after })
}

/** The best matches for a search field while a member types. Nothing is read to tell why they match. */
export async function suggestConnections(
  reader: ConnectionReader,
  typed: string,
  limit: number,
): Promise<readonly Listed[]> {
  await beginLoading(reader, undefined)
  const query = { query: typed }
  const plain = parseConnectionQuery(query)
  if (!plain) return []
  const { rows } = await searchCurrent(reader, partsOf({ query, plain }, { limit }), { limit })
  return rows.flatMap((row) => row?.listed ?? [])
}

interface KeywordSearchPage {
  readonly query: ConnectionQuery
  readonly limit: number
  /** The query that its cursors are bound to. */
  readonly question: unknown
  readonly after: HitPosition | null
  /** With it, the query is read as a question: titles, places, dates and so on. Otherwise it is only words. */
  readonly now?: number
  /** The network when the call began; otherwise it is read. */
  readonly network?: NetworkState | undefined
}

export async function keywordSearchPage(
  reader: ConnectionReader,
  { query, limit, question, after, now, network }: KeywordSearchPage,
): Promise<SearchPage> {
  await beginLoading(reader, network)
  const plain = parseConnectionQuery(query)
  if (!plain) return EMPTY_PAGE
  const among = query.custom && (await filterByCustom(reader, query.custom))
  const page = { after, limit: limit + 1, ...(among && { among }) }
  await nextStep()
  const parts = partsOf({ query, plain, now }, page)
  const { index, result, rows } = await searchCurrent(reader, parts, { limit, network })
  const { hits, total, asked } = result
  const shown: IndexHit[] = []
  const shownRows: PageRow[] = []
  for (const [place, hit] of hits.slice(0, limit).entries()) {
    const row = rows[place]
    if (!row) continue
    shown.push(hit)
    shownRows.push(row)
  }
  const didYouMean = total === 0 ? suggestionFor(index, asked) : undefined
  return {
    connections: shownRows.map(({ listed }) => listed),
    rows: shownRows,
    hasMore: hits.length > limit,
    total,
    matches: await matchesOf(reader, {
      words: asked.words,
      hits: shown,
      rows: shownRows,
      maxScore: result.maxScore,
    }),
    ...(didYouMean !== undefined && { didYouMean }),
    cursorAfter(place) {
      const { score, connectionId } = shown[place] ?? hits[limit - 1] ?? START
      return writeCursor(question, [score, connectionId])
    },
  }
}

interface Answer extends IndexResult {
  /** What was searched for. */
  readonly asked: AskedQuery
}

/** The parts of a search: concurrent searches proceed in step, so that each part runs for all of them in a row. */
interface SearchParts {
  /** The parsed question; undefined if the query is only words. */
  readonly read: (index: SearchIndex) => AskedQuery | undefined
  readonly find: (index: SearchIndex, understood: AskedQuery | undefined) => Answer
}

/** The query is read as a question if `now` is known. */
function partsOf(
  { query, plain, now }: PlainQuery,
  page: Pick<IndexQuery, 'after' | 'limit' | 'among'>,
): SearchParts {
  return {
    read: (index) => understand(index, { query, plain, now }),
    find(index, understood) {
      const asked = understood ?? plain
      const found = searchIndex(index, { ...asked, ...page }, SCRATCH)
      const instead = found.total > 0 ? undefined : otherWords(query, plain, understood)
      if (!instead) return { ...found, asked }
      return { ...searchIndex(index, { ...instead, ...page }, SCRATCH), asked: instead }
    },
  }
}

/** Searches an index without steps in between. */
export function answerFrom(
  index: SearchIndex,
  query: PlainQuery,
  page: Pick<IndexQuery, 'after' | 'limit' | 'among'>,
): Answer {
  const { read, find } = partsOf(query, page)
  return find(index, read(index))
}

/** Working memory of searches on this thread. A search never yields, so they can share it. */
export const SCRATCH = new SearchScratch()

/** Of all members, on this thread: many searches of a large network at once do not delay everyone else. */
export const SEARCHES = new TimeSlices<number>()

const START: HitPosition = { score: 0, connectionId: 0 }

const EMPTY_PAGE: SearchPage = {
  connections: [],
  rows: [],
  hasMore: false,
  total: 0,
  matches: [],
  cursorAfter: () => '',
}

/** @throws {RequestError} `invalid_request` when the cursor belongs to another query. */
export function readPosition(question: unknown, cursor: string): HitPosition {
  const [score, connectionId] = readCursor(question, cursor, ['number', 'number'])
  return { score, connectionId }
}

export interface AskedQuery {
  readonly words: readonly QueryWord[]
  readonly filters: IndexFilters
  /** Of a parsed question. */
  readonly similar?: () => SimilarPeople
  /** Of a parsed question: its words, where it finds no one. */
  readonly inWords?: (plain: readonly QueryWord[]) => readonly QueryWord[]
}

/** What to search for instead of a query that finds no one: parts of an email, a name in Latin letters, words of a question. */
function otherWords(
  { query }: ConnectionQuery,
  plain: AskedQuery,
  understood: AskedQuery | undefined,
): (AskedQuery & Pick<IndexQuery, 'minShare'>) | undefined {
  const split = withSplitEmails(query)
  if (split !== undefined) return { ...plain, words: analyzeQuery(split), minShare: 1 }
  if (!understood) {
    const words = latinWords(query)
    return words.length === 0 ? undefined : { ...plain, words, minShare: 1 }
  }
  if (!understood.inWords || hasConditions(understood)) return undefined
  const words = understood.inWords(plain.words)
  return words.length === 0 ? undefined : { ...plain, words }
}

/** What people must have, lack or not be. Without an answer, no one else is one. */
function hasConditions({ filters }: AskedQuery): boolean {
  return filters.presence !== undefined || filters.excluded !== undefined
}

interface PlainQuery {
  readonly query: ConnectionQuery
  readonly plain: AskedQuery
  readonly now?: number | undefined
}

/** The parsed question; undefined if the query is only words. */
export function understand(
  index: SearchIndex,
  { query, plain, now }: PlainQuery,
): AskedQuery | undefined {
  if (now === undefined || plain.words.length === 0) return undefined
  const question = readQuestion(index, withoutFieldLabels(query.query), now)
  if (!question) return undefined
  const { words, filters, similar, inWords, mayBeName } = question
  if (mayBeName && searchIndex(index, { ...plain, limit: 1 }, SCRATCH).total > 0) return undefined
  // Filters of the call are explicit, so they win.
  return { words, similar, inWords, filters: { ...filters, ...plain.filters } }
}

/** Undefined if the query or a filter has text but nothing to search for, such as only punctuation. */
export function parseConnectionQuery(query: ConnectionQuery): AskedQuery | undefined {
  const words = analyzeQuery(withoutFieldLabels(query.query))
  const [company, title, location] = [query.company, query.title, query.location].map((text) =>
    text === undefined ? undefined : analyzeFilter(text),
  )
  const isVoid = (text: string | undefined, list: readonly QueryWord[] | undefined) =>
    text !== undefined && text.trim() !== '' && list?.length === 0
  if (
    isVoid(query.query, words) ||
    isVoid(query.company, company) ||
    isVoid(query.title, title) ||
    isVoid(query.location, location)
  )
    return undefined
  const filters = {
    ...(company && { company }),
    ...(title && { title }),
    ...(location && { location }),
    ...(query.tag !== undefined && { tag: tagTerm(tagOf(query.tag).key) }),
    ...(query.connectedAfter !== undefined && { since: dayNumber(query.connectedAfter) }),
  }
  return { words, filters }
}

interface CurrentAnswer {
  readonly index: NetworkIndex
  readonly result: Answer
  /** The connections of the first `limit` hits, in their order. */
  readonly rows: readonly (PageRow | undefined)[]
}

/**
 * Searches the index as of the network's version. Rows that are not in memory are read together with the version; if the
 * network has changed since, the index is updated and searched again.
 */
async function searchCurrent(
  reader: ConnectionReader,
  { read, find }: SearchParts,
  { limit, network: known }: Pick<KeywordSearchPage, 'limit' | 'network'>,
): Promise<CurrentAnswer> {
  const latest = known ?? readNetworkState(reader)
  const loading =
    latest instanceof Promise ? indexToSearch(reader, latest) : indexAt(reader, latest)
  let index = loading instanceof Promise ? await loading : loading
  for (;;) {
    const current = index
    const understood = await SEARCHES.run(reader.memberId, () => read(current))
    const result = await SEARCHES.run(reader.memberId, () => find(current, understood))
    const ids = result.hits.slice(0, limit).map(({ connectionId }) => connectionId)
    const reading = readRows(reader, ids, index.version)
    const { network, rows } = reading instanceof Promise ? await reading : reading
    const newest = network ?? (latest instanceof Promise ? await latest : latest)
    if (newest.search_version <= index.version) return { index, result, rows }
    index = await indexAt(reader, newest)
  }
}

/** The current index; if the database has not answered yet, the one in memory, which is searched while it does. */
async function indexToSearch(
  reader: ConnectionReader,
  latest: Promise<NetworkState>,
): Promise<NetworkIndex> {
  const held = heldIndex(reader)
  if (!held) return indexAt(reader, await latest)
  // Once the event loop has turned, the database has been asked.
  const network = await Promise.race([latest, nextTurn()])
  return network ? indexAt(reader, network) : held
}

export function suggestionFor(
  index: SearchIndex,
  { words, filters }: AskedQuery,
): string | undefined {
  const query = suggestQuery(index, words)
  if (query === undefined) return undefined
  const { total } = searchIndex(index, { words: analyzeQuery(query), filters, limit: 1 }, SCRATCH)
  return total > 0 ? query : undefined
}
