/** Keyword search with filters, page by page, for the tools and the web pages. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { readCursor, writeCursor } from '../../base/cursor.ts'
import { TimeSlices } from '../../base/time-slices.ts'
import {
  answerFrom,
  parseConnectionQuery,
  suggestionFor,
  type IndexAnswer,
  type ConnectionQuery,
} from './answer-query.ts'
import { readRows, type PageRow } from './page-rows.ts'
import type { IndexHit } from '../../search/index/select-people.ts'
import { filterByCustom } from './custom-filter.ts'
import {
  beginLoading,
  heldIndex,
  indexAt,
  type IndexReader,
  type NetworkIndex,
} from './network-index.ts'
import { matchesOf, type SearchMatch } from './search-matches.ts'
import { withoutFields } from './withheld-fields.ts'
import type { HitPosition } from '../../search/index/best-hits.ts'
import type { Listed } from '../model/connection.ts'
import { readNetworkState, type NetworkState } from '../../tools/call-state.ts'

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
  const { rows } = await searchCurrent(
    reader,
    (index) => answerFrom(index, { query, plain }, { limit }),
    { limit },
  )
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
  const { withheld } = query
  const { index, result, rows } = await searchCurrent(
    reader,
    (current) => answerFrom(current, { query, plain, now }, page),
    { limit, network, withheld },
  )
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

type CurrentSearch = Pick<KeywordSearchPage, 'limit' | 'network'> &
  Pick<ConnectionQuery, 'withheld'>

interface CurrentAnswer {
  readonly index: NetworkIndex
  readonly result: IndexAnswer
  /** The connections of the first `limit` hits, in their order. */
  readonly rows: readonly (PageRow | undefined)[]
}

/**
 * Searches the index as of the network's version. Rows that are not in memory are read together with the version; if the
 * network has changed since, the index is updated and searched again.
 */
async function searchCurrent(
  reader: ConnectionReader,
  search: (index: NetworkIndex) => IndexAnswer,
  { limit, network: known, withheld }: CurrentSearch,
): Promise<CurrentAnswer> {
  const latest = known ?? readNetworkState(reader)
  const loading =
    latest instanceof Promise ? indexToSearch(reader, latest) : indexAt(reader, latest)
  let index = loading instanceof Promise ? await loading : loading
  for (;;) {
    const current = await withoutFields(reader, index, withheld)
    const result = await SEARCHES.run(reader.memberId, () => search(current))
    const ids = result.hits.slice(0, limit).map(({ connectionId }) => connectionId)
    const reading = readRows(reader, ids, index.version)
    const { network, rows } = reading instanceof Promise ? await reading : reading
    const newest = network ?? (latest instanceof Promise ? await latest : latest)
    if (newest.search_version <= index.version) return { index: current, result, rows }
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
