/** The people a member most probably wants to stay in touch with, for the first day. */

import { updateRow } from '../../db/change-row.ts'
import { readDataLines } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { memberStatement, WHOLE_NETWORK } from '../../db/statement.ts'
import {
  idsOf,
  LISTED_COLUMNS,
  toListed,
  type Listed,
  type ListedRow,
} from '../model/connection.ts'
import { findFamily } from '../editing/own-people.ts'
import { newestNotesOf } from '../notes/notes.ts'
import { tagOf, tagsOf } from '../model/tag-store.ts'
import type { Cadence } from '../../dates/cadence.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../../db/database.ts'

/** What the network knows about a person that a member may have forgotten. */
export interface LikelyPerson {
  readonly connection: Listed
  /** Such as Family, or else the first tag. */
  readonly tag: string | undefined
  readonly isCloseTag: boolean
  /** What a member of the family is to the member, as a relation says: `brother`. */
  readonly kin: string | undefined
  /** The newest one. */
  readonly note: string | undefined
  readonly lastContactOn: string | null
  readonly hasFamilyName: boolean
  /** How many imported files have the person. */
  readonly files: number
  /** The day on which a position ended lately. */
  readonly jobEndedOn: string | null
  readonly birthday: string | null
  readonly isOldest: boolean
  readonly hasPhone: boolean
  readonly cadence: Cadence | null
}

interface LikelyQuery {
  /** YYYY-MM-DD */
  readonly today: string
  /** The member's family name. */
  readonly familyName: string
  readonly offset: number
  readonly limit: number
}

/** The likeliest first. Their cadence does not change the order. Without people who have a cadence of another length. */
export async function listLikelyPeople(
  db: MemberDatabase,
  { today, familyName, offset, limit }: LikelyQuery,
): Promise<readonly LikelyPerson[]> {
  const family = await findFamily(db)
  const rows = await db.heavy.all(LIKELY, {
    close: closeTags(),
    family: [...family.keys()],
    family_name: familyName.toLowerCase(),
    recent: daysLater(today, -RECENT_DAYS),
    limit,
    offset,
  })
  const ids = idsOf(rows)
  const [tags, notes] = await Promise.all([tagsOf(db, ids), newestNotesOf(db, ids, 1)])
  return rows.map((row) => {
    const own = tags.get(row.connectionId) ?? []
    const close = own.find(({ key }) => closeTags().includes(key))
    return {
      connection: toListed(row),
      tag: (close ?? own[0])?.tag,
      isCloseTag: close !== undefined,
      kin: family.get(row.connectionId),
      note: notes.get(row.connectionId)?.[0]?.text,
      lastContactOn: row.last_contact_on,
      hasFamilyName: row.is_family === 1,
      files: row.files,
      jobEndedOn: row.new_job === 1 ? row.job_ended_on : null,
      birthday: row.birthday,
      isOldest: row.is_oldest === 1,
      hasPhone: row.has_phone === 1,
      cadence:
        row.every === null || row.unit === null ? null : { every: row.every, unit: row.unit },
    }
  })
}

/** How many people have a cadence, their own or one of a tag. */
export async function countCadences(db: MemberDatabase): Promise<number> {
  return (await db.heavy.get(COUNT, {}))?.count ?? 0
}

/** True once the member has ended the first day. */
export async function isFirstDayOver(reader: MemberReader): Promise<boolean> {
  return (await reader.get(ENDED, {})) !== undefined
}

/** `now`: milliseconds. */
export async function endFirstDay(tx: MemberTransaction, now: number): Promise<void> {
  await updateRow(tx, 'networks', {}, { firstDayEndedAt: now })
}

/** Days in which a new position, a contact or a connection is recent. */
const RECENT_DAYS = 120

/** Keys of tags that only close people have, in English and German. */
const closeTags = lazy(() =>
  readDataLines(new URL('data/close-tags.txt', import.meta.url)).map((tag) => tagOf(tag).key),
)

type LikelyRow = ListedRow & {
  readonly files: number
  readonly last_contact_on: string | null
  readonly job_ended_on: string | null
  readonly birthday: string | null
  readonly every: number | null
  readonly unit: Cadence['unit'] | null
} & Readonly<Record<'is_family' | 'new_job' | 'is_oldest' | 'has_phone', 0 | 1>>

interface LikelyParams {
  readonly close: readonly string[]
  readonly family: readonly number[]
  readonly family_name: string
  readonly recent: string
  readonly limit: number
  readonly offset: number
}

/** Reads each person of the network once; the rest by index. */
const LIKELY = memberStatement<LikelyParams, LikelyRow>()(`
  select ${WHOLE_NETWORK} ${LISTED_COLUMNS}, c.birthday, c.job_ended_on, c.files, c.is_family, c.new_job,
    c.is_oldest, c.has_phone, c.last_contact_on, c.every, c.unit
  from (
    select c.connection_id, c.name, c.title, c.company, c.location, c.emails, c.profile_url, c.connected_on, c.photo,
      c.birthday,
      c.job_ended_on, t.last_contact_on, t.every, t.unit,
      (select cast(count(*) as integer) from notes n
        where n.member_id = :member_id and n.connection_id = c.connection_id and n.deleted_at is null) as notes,
      coalesce(i.files, 0) as files,
      (select cast(count(*) as integer) from connection_tags g
        where g.member_id = :member_id and g.connection_id = c.connection_id) as tags,
      (select cast(count(*) as integer) from connection_tags g
        where g.member_id = :member_id and g.connection_id = c.connection_id and g.tag_key in (:close...text)) as close,
      case when lower(c.family_name) = :family_name then 1 else 0 end as is_family,
      case when c.connection_id in (:family...bigint) then 1 else 0 end as is_kin,
      case when c.job_ended_on >= :recent then 1 else 0 end as new_job,
      case when c.connected_on = (select min(o.connected_on) from connections o
        where o.member_id = :member_id and o.deleted_at is null) then 1 else 0 end as is_oldest,
      case when c.phones <> '[]' then 1 else 0 end as has_phone,
      case when c.nickname_key is not null then 1 else 0 end as has_nickname
    from connections c
    left join contact_times t on t.member_id = :member_id and t.connection_id = c.connection_id
    left join (select connection_id, cast(count(*) as integer) as files from import_changes
      where member_id = :member_id group by connection_id) i on i.connection_id = c.connection_id
    where c.member_id = :member_id and c.deleted_at is null and coalesce(t.is_muted, 0) = 0
      and coalesce(t.basis, '') <> 'tag' and (t.every is null or (t.unit = 'month' and t.every in (1, 3, 12)))) c
  order by case when c.close > 0 or c.is_kin > 0 then 8 else 0 end + case when c.notes > 3 then 9 when c.notes > 0 then 6 else 0 end
    + case when c.last_contact_on >= :recent then 5 when c.last_contact_on is not null then 2 else 0 end
    + c.is_family * 5 + case when c.files > 1 then 4 else 0 end + c.new_job * 3 + c.has_nickname * 3 + c.is_oldest * 3
    + case when c.birthday is not null then 2 else 0 end + c.has_phone * 2
    + case when c.tags > 0 then 2 else 0 end + case when c.connected_on >= :recent then 2 else 0 end
    + case when c.emails <> '[]' then 1 else 0 end desc,
    coalesce(c.connected_on, '') desc, c.connection_id
  limit :limit offset :offset`)

/** By primary key. */
const COUNT = memberStatement<object, { count: number }>()(`
  select ${WHOLE_NETWORK} cast(count(*) as integer) as count from contact_times t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and (t.every is not null or t.basis = 'tag') and c.deleted_at is null`)

/** By primary key. */
const ENDED = memberStatement<object, { first_day_ended_at: number }>()(`
  select first_day_ended_at from networks where member_id = :member_id and first_day_ended_at is not null`)
