/** Search with filters, page by page, for the tools and the web pages. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { readCursor, writeCursor } from '../../base/cursor.ts'
import { RequestError } from '../../base/request-error.ts'
import { parseConnectionQuery, type ConnectionQuery } from './answer-query.ts'
import {
  answerInMode,
  type Asked,
  type ModeAnswer,
  type SearchMode,
} from './answer-with-meaning.ts'
import { readRows, type PageRow } from './index/page-rows.ts'
import { filterByContact, MAX_COMPARED } from './filters/contact-filter.ts'
import { filterByCustom } from './filters/custom-filter.ts'
import {
  beginLoading,
  heldIndex,
  indexAt,
  type IndexReader,
  type NetworkIndex,
} from './index/network-index.ts'
import { matchesOf, type SearchMatch } from './search-matches.ts'
import { unknownNameText } from './unknown-name.ts'
import { weakerMatches, weakerText } from './weaker-match.ts'
import { withoutFields } from './filters/withheld-fields.ts'
import type { HitPosition, IndexHit } from '../../search/index/best-hits.ts'
import type { Listed } from '../model/connection.ts'
import { readNetworkState, type NetworkState } from '../../tools/call-state.ts'
import type { MeaningDeps } from './meaning/similar-people.ts'

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
  /** Matches that have every word itself, on all pages. They come first. */
  readonly complete: number
  /** What the query names that no one has, as a sentence. */
  readonly unknown?: string | undefined
  /** In the order of `connections`; empty if the query has no words. */
  readonly matches: readonly SearchMatch[]
  readonly mode: ModeAnswer['mode']
  readonly isWithoutMeaning: boolean
  /** Whether people were filtered or sorted by when they were contacted or are due. */
  readonly isByContact: boolean
}

export type ConnectionReader = IndexReader

interface SearchDeps extends MeaningDeps {
  /** The network when the call began; otherwise it is read. */
  readonly network?: NetworkState
}

interface ModeSearch {
  readonly query: ConnectionQuery
  readonly mode: SearchMode
  readonly limit: number
  readonly cursor?: string | undefined
  /** If it is known, the query is read as a question. */
  readonly now?: number
}

/** Searches by words. Without `now`, the query is not read as a question. */
export async function searchConnections(
  reader: ConnectionReader,
  query: ConnectionQuery,
  limit: number,
  rest: Pick<ModeSearch, 'cursor' | 'now'> = {},
): Promise<SearchPage> {
  return searchInMode(reader, { query, mode: 'keyword', limit, ...rest }, undefined)
}

/** Someone for a search field, and why if they do not match completely. */
export interface SuggestedConnection extends Listed {
  readonly weaker?: string
}

/** The best matches for a search field while a member types. Nothing is read to tell why they match. */
export async function suggestConnections(
  reader: ConnectionReader,
  typed: string,
  limit: number,
): Promise<readonly SuggestedConnection[]> {
  await beginLoading(reader, undefined)
  const query = { query: typed }
  const plain = parseConnectionQuery(query)
  if (!plain) return []
  const asked = { query, plain, mode: 'keyword' as const, after: null, limit }
  const { answer, hits, rows } = await searchCurrent(
    reader,
    { asked, limit, cursor: null },
    undefined,
  )
  const weakerOf = weakerMatches(answer.asked.words)
  return rows.flatMap((row, at) => {
    const hit = hits[at]
    if (!row || !hit) return []
    const weaker = weakerOf({ hit, guesses: () => answer.guessesOf(hit), row })
    return weaker ? Object.assign({}, row.listed, { weaker: weakerText(weaker) }) : row.listed
  })
}

/**
 * @throws {RequestError} `preparing` when the vectors are being computed or read, in mode `semantic`.
 * @throws {RequestError} `conflict` when the job `embed_objects` must run before, in mode `semantic`.
 * @throws {RequestError} `unavailable` when the model does not respond, in mode `semantic`.
 */
export async function searchInMode(
  reader: ConnectionReader,
  { query, mode, limit, cursor, now }: ModeSearch,
  deps: SearchDeps | undefined,
): Promise<SearchPage> {
  const question = [reader.memberId, query, mode]
  const after = cursor === undefined ? null : readPosition(question, cursor)
  if (mode === 'semantic') assertMayBeMeant(query)
  await beginLoading(reader, deps?.network)
  const plain = parseConnectionQuery(query)
  if (!plain) return EMPTY_PAGE
  const among = query.custom && (await filterByCustom(reader, query.custom))
  const scored = after?.score === RANKED ? null : after
  const range = query.contact
    ? { after: null, limit: MAX_COMPARED }
    : { after: scored, limit: limit + 1 }
  const asked = { query, plain, mode, now, ...range, ...(among && { among }) }
  const { answer, hits, rows, from } = await searchCurrent(
    reader,
    { asked, limit, cursor: after },
    deps,
  )
  const [shownRows, shownHits, places] = presentOf(hits, rows)
  const { words } = answer.asked
  const matches = await matchesOf(reader, { words, hits: shownHits, rows: shownRows, answer })
  return {
    connections: shownRows.map(({ listed }) => listed),
    rows: shownRows,
    hasMore: hits.length > limit,
    total: answer.total,
    complete: answer.complete,
    unknown: unknownNameText(
      answer,
      matches.map(({ weaker }) => weaker),
    ),
    mode: answer.mode,
    isWithoutMeaning: answer.isWithoutMeaning === true,
    isByContact: query.contact !== undefined || answer.asked.filters.contacts !== undefined,
    matches,
    cursorAfter(index) {
      const [hit, place = limit - 1] = [shownHits[index], places[index]]
      if (answer.isRanked) return writeCursor(question, [RANKED, from + place + 1])
      const { score, connectionId } = hit ?? hits[limit - 1] ?? START
      return writeCursor(question, [score, connectionId])
    },
  }
}

/** The people of a page who still exist, and their places in it. */
function presentOf(
  hits: readonly IndexHit[],
  rows: readonly (PageRow | undefined)[],
): readonly [rows: PageRow[], hits: IndexHit[], places: number[]] {
  const present: readonly [PageRow[], IndexHit[], number[]] = [[], [], []]
  for (const [place, row] of rows.entries()) {
    const hit = hits[place]
    if (!row || !hit) continue
    present[0].push(row)
    present[1].push(hit)
    present[2].push(place)
  }
  return present
}

/** A score in cursors that marks a ranked search; the ID is then an index into the ranking. */
const RANKED = -1

function assertMayBeMeant({ withheld, custom }: ConnectionQuery): void {
  if (withheld !== undefined)
    throw new RequestError(
      'forbidden',
      'Search by meaning includes notes, which the member does not allow this agent to read.',
      { hint: 'Use mode keyword.', members: { limit: 'free_text' } },
    )
  if (custom)
    throw new RequestError('invalid_request', 'custom cannot be combined with mode semantic.', {
      errors: [{ pointer: '/custom', detail: 'is not allowed with mode semantic; use keyword' }],
    })
}

const START: HitPosition = { score: 0, connectionId: 0 }

const EMPTY_PAGE: SearchPage = {
  connections: [],
  rows: [],
  hasMore: false,
  total: 0,
  complete: 0,
  matches: [],
  mode: 'keyword',
  isWithoutMeaning: false,
  isByContact: false,
  cursorAfter: () => '',
}

/** @throws {RequestError} `invalid_request` when the cursor belongs to another query. */
function readPosition(question: unknown, cursor: string): HitPosition {
  const [score, connectionId] = readCursor(question, cursor, ['number', 'number'])
  return { score, connectionId }
}

interface CurrentSearch {
  readonly asked: Asked
  readonly limit: number
  readonly cursor: HitPosition | null
}

interface CurrentAnswer {
  readonly answer: ModeAnswer
  /** Those of the page, and perhaps one more. */
  readonly hits: readonly IndexHit[]
  /** The connections of the first `limit` hits, in their order. */
  readonly rows: readonly (PageRow | undefined)[]
  /** Where the page begins in a ranking. */
  readonly from: number
}

/**
 * Searches the index as of the network's version. Rows that are not in memory are read together with the version; if the
 * network has changed since, the index is updated and searched again.
 */
async function searchCurrent(
  reader: ConnectionReader,
  { asked, limit, cursor }: CurrentSearch,
  deps: SearchDeps | undefined,
): Promise<CurrentAnswer> {
  const latest = deps?.network ?? readNetworkState(reader)
  const loading =
    latest instanceof Promise ? indexToSearch(reader, latest) : indexAt(reader, latest)
  let index = loading instanceof Promise ? await loading : loading
  for (;;) {
    const current = await withoutFields(reader, index, asked.query.withheld)
    const found = await answerInMode(reader, current, asked, deps)
    const { contact } = asked.query
    const answer = contact ? await filterByContact(reader, found, contact) : found
    const from = answer.isRanked ? startInRanking(answer.hits, cursor) : 0
    const hits = answer.hits.slice(from, from + limit + 1)
    const ids = hits.slice(0, limit).map(({ connectionId }) => connectionId)
    const reading = readRows(reader, ids, index.version)
    const { network, rows } = reading instanceof Promise ? await reading : reading
    const newest = network ?? (latest instanceof Promise ? await latest : latest)
    if (newest.search_version <= index.version) return { answer, hits, rows, from }
    index = await indexAt(reader, newest)
  }
}

/** After the last connection of the previous page, which may have been a page of another kind. */
function startInRanking(hits: readonly IndexHit[], cursor: HitPosition | null): number {
  if (!cursor) return 0
  const { score, connectionId } = cursor
  if (score === RANKED) return Math.max(0, Math.floor(connectionId))
  return hits.findIndex((hit) => hit.connectionId === connectionId) + 1
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
