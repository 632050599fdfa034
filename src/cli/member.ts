/** weft member: make, list, disable and delete members, and let them in. */

import { Option, type Command } from 'commander'
import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { DEMO_MEMBER } from '../connections/demo/member.ts'
import {
  createMember,
  deleteMember,
  disableMember,
  enableMember,
  listMembers,
  requireMemberByUsername,
} from '../members/member.ts'
import { usernameKey } from '../members/usernames.ts'
import { changeRole, isLastAdmin, listAdmins } from '../members/role.ts'
import { hasMembers } from '../sign-in/session/admission.ts'
import { keepDemoDeleted } from '../service/seed-demo.ts'
import { addMemberAccessCommands } from './member-access.ts'
import { addMemberExportCommand } from './member-export.ts'
import { print, say, table, type Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'
import type { Database } from '../db/database.ts'
import type { MemberRole } from '../http/browser-request.ts'
import type { Member } from '../members/member.ts'

export function addMemberCommands(program: Command, terminal: Terminal): void {
  const member = program.command('member').description('Make and manage members')
  member
    .command('create')
    .description('Make a member')
    .requiredOption('--username <username>', '2 to 39 of a-z, 0-9 and -')
    .requiredOption('--name <name>', 'the name people see')
    .option('--email <address>', 'private; for signing in')
    .option('--headline <text>')
    .option('--about <text>')
    .option('--location <place>')
    .option('--organization <name>')
    .option('--title <job>')
    .option('--skill <skill...>', 'one or more')
    .option('--private', 'leave the member out of the directory')
    .option('--admin', 'make the member an admin, who can open /admin')
    .addOption(new Option('--operator', 'the former name of --admin').hideHelp())
    .action((options: CreateOptions) => create(terminal, options))
  member
    .command('list')
    .description('List all members')
    .option('--json', 'as JSON lines')
    .action((options: { json?: true }) => list(terminal, options.json === true))
  member
    .command('disable')
    .description('Shut a member out: tokens stop working, the profile is gone; nothing is lost')
    .argument('<username>')
    .action((username: string) => disable(terminal, username))
  member
    .command('enable')
    .description('Let a disabled member in again')
    .argument('<username>')
    .action((username: string) => enable(terminal, username))
  member
    .command('promote')
    .description('Make a member an admin: they let people in and shut them out at /admin')
    .argument('<username>')
    .action((username: string) => promote(terminal, username))
  member
    .command('demote')
    .description('Make an admin a member like any other')
    .argument('<username>')
    .action((username: string) => demote(terminal, username))
  member
    .command('delete')
    .description('Delete a member and everything of theirs, for good')
    .argument('<username>')
    .option('--yes', 'really')
    .action((username: string, options: { yes?: true }) =>
      remove(terminal, username, options.yes === true),
    )
  addMemberExportCommand(member, terminal)
  addMemberAccessCommands(member, terminal)
}

interface CreateOptions {
  readonly username: string
  readonly name: string
  readonly email?: string
  readonly headline?: string
  readonly about?: string
  readonly location?: string
  readonly organization?: string
  readonly title?: string
  readonly skill?: string[]
  readonly private?: true
  readonly admin?: true
  /** The former name of `admin`. */
  readonly operator?: true
}

async function create(
  terminal: Terminal,
  { skill, private: hidden, admin, operator, ...fields }: CreateOptions,
): Promise<void> {
  const isAdmin = (admin ?? operator) === true
  await withDatabase(terminal, async ({ database, config, now }) => {
    const profile = { ...fields, skills: skill ?? [], isPublic: hidden !== true }
    const { made, isFirst } = await database.write(async (tx) => {
      const first = !(await hasMembers(tx))
      const member = await createMember(tx, profile, now)
      if (isAdmin) await changeRole(tx, member.memberId, 'admin')
      return { made: member, isFirst: first }
    })
    say(terminal, `Made ${made.name}: ${config.publicUrl ?? ''}/api/human/${made.username}`)
    if (isFirst) sayFirst(terminal, made, isAdmin)
    say(terminal, 'Next, to let them sign in, and to give a program of theirs a token:')
    say(terminal, `  npm run -s weft -- member reset-link ${made.username}`)
    say(terminal, `  npm run -s weft -- token create --member ${made.username} --name laptop`)
  })
}

/** The first member ends the link that the server printed, by which an admin would have joined. */
function sayFirst(terminal: Terminal, { name, username }: Member, isAdmin: boolean): void {
  say(
    terminal,
    `${name} is the first member: a join link that \`weft serve\` printed no longer works.`,
  )
  if (isAdmin) return
  say(terminal, 'No member is an admin yet. To make them one (or use --admin next time):')
  say(terminal, `  npm run -s weft -- member promote ${username}`)
}

const PAGE = 500

async function list(terminal: Terminal, asJson: boolean): Promise<void> {
  await withDatabase(terminal, async ({ database }) => {
    const admins = await listAdmins(database)
    const roleOf = ({ memberId }: Member) => (admins.has(memberId) ? 'admin' : 'member')
    let page: Member[] = []
    let first = true
    do {
      const after = page.at(-1)?.username
      page = await listMembers(database, { limit: PAGE, ...(after !== undefined && { after }) })
      if (asJson) for (const one of page) print(terminal, JSON.stringify(entryOf(one, roleOf(one))))
      else if (first || page.length > 0)
        print(
          terminal,
          table(
            first ? HEADINGS : HEADINGS.map(() => ''),
            page.map((one) => rowOf(one, roleOf(one))),
          ),
        )
      first = false
    } while (page.length === PAGE)
  })
}

const HEADINGS = ['USERNAME', 'NAME', 'E-MAIL', 'JOINED', 'STATE', 'ROLE']

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
  return [
    member.username,
    member.name,
    member.email ?? '',
    rfc3339(member.joinedAt).slice(0, 10),
    state,
    role,
  ]
}

async function disable(terminal: Terminal, username: string): Promise<void> {
  await withDatabase(terminal, async ({ database, now }) => {
    const { memberId } = await requireMemberByUsername(database, username)
    await database.write((tx) => disableMember(tx, memberId, now))
    say(terminal, `${username} is disabled. weft member enable ${username} takes it back.`)
  })
}

async function enable(terminal: Terminal, username: string): Promise<void> {
  await withDatabase(terminal, async ({ database }) => {
    const { memberId } = await requireMemberByUsername(database, username)
    await database.write((tx) => enableMember(tx, memberId))
    say(terminal, `${username} is enabled.`)
  })
}

async function promote(terminal: Terminal, username: string): Promise<void> {
  if (usernameKey(username) === DEMO_MEMBER.username)
    throw new RequestError(
      'conflict',
      'Nobody signs in as the demo account: it cannot run the service.',
    )
  await withDatabase(terminal, async ({ database, config }) => {
    const { memberId } = await requireMemberByUsername(database, username)
    await database.write((tx) => changeRole(tx, memberId, 'admin'))
    say(terminal, `${username} is an admin: ${config.publicUrl ?? ''}/admin`)
  })
}

async function demote(terminal: Terminal, username: string): Promise<void> {
  await withDatabase(terminal, async ({ database }) => {
    const { memberId } = await requireMemberByUsername(database, username)
    await database.write((tx) => changeRole(tx, memberId, 'member'))
    say(terminal, `${username} is an admin no more.`)
  })
}

async function remove(terminal: Terminal, username: string, really: boolean): Promise<void> {
  await withDatabase(terminal, async ({ database, now }) => {
    const member = await requireMemberByUsername(database, username)
    if (!really)
      throw new RequestError(
        'conflict',
        `This deletes ${member.name} with all connections, notes, tokens and jobs, for good.${await lastWord(database, member)}`,
        {
          hint: `If that is meant: weft member delete ${username} --yes`,
        },
      )
    const isDemo = member.username === DEMO_MEMBER.username
    await database.write(
      async (tx) => {
        await deleteMember(tx, member.memberId)
        if (isDemo) await keepDemoDeleted(tx, now)
      },
      { bulk: true },
    )
    await database.erase()
    say(
      terminal,
      isDemo
        ? 'The demo account is deleted. `weft demo seed` creates it again.'
        : `${username} is deleted.`,
    )
  })
}

/** The command line can always make another admin: so it says so, and does what it is told. */
async function lastWord(database: Database, { memberId }: Member): Promise<string> {
  return (await isLastAdmin(database, memberId))
    ? ' There is no admin then: weft member promote makes another.'
    : ''
}
