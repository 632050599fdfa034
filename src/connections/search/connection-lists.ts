/** All connections in an order, page by page, for the tools and the web pages. */

import { readCursor, writeCursor } from '../../base/cursor.ts'
import { memberStatement } from '../../db/statement.ts'
import { LISTED_COLUMNS, toListed, type ListedRow } from '../model/connection.ts'
import { tagOf } from '../model/tag-store.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'
import type { ConnectionPage } from './search.ts'

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
