/** weft member list, weft member show. */

import { dayAt } from '../dates/calendar-day.ts'
import { rfc3339 } from '../base/clock.ts'
import { creditBalance } from '../credits/account.ts'
import { memberStatement } from '../db/statement.ts'
import { memberPages } from '../members/member.ts'
import { listAdmins } from '../members/role.ts'
import { formatTable } from './terminal/table.ts'
import { print, say, type Terminal } from './terminal/terminal.ts'
import { withDatabase, withMember } from './with-database.ts'
import type { MemberRole } from '../http/browser-request.ts'
import type { Member } from '../members/member-row.ts'

export async function printMembers(terminal: Terminal, asJson: boolean): Promise<void> {
  await withDatabase(terminal, async ({ database }) => {
    const admins = await listAdmins(database)
    const roleOf = ({ memberId }: Member) => (admins.has(memberId) ? 'admin' : 'member')
    let isFirst = true
    for await (const page of memberPages(database)) {
      if (asJson) for (const one of page) print(terminal, JSON.stringify(entryOf(one, roleOf(one))))
      else if (page.length > 0)
        print(
          terminal,
          formatTable(
            isFirst ? HEADINGS : HEADINGS.map(() => ''),
            page.map((one) => rowOf(one, roleOf(one))),
          ),
        )
      else if (isFirst) say(terminal, 'No members. Create one with `weft member create`.')
      isFirst = false
    }
  })
}

export async function printMember(
  terminal: Terminal,
  username: string,
  asJson: boolean,
): Promise<void> {
  await withMember(terminal, username, async ({ database, db, member, config, now }) => {
    const admins = await listAdmins(database)
    const { quota, remaining, resetsAt } = await creditBalance(db, config.monthlyCredits, now)
    const connections = (await db.get(COUNT_CONNECTIONS, {}))?.count ?? 0
    const shown = {
      ...entryOf(member, admins.has(member.memberId) ? 'admin' : 'member'),
      headline: member.headline,
      connections,
      credits: { quota, remaining, resets_at: rfc3339(resetsAt) },
    }
    if (asJson) return print(terminal, JSON.stringify(shown))
    const rows = {
      Username: member.username,
      Name: member.name,
      Email: member.email ?? '',
      Headline: member.headline ?? '',
      Profile: member.isPublic ? 'public' : 'private',
      Role: shown.role,
      Joined: dayAt(member.joinedAt),
      Disabled: member.disabledAt === null ? '' : dayAt(member.disabledAt),
      Connections: String(connections),
      Credits: `${remaining} of ${quota}`,
    }
    const filled = Object.entries(rows).filter(([, value]) => value !== '')
    print(terminal, formatTable(['FIELD', 'VALUE'], filled))
  })
}

const COUNT_CONNECTIONS = memberStatement<object, { count: number }>()(
  'select count(*) as count from connections where member_id = :member_id and deleted_at is null',
)

const HEADINGS = ['USERNAME', 'NAME', 'EMAIL', 'JOINED', 'STATE', 'ROLE']

function entryOf(member: Member, role: MemberRole) {
  const { username, name, email, isPublic, joinedAt, disabledAt } = member
  return {
    username,
    name,
    email,
    is_public: isPublic,
    joined_at: rfc3339(joinedAt),
    disabled_at: rfc3339(disabledAt),
    role,
  }
}

function rowOf(member: Member, role: MemberRole): string[] {
  const state = member.disabledAt === null ? (member.isPublic ? 'public' : 'private') : 'disabled'
  return [member.username, member.name, member.email ?? '', dayAt(member.joinedAt), state, role]
}
