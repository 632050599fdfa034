/** Members: their accounts and roles. */

import { lockMember } from '../access/lock-member.ts'
import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { DEMO_MEMBER } from '../connections/demo/demo-member.ts'
import { creditBalance } from '../credits/account.ts'
import { memberStatement } from '../db/statement.ts'
import { phrase } from '../languages/message.ts'
import {
  createMember,
  deleteMember,
  disableMember,
  enableMember,
  memberPages,
  requireMemberByUsername,
} from '../members/member.ts'
import { changeRole, isLastAdmin, listAdmins } from '../members/admin-role.ts'
import { hasMembers } from '../sign-in/session/admission.ts'
import { changeAct, listAct, showAct } from './act.ts'
import { EXPORT } from './export-member.ts'
import { flag, option, requiredOption, listOption } from './act-arguments.ts'
import { recordDemoDeletion } from './seed-demo.ts'
import { RESET_LINK, SET_PASSWORD, SIGN_OUT } from './sign-in-acts.ts'
import type { Member } from '../members/member-row.ts'

const CREATE = changeAct({
  name: 'member create',
  summary: 'Create a member',
  action: 'create',
  label: phrase('Created the account'),
  databaseMay: 'be created',
  fields: {
    username: requiredOption('username', '2–39 lowercase letters, digits and single hyphens'),
    name: requiredOption('name', 'the display name'),
    email: option('address', 'private; used to sign in'),
    headline: option('text'),
    about: option('text'),
    location: option('location'),
    organization: option('name'),
    title: option('title'),
    skill: listOption('skill', 'one or more'),
    private: flag('leave the member out of the directory'),
    admin: flag('make the member an admin with access to /admin'),
  },
  async change({ tx, now }, { username, name, skill = [], private: hidden, admin, ...texts }) {
    const isFirst = !(await hasMembers(tx))
    const { email = null, headline = null, about = null } = texts
    const { location = null, organization = null, title = null } = texts
    const profile = { email, headline, about, location, organization, title, skills: skill }
    const isPublic = hidden !== true
    const member = await createMember(tx, { username, name, ...profile, isPublic }, now)
    if (admin) await changeRole(tx, member.memberId, 'admin')
    return { member, isFirst }
  },
  about: (_, { member }) => ({ member: member.username }),
  done({ member: { name, username }, isFirst }, { settings, command }, { admin }) {
    // The first member invalidates the join link that the server printed for the first admin.
    const first = `${name} is the first member. The join link that \`weft serve\` printed is no longer valid.`
    const promote = `No member is an admin yet. To make this member an admin (or use --admin next time):\n  ${command(`member promote ${username}`)}`
    return [
      `Created ${name}: ${settings.publicUrl ?? ''}/api/human/${username}`,
      ...(isFirst ? [first] : []),
      ...(isFirst && !admin ? [promote] : []),
      'Next, create a link for them to sign in with, or a token for a script:',
      `  ${command(`member reset-link ${username}`)}`,
      `  ${command(`token create --member ${username} --name laptop`)}`,
    ].join('\n')
  },
})

const LIST = listAct({
  name: 'member list',
  summary: 'List all members',
  async list({ database }) {
    const admins = await listAdmins(database)
    const members: MemberEntry[] = []
    for await (const page of memberPages(database))
      members.push(...page.map((one) => entryOf(one, admins)))
    return members
  },
  none: () => 'No members. Create one with `weft member create`.',
})

type MemberEntry = ReturnType<typeof entryOf>

function entryOf(member: Member, admins: ReadonlySet<number>) {
  const { memberId, username, name, email, isPublic, joinedAt, disabledAt } = member
  return {
    username,
    name,
    email,
    is_public: isPublic,
    joined_at: rfc3339(joinedAt),
    disabled_at: rfc3339(disabledAt),
    role: admins.has(memberId) ? 'admin' : 'member',
  }
}

const SHOW = showAct({
  name: 'member show',
  summary: 'Show a member: profile, state, role, credits and number of connections',
  member: 'argument',
  async show({ database, db, member: { username }, settings, now }) {
    const member = await requireMemberByUsername(database, username)
    const { quota, remaining, resetsAt } = await creditBalance(db, settings.quota, now)
    return {
      ...entryOf(member, await listAdmins(database)),
      headline: member.headline,
      connections: (await db.get(COUNT_CONNECTIONS, {}))?.count ?? 0,
      credits: { quota, remaining, resets_at: rfc3339(resetsAt) },
    }
  },
  text: ({ credits, ...shown }) => ({
    Username: shown.username,
    Name: shown.name,
    Email: shown.email ?? '',
    Headline: shown.headline ?? '',
    Profile: shown.is_public ? 'public' : 'private',
    Role: shown.role,
    Joined: shown.joined_at.slice(0, 10),
    Disabled: shown.disabled_at?.slice(0, 10) ?? '',
    Connections: String(shown.connections),
    Credits: `${credits.remaining} of ${credits.quota}`,
  }),
})

const COUNT_CONNECTIONS = memberStatement<object, { count: number }>()(
  'select count(*) as count from connections where member_id = :member_id and deleted_at is null',
)

export const DISABLE = changeAct({
  name: 'member disable',
  summary: 'Disable a member: blocks sign-in and tokens and hides the profile; keeps all data',
  action: 'disable',
  label: phrase('Disabled the account'),
  event: 'disable',
  member: 'argument',
  async change({ tx, member, now }) {
    await disableMember(tx, member.memberId, now)
    return member
  },
  done: ({ username }) => `Disabled ${username}. To undo: weft member enable ${username}`,
})

export const ENABLE = changeAct({
  name: 'member enable',
  summary: 'Enable a disabled member',
  action: 'enable',
  label: phrase('Enabled the account'),
  event: 'enable',
  member: 'argument',
  async change({ tx, member }) {
    await enableMember(tx, member.memberId)
    return member
  },
  done: ({ username }) => `Enabled ${username}.`,
})

export const PROMOTE = changeAct({
  name: 'member promote',
  summary: 'Make a member an admin, who manages members at /admin',
  action: 'promote',
  label: phrase('Gave the admin role'),
  event: 'promote',
  member: 'argument',
  async change({ tx, member }) {
    if (member.username === DEMO_MEMBER.username)
      throw new RequestError(
        'conflict',
        'The demo account cannot sign in, so it cannot be an admin. Promote another member.',
      )
    await changeRole(tx, member.memberId, 'admin')
    return member
  },
  done: ({ username }, { settings }) =>
    `${username} is now an admin: ${settings.publicUrl ?? ''}/admin`,
})

export const DEMOTE = changeAct({
  name: 'member demote',
  summary: 'Remove the admin role from a member',
  action: 'demote',
  label: phrase('Removed the admin role'),
  event: 'demote',
  member: 'argument',
  async change({ tx, member }) {
    await changeRole(tx, member.memberId, 'member')
    return member
  },
  done: ({ username }) => `${username} is no longer an admin.`,
})

export const DELETE = changeAct({
  name: 'member delete',
  summary: 'Permanently delete a member and all of their data',
  action: 'delete',
  label: phrase('Deleted the account'),
  member: 'argument',
  bulk: true,
  fields: { yes: flag('confirm the deletion') },
  async prepare({ database, member: { memberId, username, name } }, { yes }) {
    if (yes) return
    // Allowed, because the command line can always promote another member.
    const warning = (await isLastAdmin(database, memberId))
      ? ' No admin will be left. Create one with `weft member promote`.'
      : ''
    throw new RequestError(
      'conflict',
      `This permanently deletes ${name} with all connections, notes, tokens and jobs.${warning}`,
      { hint: `To confirm: weft member delete ${username} --yes` },
    )
  },
  async change({ tx, mine, member: { memberId, username }, now }) {
    if (!(await lockMember(mine))) return undefined
    await deleteMember(tx, memberId)
    if (username === DEMO_MEMBER.username) await recordDemoDeletion(tx, now)
    return { isDeleted: true }
  },
  async done(_, { database, member: { username } }) {
    // The account is already deleted. If this fails, the daily sweep repeats it.
    await database.erase().catch(() => {})
    return username === DEMO_MEMBER.username
      ? 'Deleted the demo account. To create it again: weft demo seed'
      : `Deleted ${username}.`
  },
})

export const MEMBER_ACTS = [
  CREATE,
  LIST,
  SHOW,
  DISABLE,
  ENABLE,
  PROMOTE,
  DEMOTE,
  DELETE,
  EXPORT,
  RESET_LINK,
  SET_PASSWORD,
  SIGN_OUT,
]
