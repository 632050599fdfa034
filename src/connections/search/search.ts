/** Keyword search, filters and lists of connections, page by page, for the tools and the web pages. */

import { readCursor, writeCursor } from '../../base/cursor.ts'
import { tokenize } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { LISTED_COLUMNS, toListed, type Listed, type ListedRow } from '../model/connection.ts'
import { tagOf } from '../model/connection-store.ts'
import type { MemberDatabase, MemberReader, FullText, SearchReader } from '../../db/database.ts'
import type { Found, TextPosition } from '../../db/full-text.ts'

export interface ConnectionQuery {
  /** Words to find in any field; the last may be a prefix. Empty matches every connection that passes the filters. */
  readonly query: string
  readonly company?: string
  readonly title?: string
  readonly location?: string
  readonly tag?: string
  /** YYYY-MM-DD, inclusive. */
  readonly connectedAfter?: string
}

/** One page, best first. `cursorAfter` returns the cursor of the page that starts after the connection at `index`. */
export interface ConnectionPage {
  readonly connections: readonly Listed[]
  readonly hasMore: boolean
  cursorAfter(index: number): string
}

export type ConnectionReader = SearchReader & { readonly fullText: FullText }

/** Keyword search only. */
export async function searchConnections(
  reader: ConnectionReader,
  query: ConnectionQuery,
  limit: number,
  cursor?: string,
): Promise<ConnectionPage> {
  const question = [reader.memberId, query]
  const after = cursor === undefined ? null : readPosition(question, cursor)
  return keywordSearchPage(reader, { query, limit, question, after })
}

interface KeywordSearchPage {
  readonly query: ConnectionQuery
  readonly limit: number
  /** The query that its cursors are bound to. */
  readonly question: unknown
  readonly after: TextPosition | null
}

export async function keywordSearchPage(
  reader: ConnectionReader,
  { query, limit, question, after }: KeywordSearchPage,
): Promise<ConnectionPage> {
  const found = await keywordSearch<ListedRow>(reader, LISTED_COLUMNS, query, limit + 1, after)
  return {
    connections: found.slice(0, limit).map(toListed),
    hasMore: found.length > limit,
    cursorAfter: (index) =>
      writeCursor(question, [found[index]?.tier ?? 0, found[index]?.place ?? 0]),
  }
}

/** @throws {RequestError} `invalid_request` when the cursor belongs to another query. */
export function readPosition(question: unknown, cursor: string): TextPosition {
  const [tier, place] = readCursor(question, cursor, ['number', 'number'])
  return { tier, place }
}

/** The best matches of all words and filters. `columns` are columns of `connections c`. */
export async function keywordSearch<Row>(
  reader: ConnectionReader,
  columns: string,
  query: ConnectionQuery,
  limit: number,
  after: TextPosition | null = null,
): Promise<Found<Row>[]> {
  if ([query.query, query.company, query.title, query.location].some(hasNoTokens)) return []
  return reader.fullText.searchConnections<Row>(reader, columns, {
    words: tokenize(query.query),
    ...(query.company !== undefined && { company: tokenize(query.company) }),
    ...(query.title !== undefined && { title: tokenize(query.title) }),
    ...(query.location !== undefined && { location: tokenize(query.location) }),
    ...(query.tag !== undefined && { tag: tagOf(query.tag).key }),
    ...(query.connectedAfter !== undefined && { connectedAfter: query.connectedAfter }),
    after,
    limit,
  })
}

/** Whether a text is not empty but has no letter or digit to search for. */
function hasNoTokens(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '' && tokenize(text).length === 0
}

type ListOrder = 'name' | 'recent' | 'added'

interface ListQuery {
  /** By name, by date connected (newest first), or by date added (newest first). */
  readonly sort: ListOrder
  readonly tag?: string
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
  const rows = await reader.all(LISTS[query.sort], {
    key: after?.[0] ?? FIRST_KEYS[query.sort],
    connection_id: after?.[1] ?? FIRST_IDS[query.sort],
    tag: query.tag === undefined ? null : tagOf(query.tag).key,
    limit: limit + 1,
  })
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
const FIRST_KEYS: Record<ListOrder, string> = { name: '', recent: '9999-99-99', added: '' }
const LAST_ID = 2 ** 31 - 1
const FIRST_IDS: Record<ListOrder, number> = { name: 0, recent: LAST_ID, added: LAST_ID }

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
