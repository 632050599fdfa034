/** How members sign in: reset links, passwords and sessions. */

import { endAllSessions } from '../access/browser-session.ts'
import { lockMember } from '../access/lock-member.ts'
import { createLink, revokeLinksOfMember, RESET_LINK_LIFETIME_MS } from '../access/one-time-link.ts'
import { createPasswordHasher } from '../access/passwords/password-hash.ts'
import { assertStrongPassword } from '../access/passwords/password-policy.ts'
import { hashPassword, setPassword } from '../access/passwords/password.ts'
import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { requirePublicUrl } from '../config/config.ts'
import { phrase, t } from '../languages/message.ts'
import { ACCESS_KINDS, endAccess } from '../sign-in/session/end-access.ts'
import { resetAddress } from '../sign-in/session/one-time-link-url.ts'
import { recordSecurityEvent } from '../tools/security-events.ts'
import { changeAct, type ActSettings } from './act.ts'
import { flag, secret } from './act-arguments.ts'

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
  change: ({ tx, member: { memberId }, now }) =>
    createLink(tx, { purpose: 'reset', memberId, lifetime: RESET_LINK_LIFETIME_MS }, now),
  done: (made, { settings, now }) => ({
    result: resetAddress(requirePublicUrl(settings), made.secret),
    note: `Copy the link now; you won't see it again. It can be used once, until ${rfc3339(now + RESET_LINK_LIFETIME_MS)}.`,
  }),
})

export const SET_PASSWORD = changeAct({
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

export const SIGN_OUT = changeAct({
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
