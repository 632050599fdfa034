/** Members: their accounts, roles and passwords. */

import { endAllSessions } from '../access/browser-session.ts'
import { lockMember } from '../access/lock-member.ts'
import { revokeLinksOfMember } from '../access/one-time-link.ts'
import { createPasswordHasher } from '../access/passwords/password-hash.ts'
import { assertStrongPassword } from '../access/passwords/password-policy.ts'
import { hashPassword, setPassword } from '../access/passwords/password.ts'
import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { requirePublicUrl } from '../config/config.ts'
import { DEMO_MEMBER } from '../connections/demo/member.ts'
import { creditBalance } from '../credits/account.ts'
import { memberStatement } from '../db/statement.ts'
import { phrase, t } from '../languages/message.ts'
import {
  createMember,
  deleteMember,
  disableMember,
  enableMember,
  memberPages,
  requireMemberByUsername,
} from '../members/member.ts'
import { changeRole, isLastAdmin, listAdmins } from '../members/role.ts'
import { createResetLink, RESET_LINK_LIFETIME_MS } from '../sign-in/session/admin-links.ts'
import { hasMembers } from '../sign-in/session/admission.ts'
import { ACCESS_KINDS, endAccess } from '../sign-in/session/end-access.ts'
import { resetAddress } from '../sign-in/session/link-address.ts'
import { recordSecurityEvent } from '../tools/security-events.ts'
import { changeAct, listAct, showAct, type ActSettings } from './act.ts'
import { EXPORT } from './export-member.ts'
import { flag, option, requiredOption, secret, listOption } from './field.ts'
import { recordDemoDeletion } from './seed-demo.ts'
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

export const RESET_LINK = changeAct({
  name: 'member reset-link',
  summary: 'Create a single-use password reset link and print only the link to standard output',
  action: 'reset_link',
  label: phrase('Created a password reset link'),
  event: 'reset_link',
  member: 'argument',
  async prepare({ settings }) {
    assertPasswordsEnabled(settings)
    requirePublicUrl(settings)
  },
  change: ({ tx, member, now }) => createResetLink(tx, member.memberId, now),
  done: (made, { settings, now }) => ({
    result: resetAddress(requirePublicUrl(settings), made.secret),
    note: `Copy the link now; you won't see it again. It can be used once, until ${rfc3339(now + RESET_LINK_LIFETIME_MS)}.`,
  }),
})

const SET_PASSWORD = changeAct({
  name: 'member set-password',
  summary: 'Set a password, from a prompt or from standard input',
  action: 'set_password',
  label: phrase('Set a password'),
  event: 'password_changed',
  member: 'argument',
  fields: {
    revokeAccess: flag('also disconnect agents, revoke API tokens and remove passkeys'),
    password: secret('New password'),
  },
  async prepare({ settings, member: { email, username, name } }, { password }) {
    assertPasswordsEnabled(settings)
    assertStrongPassword(password, [email, username, name, settings.publicUrl])
    return hashPassword(createPasswordHasher(), password)
  },
  async change({ tx, mine, member, now }, { revokeAccess }, hash) {
    await lockMember(mine)
    await revokeLinksOfMember(tx, member.memberId)
    await setPassword(mine, hash, now)
    await endAllSessions(mine)
    if (revokeAccess) await endAccess(tx, member.memberId, ACCESS_KINDS, now)
    return member
  },
  done: ({ username }, _, { revokeAccess }) =>
    [
      `Changed the password of ${username} and ended all their sessions.`,
      revokeAccess
        ? 'Disconnected their agents, revoked their API tokens and removed their passkeys.'
        : 'Agents, API tokens and passkeys keep working. To end them too, add --revoke-access.',
    ].join('\n'),
})

const SIGN_OUT = changeAct({
  name: 'member sign-out',
  summary: 'End all browser sessions of a member; tokens keep working',
  action: 'sign_out',
  label: phrase('Ended all sessions'),
  member: 'argument',
  async change({ mine, operator: { actor }, now }) {
    await lockMember(mine)
    const sessions = await endAllSessions(mine)
    const event = { event: 'session_ended', actor, details: { sessions } } as const
    if (sessions > 0) await recordSecurityEvent(mine, event, now)
    return { sessions }
  },
  done: ({ sessions }, { member: { username } }) =>
    sessions === 0
      ? `${username} was not signed in to any browser.`
      : `Signed ${username} out of ${sessions === 1 ? '1 browser' : `${sessions} browsers`}.`,
})

/** @throws {RequestError} `conflict` when an identity provider authenticates members. */
export function assertPasswordsEnabled({ oidc }: Pick<ActSettings, 'oidc'>): void {
  if (oidc)
    throw new RequestError(
      'conflict',
      t('Members sign in at {issuer} and have no passwords. Manage access there.', {
        issuer: oidc.issuer,
      }),
    )
}

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
