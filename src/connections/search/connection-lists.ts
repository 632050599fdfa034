/** All connections in an order, page by page, for the tools and the web pages. */

import { dayCount } from '../../dates/calendar-day.ts'
import { pageFrom, readCursor } from '../../base/cursor.ts'
import { memberStatement } from '../../db/statement.ts'
import { LISTED_COLUMNS, toListed, type ListedRow } from '../model/connection.ts'
import { tagOf } from '../model/tag-store.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'
import type { ContactFilter } from './filters/contact-arguments.ts'
import type { ConnectionPage } from './show.ts'

type ListOrder = 'name' | 'recent' | 'added' | 'job_change' | 'last_contact' | 'due'

interface ListQuery extends Pick<ContactFilter, 'lastContactBefore' | 'dueBy'> {
  /**
   * By name; by date connected, added or when a job ended, newest first; by last contact, longest ago first and never
   * contacted people last; or by due date, only people with one.
   */
  readonly sort: ListOrder
  readonly tag?: string
  /** YYYY-MM-DD: only people who left a position on or after that day, with `job_change`. */
  readonly since?: string
  /** YYYY-MM-DD, exclusive, with `job_change`. */
  readonly until?: string
}

/** Filling a page with a filter may scan the whole network, so it runs off the main thread. */
export async function listConnections(
  db: MemberReader & Pick<MemberDatabase, 'heavy'>,
  query: ListQuery,
  limit: number,
  cursor?: string,
): Promise<ConnectionPage> {
  const question = [db.memberId, query]
  const after =
    cursor === undefined ? undefined : readCursor(question, cursor, ['string', 'number'])
  const { sort, tag, lastContactBefore, dueBy } = query
  const reader =
    tag === undefined && dueBy === undefined && lastContactBefore === undefined ? db : db.heavy
  const rows = await readList(reader, sort, {
    key: after?.[0] ?? query.until ?? FIRST_KEYS[sort],
    connection_id: after?.[1] ?? (query.until === undefined ? FIRST_IDS[sort] : 0),
    tag: tag === undefined ? null : tagOf(tag).key,
    contacted_before: lastContactBefore ?? null,
    until: lastContactBefore ?? NEVER_KEY,
    due_by: dueBy === undefined ? null : dayCount(dueBy),
    since: query.since ?? '',
    limit: limit + 1,
  })
  const page = pageFrom(rows, limit, question, (row) => [row.sort_key, row.connectionId])
  return { ...page, connections: page.entries.map(toListed) }
}

async function readList(
  reader: MemberReader,
  sort: ListOrder,
  from: ListParams & LastContactParams & { readonly since: string },
): Promise<ListRow[]> {
  if (sort === 'job_change') return reader.all(JOB_CHANGES, from)
  if (sort !== 'last_contact') return reader.all(LISTS[sort], from)
  const rows = from.key === NEVER_KEY ? [] : await reader.all(LAST_CONTACTS, from)
  if (rows.length === from.limit) return rows
  const first = from.key === NEVER_KEY ? from.connection_id : 0
  const never = { ...from, connection_id: first, limit: from.limit - rows.length }
  return [...rows, ...(await reader.all(NEVER_CONTACTED, never))]
}

/** People who left a position in a period. */
export async function countJobChanges(
  db: Pick<MemberDatabase, 'heavy'>,
  { since = '', until = FIRST_KEYS.job_change, tag }: Omit<ListQuery, 'sort'>,
): Promise<number> {
  const key = tag === undefined ? null : tagOf(tag).key
  return (await db.heavy.get(JOB_CHANGE_COUNT, { since, until, tag: key }))?.total ?? 0
}

interface ListParams {
  readonly key: string
  readonly connection_id: number
  readonly tag: string | null
  readonly contacted_before: string | null
  readonly due_by: number | null
  readonly limit: number
}

interface LastContactParams {
  /** The last contact is before that day. */
  readonly until: string
}

type ListRow = ListedRow & { readonly sort_key: string }

/** Start of each list: before every name, or after every date and number. */
const FIRST_KEYS: Record<ListOrder, string> = {
  name: '',
  recent: '9999-99-99',
  added: '',
  job_change: '9999-99-99',
  last_contact: '',
  due: '-1000000',
}
/** After every date: people who were never contacted. */
const NEVER_KEY = '9999-99-99'
const LAST_ID = 2 ** 31 - 1
const FIRST_IDS: Record<ListOrder, number> = {
  name: 0,
  recent: LAST_ID,
  added: LAST_ID,
  job_change: LAST_ID,
  last_contact: 0,
  due: 0,
}

const FILTERED = `(cast(:tag as text) is null or exists (select 1 from connection_tags g
    where g.member_id = :member_id and g.tag_key = :tag and g.connection_id = c.connection_id))
  and (cast(:contacted_before as text) is null or not exists (select 1 from contact_times l
    where l.member_id = :member_id and l.connection_id = c.connection_id and l.last_contact_on >= :contacted_before))
  and (cast(:due_by as bigint) is null or exists (select 1 from contact_times d
    where d.member_id = :member_id and d.connection_id = c.connection_id and d.due_day <= :due_by
      and d.basis <> 'rhythm' and d.is_muted = 0))` as const

/** By connections_by_name, connections_by_day, the primary key and contact_times_by_due; each scan stops when the page is full. */
const LISTS = {
  name: memberStatement<ListParams, ListRow>()(`
    select ${LISTED_COLUMNS}, c.name_key as sort_key from connections c
    where c.member_id = :member_id and (c.name_key, c.connection_id) > (:key, :connection_id)
      and c.deleted_at is null and ${FILTERED}
    order by c.name_key, c.connection_id limit :limit`),
  recent: memberStatement<ListParams, ListRow>()(`
    select ${LISTED_COLUMNS}, coalesce(c.connected_on, '') as sort_key from connections c
    where c.member_id = :member_id and coalesce(c.connected_on, '') <= :key
      and (coalesce(c.connected_on, ''), c.connection_id) < (:key, :connection_id)
      and c.deleted_at is null and ${FILTERED}
    order by coalesce(c.connected_on, '') desc, c.connection_id desc limit :limit`),
  added: memberStatement<ListParams, ListRow>()(`
    select ${LISTED_COLUMNS}, '' as sort_key from connections c
    where c.member_id = :member_id and c.connection_id < :connection_id and :key = :key
      and c.deleted_at is null and ${FILTERED}
    order by c.connection_id desc limit :limit`),
  due: memberStatement<ListParams, ListRow>()(`
    select ${LISTED_COLUMNS}, cast(t.due_day as text) as sort_key from contact_times t
    join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
    where t.member_id = :member_id and (t.due_day, t.connection_id) > (cast(:key as bigint), :connection_id)
      and t.due_day is not null and t.basis <> 'rhythm' and t.is_muted = 0 and c.deleted_at is null and ${FILTERED}
    order by t.due_day, t.connection_id limit :limit`),
} as const

/** By contact_times_by_last. */
const LAST_CONTACTS = memberStatement<ListParams & LastContactParams, ListRow>()(`
    select ${LISTED_COLUMNS}, t.last_contact_on as sort_key from contact_times t
    join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
    where t.member_id = :member_id and (t.last_contact_on, t.connection_id) > (:key, :connection_id)
      and t.last_contact_on < :until and c.deleted_at is null and ${FILTERED}
    order by t.last_contact_on, t.connection_id limit :limit`)

/** By primary keys. */
const NEVER_CONTACTED = memberStatement<ListParams, ListRow>()(`
    select ${LISTED_COLUMNS}, '${NEVER_KEY}' as sort_key from connections c
    where c.member_id = :member_id and c.connection_id > :connection_id and :key = :key
      and not exists (select 1 from contact_times t where t.member_id = :member_id
        and t.connection_id = c.connection_id and t.last_contact_on is not null)
      and c.deleted_at is null and ${FILTERED}
    order by c.connection_id limit :limit`)

/** By connections_by_job_end. */
const JOB_CHANGES = memberStatement<ListParams & { since: string }, ListRow>()(`
    select ${LISTED_COLUMNS}, c.job_ended_on as sort_key from connections c
    where c.member_id = :member_id and (c.job_ended_on, c.connection_id) < (:key, :connection_id)
      and c.job_ended_on >= :since and c.deleted_at is null and ${FILTERED}
    order by c.job_ended_on desc, c.connection_id desc limit :limit`)

const JOB_CHANGE_COUNT = memberStatement<
  { since: string; until: string; tag: string | null },
  { total: number }
>()(`
    select count(*) as total from connections c
    where c.member_id = :member_id and c.job_ended_on >= :since and c.job_ended_on < :until
      and c.deleted_at is null
      and (cast(:tag as text) is null or exists (select 1 from connection_tags g
        where g.member_id = :member_id and g.tag_key = :tag and g.connection_id = c.connection_id))`)
