/** The member list for admins. It contains account data only, nothing from a member's network. */

import { readCursor, writeCursor } from '../../base/cursor.ts'
import { patternContaining } from '../../db/like-pattern.ts'
import { memberStatement, serviceStatement, statement } from '../../db/statement.ts'
import type { Database } from '../../db/database.ts'
import type { MemberRole } from '../../http/browser-request.ts'

export interface MemberListEntry {
  readonly memberId: number
  readonly username: string
  readonly name: string
  readonly email: string | null
  readonly role: MemberRole
  /** Whether the profile is public. */
  readonly isPublic: boolean
  readonly joinedAt: number
  readonly disabledAt: number | null
  /** When a signed-in browser was last active, to the hour; undefined if none is signed in. */
  readonly seenAt: number | undefined
}

interface MemberListPage {
  readonly members: readonly MemberListEntry[]
  /** The cursor of the page after this one. */
  readonly next: string | undefined
}

interface MemberListQuery {
  /** Part of a name, username or email, case-insensitive for A to Z; empty for all members. */
  readonly query: string
  readonly cursor: string | undefined
  readonly limit: number
}

/** Ordered by username. */
export async function readMemberList(
  database: Database,
  { query, cursor, limit }: MemberListQuery,
  now: number,
): Promise<MemberListPage> {
  const question = ['roster', query]
  const [after] = cursor === undefined ? [''] : readCursor(question, cursor, ['string'])
  const page = { after, limit: limit + 1 }
  const rows =
    query === ''
      ? await database.all(PAGE, page)
      : // In the worst case this scans all members.
        await database.heavy.all(FOUND, { ...page, pattern: patternOf(query) })
  const shown = rows.slice(0, limit)
  const seen = await database.all(SEEN, { ids: shown.map((row) => row.member_id), now })
  const seenAt = new Map(seen.map((row) => [row.member_id, row.seen_at]))
  return {
    members: shown.map((row) => entryOf(row, seenAt.get(row.member_id))),
    next: rows.length > limit ? writeCursor(question, [shown.at(-1)?.username ?? '']) : undefined,
  }
}

export async function findEntry(
  database: Database,
  username: string,
  now: number,
): Promise<MemberListEntry | undefined> {
  const row = await database.get(ONE, { username })
  if (!row) return undefined
  const seen = await database.member(row.member_id).get(SEEN_ONE, { now })
  return entryOf(row, seen?.seen_at ?? undefined)
}

export interface MemberCounts {
  readonly members: number
  readonly disabled: number
  readonly admins: number
}

export async function countMembers({ heavy }: Pick<Database, 'heavy'>): Promise<MemberCounts> {
  return (await heavy.get(COUNTS, {})) ?? { members: 0, disabled: 0, admins: 0 }
}

/** In lower-case ASCII letters, as both engines compare them. */
function patternOf(query: string): string {
  return patternContaining(query.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()))
}

interface RosterRow {
  readonly member_id: number
  readonly username: string
  readonly name: string
  readonly email: string | null
  readonly role: MemberRole
  readonly is_public: number
  readonly joined_at: number
  readonly disabled_at: number | null
}

function entryOf(row: RosterRow, seenAt: number | undefined): MemberListEntry {
  return {
    memberId: row.member_id,
    username: row.username,
    name: row.name,
    email: row.email,
    role: row.role,
    isPublic: row.is_public === 1 && row.disabled_at === null,
    joinedAt: row.joined_at,
    disabledAt: row.disabled_at,
    seenAt,
  }
}

const COLUMNS = 'member_id, username, name, email, role, is_public, joined_at, disabled_at'

// Uses the unique index on usernames, as do the next two. A search scans it until the page is full.
const PAGE = statement<{ after: string; limit: number }, RosterRow>(
  `select ${COLUMNS} from members where username > :after order by username limit :limit`,
)

const FOUND = statement<{ after: string; limit: number; pattern: string }, RosterRow>(`
  select ${COLUMNS} from members
  where username > :after and (
    username like :pattern escape '\\' or lower(name) like :pattern escape '\\' or email like :pattern escape '\\'
  )
  order by username limit :limit`)

const ONE = statement<{ username: string }, RosterRow>(
  `select ${COLUMNS} from members where username = :username`,
)

const COUNTS = statement<object, MemberCounts>(`
  select count(*) as members, count(disabled_at) as disabled,
    count(case when role = 'admin' then 1 end) as admins
  from members`)

/** Uses browser_sessions_by_member, as does the next. */
const SEEN = serviceStatement<
  { ids: readonly number[]; now: number },
  { member_id: number; seen_at: number }
>(`
  select member_id, max(last_seen_at) as seen_at from browser_sessions
  where member_id in (:ids...bigint) and expires_at > :now group by member_id`)

const SEEN_ONE = memberStatement<{ now: number }, { seen_at: number | null }>()(`
  select max(last_seen_at) as seen_at from browser_sessions
  where member_id = :member_id and expires_at > :now`)
