/** weft member: create and manage members. */

import type { Command } from 'commander'
import { RequestError } from '../base/request-error.ts'
import { DEMO_MEMBER } from '../connections/demo/member.ts'
import { createMember, deleteMember, disableMember, enableMember } from '../members/member.ts'
import { recordAdminAction, type LoggedAction } from '../members/admin-log.ts'
import { usernameKey } from '../members/usernames.ts'
import { changeRole, isLastAdmin } from '../members/role.ts'
import { hasMembers } from '../sign-in/session/admission.ts'
import { recordDemoDeletion } from '../service/seed-demo.ts'
import { addMemberAccessCommands } from './member-access.ts'
import { addMemberExportCommand } from './member-export.ts'
import { printMember, printMembers } from './print-members.ts'
import { commandLine, say, type Terminal } from './terminal/terminal.ts'
import { withMember, withNewDatabase } from './with-database.ts'
import type { Config } from '../config/config.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { Member } from '../members/member-row.ts'

export function addMemberCommands(program: Command, terminal: Terminal): void {
  const member = program.command('member').description('Create and manage members')
  addCreateCommand(member, terminal)
  member
    .command('list')
    .description('List all members')
    .option('--json', 'as JSON lines')
    .action((options: { json?: true }) => printMembers(terminal, options.json === true))
  member
    .command('show')
    .description('Show a member: profile, state, role, credits and number of connections')
    .argument('<username>')
    .option('--json', 'as JSON')
    .action((username: string, options: { json?: true }) =>
      printMember(terminal, username, options.json === true),
    )
  member
    .command('disable')
    .description(
      'Disable a member: blocks sign-in and tokens and hides the profile; keeps all data',
    )
    .argument('<username>')
    .action((username: string) => disable(terminal, username))
  member
    .command('enable')
    .description('Enable a disabled member')
    .argument('<username>')
    .action((username: string) => enable(terminal, username))
  member
    .command('promote')
    .description('Make a member an admin, who manages members at /admin')
    .argument('<username>')
    .action((username: string) => promote(terminal, username))
  member
    .command('demote')
    .description('Remove the admin role from a member')
    .argument('<username>')
    .action((username: string) => demote(terminal, username))
  member
    .command('delete')
    .description('Permanently delete a member and all of their data')
    .argument('<username>')
    .option('--yes', 'confirm the deletion')
    .action((username: string, options: { yes?: true }) =>
      remove(terminal, username, options.yes === true),
    )
  addMemberExportCommand(member, terminal)
  addMemberAccessCommands(member, terminal)
}

function addCreateCommand(member: Command, terminal: Terminal): void {
  member
    .command('create')
    .description('Create a member')
    .requiredOption('--username <username>', '2–39 lowercase letters, digits and single hyphens')
    .requiredOption('--name <name>', 'the display name')
    .option('--email <address>', 'private; used to sign in')
    .option('--headline <text>')
    .option('--about <text>')
    .option('--location <location>')
    .option('--organization <name>')
    .option('--title <title>')
    .option('--skill <skill...>', 'one or more')
    .option('--private', 'leave the member out of the directory')
    .option('--admin', 'make the member an admin with access to /admin')
    .action((options: CreateOptions) => create(terminal, options))
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
}

async function create(
  terminal: Terminal,
  { skill, private: hidden, admin, ...fields }: CreateOptions,
): Promise<void> {
  const isAdmin = admin === true
  await withNewDatabase(terminal, async ({ database, config, now }) => {
    const profile = { ...fields, skills: skill ?? [], isPublic: hidden !== true }
    const { created, isFirst } = await database.write(async (tx) => {
      const first = !(await hasMembers(tx))
      const member = await createMember(tx, profile, now)
      if (isAdmin) await changeRole(tx, member.memberId, 'admin')
      await recordAdminAction(tx, { at: now, action: 'create', member: member.username })
      return { created: member, isFirst: first }
    })
    say(
      terminal,
      `Created ${created.name}: ${config.publicUrl ?? ''}/api/human/${created.username}`,
    )
    if (isFirst) reportFirstMember(terminal, created, isAdmin)
    say(terminal, 'Next, create a link for them to sign in with, or a token for a script:')
    say(terminal, `  ${commandLine(terminal, `member reset-link ${created.username}`)}`)
    say(
      terminal,
      `  ${commandLine(terminal, `token create --member ${created.username} --name laptop`)}`,
    )
  })
}

/** Creating the first member invalidates the join link that the server printed for the first admin. */
function reportFirstMember(terminal: Terminal, { name, username }: Member, isAdmin: boolean): void {
  say(
    terminal,
    `${name} is the first member. The join link that \`weft serve\` printed is no longer valid.`,
  )
  if (isAdmin) return
  say(
    terminal,
    'No member is an admin yet. To make this member an admin (or use --admin next time):',
  )
  say(terminal, `  ${commandLine(terminal, `member promote ${username}`)}`)
}

async function disable(terminal: Terminal, username: string): Promise<void> {
  await act(terminal, username, 'disable', (tx, memberId, now) => disableMember(tx, memberId, now))
  say(terminal, `Disabled ${username}. To undo: weft member enable ${username}`)
}

async function enable(terminal: Terminal, username: string): Promise<void> {
  await act(terminal, username, 'enable', (tx, memberId) => enableMember(tx, memberId))
  say(terminal, `Enabled ${username}.`)
}

type Act = (tx: Transaction, memberId: number, now: number) => Promise<unknown>

/** Records the action in the audit log in its transaction. */
async function act(
  terminal: Terminal,
  username: string,
  action: LoggedAction,
  work: Act,
): Promise<Config> {
  return withMember(terminal, username, async ({ database, member, config, now }) => {
    await database.write(async (tx) => {
      await work(tx, member.memberId, now)
      await recordAdminAction(tx, { at: now, action, member: member.username })
    })
    return config
  })
}

async function promote(terminal: Terminal, username: string): Promise<void> {
  if (usernameKey(username) === DEMO_MEMBER.username)
    throw new RequestError(
      'conflict',
      'The demo account cannot sign in, so it cannot be an admin. Promote another member.',
    )
  const { publicUrl } = await act(terminal, username, 'promote', (tx, memberId) =>
    changeRole(tx, memberId, 'admin'),
  )
  say(terminal, `${username} is now an admin: ${publicUrl ?? ''}/admin`)
}

async function demote(terminal: Terminal, username: string): Promise<void> {
  await act(terminal, username, 'demote', (tx, memberId) => changeRole(tx, memberId, 'member'))
  say(terminal, `${username} is no longer an admin.`)
}

async function remove(terminal: Terminal, username: string, confirmed: boolean): Promise<void> {
  await withMember(terminal, username, async ({ database, member, now }) => {
    if (!confirmed)
      throw new RequestError(
        'conflict',
        `This permanently deletes ${member.name} with all connections, notes, tokens and jobs.${await lastAdminWarning(database, member)}`,
        {
          hint: `To confirm: weft member delete ${username} --yes`,
        },
      )
    const isDemo = member.username === DEMO_MEMBER.username
    await database.write(
      async (tx) => {
        await deleteMember(tx, member.memberId)
        await recordAdminAction(tx, { at: now, action: 'delete', member: member.username })
        if (isDemo) await recordDemoDeletion(tx, now)
      },
      { bulk: true },
    )
    await database.erase()
    say(
      terminal,
      isDemo
        ? 'Deleted the demo account. To create it again: weft demo seed'
        : `Deleted ${username}.`,
    )
  })
}

/** Deleting the last admin is allowed here, because the command line can always promote another member. */
async function lastAdminWarning(database: Database, { memberId }: Member): Promise<string> {
  return (await isLastAdmin(database, memberId))
    ? ' No admin will be left. Create one with `weft member promote`.'
    : ''
}
