/** Keyword search, filters and lists of connections, page by page, for the tools and the web pages. */

import { readCursor, writeCursor } from '../../base/cursor.ts'
import { TimeSlices } from '../../base/time-slices.ts'
import { memberStatement } from '../../db/statement.ts'
import { LISTED_COLUMNS, toListed, type Listed, type ListedRow } from '../model/connection.ts'
import { readRows, type PageRow } from './page-rows.ts'
import { findConnections, notesOf, tagOf } from '../model/connection-store.ts'
import { customFieldsOf } from '../model/custom-fields.ts'
import { detailLines } from '../model/detail-lines.ts'
import { analyzeFilter, analyzeQuery, type QueryWord } from './index/analyze-query.ts'
import { dayNumber } from './index/analyze-document.ts'
import { FIELD, matchedFieldsOf, type MatchedField } from './index/fields.ts'
import { searchIndex, type IndexHit, type IndexResult } from './index/search-index.ts'
import { SearchScratch } from './index/search-scratch.ts'
import type { HitPosition } from './index/best-hits.ts'
import type { IndexFilters } from './index/index-filters.ts'
import { filterByCustom } from './custom-filter.ts'
import { snippetFinder } from './index/snippet.ts'
import { tagTerm } from './index/special-terms.ts'
import { suggestQuery } from './index/suggest.ts'
import { indexAt, readIndex, type IndexReader, type NetworkIndex } from './network-index.ts'
import { readQuestion } from './asked-question.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'
import type { NetworkState } from '../../tools/call-state.ts'

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

/** Why a connection is in a result. */
export interface SearchMatch {
  /** 0 to 1: how well it matches. */
  readonly score: number
  readonly fields: readonly MatchedField[]
  /** A bit mask of the numbers of these fields. */
  readonly fieldMask: number
  /** The part of a note, or the email, that matches. */
  readonly snippet?: string
}

export interface SearchPage extends ConnectionPage {
  /** The same as `connections`, with tags. */
  readonly rows: readonly PageRow[]
  /** All matches, on all pages. */
  readonly total: number
  /** By connection ID; empty if the query has no words. */
  readonly matches: ReadonlyMap<number, SearchMatch>
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
  const plain = parseConnectionQuery(query)
  if (!plain) return EMPTY_PAGE
  const among = query.custom && (await filterByCustom(reader, query.custom))
  let asked: AskedQuery = plain
  const search = (current: NetworkIndex) => {
    const page = { after, limit: limit + 1, ...(among && { among }) }
    const understood = now === undefined ? undefined : understand(current, { query, plain, now })
    asked = understood ?? plain
    const found = searchIndex(current, { ...asked, ...page }, SCRATCH)
    if (found.total > 0 || !understood || hasConditions(understood)) return found
    asked = plain
    return searchIndex(current, { ...asked, ...page }, SCRATCH)
  }
  const { index, result, rows } = await searchCurrent(reader, search, { limit, network })
  const { hits, total } = result
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
  matches: new Map(),
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
}

/** What people must have, lack or not be. Without an answer, no one else is one. */
function hasConditions({ filters }: AskedQuery): boolean {
  return filters.presence !== undefined || filters.excluded !== undefined
}

interface PlainQuery {
  readonly query: ConnectionQuery
  readonly plain: AskedQuery
  readonly now: number
}

/** The parsed question; undefined if the query is only words. */
export function understand(
  index: NetworkIndex,
  { query, plain, now }: PlainQuery,
): AskedQuery | undefined {
  if (plain.words.length === 0) return undefined
  const question = readQuestion(index, query.query, now)
  if (!question) return undefined
  // Filters of the call are explicit, so they win.
  return { words: question.words, filters: { ...question.filters, ...plain.filters } }
}

/** Undefined if the query or a filter has text but nothing to search for, such as only punctuation. */
export function parseConnectionQuery(query: ConnectionQuery): AskedQuery | undefined {
  const words = analyzeQuery(query.query)
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

interface CurrentResult {
  readonly index: NetworkIndex
  readonly result: IndexResult
  /** The connections of the first `limit` hits, in their order. */
  readonly rows: readonly (PageRow | undefined)[]
}

/**
 * Searches the index as of the network's version. Rows that are not in memory are read together with the version; if the
 * network has changed since, the index is updated and searched again.
 */
async function searchCurrent(
  reader: ConnectionReader,
  search: (index: NetworkIndex) => IndexResult,
  { limit, network: known }: Pick<KeywordSearchPage, 'limit' | 'network'>,
): Promise<CurrentResult> {
  const found = known ? indexAt(reader, known) : readIndex(reader)
  let index = found instanceof Promise ? await found : found
  for (;;) {
    const current = index
    const result = await SEARCHES.run(reader.memberId, () => search(current))
    const ids = result.hits.slice(0, limit).map(({ connectionId }) => connectionId)
    const read = readRows(reader, ids, index.version)
    const { network, rows } = read instanceof Promise ? await read : read
    if (!network || network.search_version <= index.version) return { index, result, rows }
    index = await indexAt(reader, network)
  }
}

function suggestionFor(index: NetworkIndex, { words, filters }: AskedQuery): string | undefined {
  const query = suggestQuery(index, words)
  if (query === undefined) return undefined
  const { total } = searchIndex(index, { words: analyzeQuery(query), filters, limit: 1 }, SCRATCH)
  return total > 0 ? query : undefined
}

interface Matching {
  readonly words: readonly QueryWord[]
  readonly hits: readonly Pick<IndexHit, 'connectionId' | 'score' | 'fields'>[]
  /** The connections of the hits, in their order. */
  readonly rows: readonly PageRow[]
  /** The score of a perfect match. */
  readonly maxScore: number
}

export async function matchesOf(
  reader: MemberReader,
  { words, hits, rows, maxScore }: Matching,
): Promise<ReadonlyMap<number, SearchMatch>> {
  if (words.length === 0) return new Map()
  const idsWith = (bit: number) =>
    hits.filter(({ fields }) => (fields & bit) !== 0).map(({ connectionId }) => connectionId)
  const [inNotes, inDetails] = [idsWith(NOTE_BIT), idsWith(DETAIL_BIT)]
  const notes = inNotes.length > 0 ? await notesOf(reader, inNotes) : undefined
  const details = inDetails.length > 0 ? await detailLinesOf(reader, inDetails) : undefined
  const snippetIn = snippetFinder(words)
  const matches = new Map<number, SearchMatch>()
  for (const [index, { connectionId, score, fields }] of hits.entries()) {
    const snippet =
      firstOf(notes?.get(connectionId)?.toReversed(), ({ text }) => snippetIn(text)) ??
      firstOf(details?.get(connectionId), snippetIn) ??
      ((fields & EMAIL_BITS) === 0 ? undefined : firstOf(rows[index]?.listed.emails, snippetIn))
    matches.set(connectionId, {
      score: shareOfMax(score, maxScore),
      fields: matchedFieldsOf(fields),
      fieldMask: fields,
      ...(snippet !== undefined && { snippet }),
    })
  }
  return matches
}

/** Their details as lines, in which a match is shown. */
async function detailLinesOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const connections = await findConnections(reader, ids)
  const fields = await customFieldsOf(reader, ...connections.map(({ details }) => details))
  return new Map(
    connections.map((connection) => [connection.connectionId, detailLines({ connection, fields })]),
  )
}

const DETAIL_BIT = 1 << FIELD.detail
const NOTE_BIT = 1 << FIELD.note
const EMAIL_BITS = (1 << FIELD.email) | (1 << FIELD.emailWord)

function firstOf<T>(
  values: readonly T[] | undefined,
  read: (value: T) => string | undefined,
): string | undefined {
  if (!values) return undefined
  for (const value of values) {
    const text = read(value)
    if (text !== undefined) return text
  }
  return undefined
}

/** Two decimals; a whole name can exceed the score of its words. */
function shareOfMax(score: number, maxScore: number): number {
  return maxScore === 0 ? 0 : Math.max(0.01, Math.round(100 * Math.min(1, score / maxScore)) / 100)
}

type ListOrder = 'name' | 'recent' | 'added' | 'job_change'

interface ListQuery {
  /** By name, by date connected, added or when a job ended (newest first). */
  readonly sort: ListOrder
  readonly tag?: string
  /** YYYY-MM-DD: only people who left a position on or after that day, with `job_change`. */
  readonly since?: string
}

/** Filling a page by tag may scan the whole network, so it runs off the main thread. */
export async function listConnections(
  db: MemberReader & Pick<MemberDatabase, 'heavy'>,
  query: ListQuery,
  limit: number,
  cursor?: string,
): Promise<ConnectionPage> {
  const question = [db.memberId, query]
  const after =
    cursor === undefined ? undefined : readCursor(question, cursor, ['string', 'number'])
  const reader = query.tag === undefined ? db : db.heavy
  const { sort } = query
  const from = {
    key: after?.[0] ?? FIRST_KEYS[sort],
    connection_id: after?.[1] ?? FIRST_IDS[sort],
    tag: query.tag === undefined ? null : tagOf(query.tag).key,
    limit: limit + 1,
  }
  const rows =
    sort === 'job_change'
      ? await reader.all(JOB_CHANGES, { ...from, since: query.since ?? '' })
      : await reader.all(LISTS[sort], from)
  return {
    connections: rows.slice(0, limit).map(toListed),
    hasMore: rows.length > limit,
    cursorAfter(index) {
      const row = rows[index]
      return writeCursor(question, [row?.sort_key ?? '', row?.connection_id ?? 0])
    },
  }
}

interface ListParams {
  readonly key: string
  readonly connection_id: number
  readonly tag: string | null
  readonly limit: number
}

type ListRow = ListedRow & { readonly sort_key: string }

/** Start of each list: before every name, or after every date and number. */
const FIRST_KEYS: Record<ListOrder, string> = {
  name: '',
  recent: '9999-99-99',
  added: '',
  job_change: '9999-99-99',
}
const LAST_ID = 2 ** 31 - 1
const FIRST_IDS: Record<ListOrder, number> = {
  name: 0,
  recent: LAST_ID,
  added: LAST_ID,
  job_change: LAST_ID,
}

const TAGGED = `(cast(:tag as text) is null or exists (select 1 from connection_tags t
    where t.member_id = :member_id and t.tag_key = :tag and t.connection_id = c.connection_id))` as const

/** By connections_by_name, connections_by_day and the primary key; each scan stops when the page is full. */
const LISTS = {
  name: memberStatement<ListParams, ListRow>()(`
    select ${LISTED_COLUMNS}, c.name_key as sort_key from connections c
    where c.member_id = :member_id and (c.name_key, c.connection_id) > (:key, :connection_id)
      and c.deleted_at is null and ${TAGGED}
    order by c.name_key, c.connection_id limit :limit`),
  recent: memberStatement<ListParams, ListRow>()(`
    select ${LISTED_COLUMNS}, coalesce(c.connected_on, '') as sort_key from connections c
    where c.member_id = :member_id and (coalesce(c.connected_on, ''), c.connection_id) < (:key, :connection_id)
      and c.deleted_at is null and ${TAGGED}
    order by coalesce(c.connected_on, '') desc, c.connection_id desc limit :limit`),
  added: memberStatement<ListParams, ListRow>()(`
    select ${LISTED_COLUMNS}, '' as sort_key from connections c
    where c.member_id = :member_id and c.connection_id < :connection_id and :key = :key
      and c.deleted_at is null and ${TAGGED}
    order by c.connection_id desc limit :limit`),
} as const

/** By connections_by_job_end. */
const JOB_CHANGES = memberStatement<ListParams & { since: string }, ListRow>()(`
    select ${LISTED_COLUMNS}, c.job_ended_on as sort_key from connections c
    where c.member_id = :member_id and (c.job_ended_on, c.connection_id) < (:key, :connection_id)
      and c.job_ended_on >= :since and c.deleted_at is null and ${TAGGED}
    order by c.job_ended_on desc, c.connection_id desc limit :limit`)
