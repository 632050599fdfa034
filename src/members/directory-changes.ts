/**
 * Which public profiles changed since a search index of the directory was built. Each change is recorded in its transaction,
 * and a search compares versions, so it finds what any node committed before it.
 */

import { asProperties, statement } from '../db/statement.ts'
import { isListed, MEMBER_COLUMNS, memberOf, type Member, type MemberRow } from './member-row.ts'
import type { Reader, SharedTransaction } from '../db/database.ts'

/** Versions in the table. Older indexes are rebuilt. */
const MAX_REMEMBERED = 1024

/** Increases with every change to what public profiles show in a search. */
export async function readDirectoryVersion(reader: Reader): Promise<number> {
  return (await reader.get(VERSION, {}))?.version ?? 0
}

/** Records changes of public profiles. Other changes wait until the transaction ends. */
export async function recordDirectoryChanges(
  tx: SharedTransaction,
  memberIds: readonly number[],
): Promise<void> {
  if (memberIds.length === 0) return
  const { version = 0 } = (await tx.get(ADVANCE, { changes: memberIds.length })) ?? {}
  const versions = memberIds.map((memberId, index) => ({
    version: version - memberIds.length + index + 1,
    memberId,
  }))
  await tx.insertMany({
    table: 'directory_changes',
    columns: ['slot', 'version', 'member_id'],
    rows: versions
      .slice(-MAX_REMEMBERED)
      .map((one) => [one.version % MAX_REMEMBERED, one.version, one.memberId]),
    onConflict: 'replace',
  })
}

/** The members that changed after version `from` up to `to`; undefined if the table no longer has all of them. */
export async function readDirectoryChanges(
  reader: Reader,
  from: number,
  to: number,
): Promise<number[] | undefined> {
  if (to - from > MAX_REMEMBERED) return undefined
  const rows = await reader.all(CHANGES, { from, to })
  return rows.length === to - from
    ? [...new Set(rows.map(({ member_id }) => member_id))]
    : undefined
}

interface CurrentProfiles {
  readonly version: number
  /** By number, without those that are not public at this version. */
  readonly profiles: ReadonlyMap<number, Member>
}

/** Public profiles and the version that they show, in one read. */
export async function readProfiles(
  reader: Reader,
  ids: readonly number[],
): Promise<CurrentProfiles> {
  const rows = await reader.all(PROFILES, { ids })
  const members = rows.flatMap(({ directoryVersion: _version, memberId, ...row }) =>
    memberId === null ? [] : [memberOf({ ...row, memberId })],
  )
  return {
    version: rows[0]?.directoryVersion ?? 0,
    profiles: new Map(members.filter(isListed).map((member) => [member.memberId, member])),
  }
}

/** Public profiles in the order of their numbers, after `after`. */
export async function readIndexedProfiles(
  reader: Reader,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Member[]> {
  return (await reader.all(PUBLIC, { after, limit })).map(memberOf)
}

/** The number of public profiles, but at most `limit`. */
export async function countPublicProfiles(reader: Reader, limit: number): Promise<number> {
  return (await reader.get(COUNT, { limit }))?.profiles ?? 0
}

const VERSION = statement<object, { version: number }>('select version from directory_version')

const ADVANCE = statement<{ changes: number }, { version: number }>(
  'update directory_version set version = version + :changes where row_id = 1 returning version',
)

const CHANGES = statement<{ from: number; to: number }, { member_id: number }>(
  'select member_id from directory_changes where version > :from and version <= :to',
)

const COLUMNS = asProperties(MEMBER_COLUMNS.map((column) => `m.${column}`).join(', '))

/** By primary key. Without members, one row that has only the version. */
const PROFILES = statement<
  { ids: readonly number[] },
  Omit<MemberRow, 'memberId'> & { directoryVersion: number; memberId: number | null }
>(`
  select v.version as "directoryVersion", m.*
  from directory_version v
    left join (select ${COLUMNS} from members m where m.member_id in (:ids...bigint)) m on true`)

/** By primary key. */
const PUBLIC = statement<{ after: number; limit: number }, MemberRow>(`
  select ${COLUMNS} from members m
  where m.member_id > :after and m.is_public = 1 and m.disabled_at is null
  order by m.member_id limit :limit`)

const COUNT = statement<{ limit: number }, { profiles: number }>(`
  select count(*) as profiles
  from (select 1 from members where is_public = 1 and disabled_at is null limit :limit) p`)
