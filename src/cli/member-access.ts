/** weft member reset-link, set-password and sign-out. */

import { text } from 'node:stream/consumers'
import { endAllSessions } from '../access/browser-session.ts'
import { lockMember } from '../access/lock-member.ts'
import { revokeLinksOfMember } from '../access/one-time-link.ts'
import { createPasswordHasher } from '../access/passwords/password-hash.ts'
import { assertStrongPassword } from '../access/passwords/password-policy.ts'
import { hashPassword, setPassword } from '../access/passwords/password.ts'
import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { recordAdminAction } from '../members/admin-log.ts'
import { requirePublicUrl, type Config } from '../config/config.ts'
import { resetAddress } from '../sign-in/session/link-address.ts'
import { ACCESS_KINDS, endAccess } from '../sign-in/session/end-access.ts'
import { createResetLink, RESET_LINK_LIFETIME_MS } from '../sign-in/session/admin-links.ts'
import { COMMAND_LINE, recordSecurityEvent } from '../tools/security-events.ts'
import { plural, print, say, StoppedBySignal, type Terminal } from './terminal/terminal.ts'
import { withMember } from './with-database.ts'
import type { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'

export function addMemberAccessCommands(member: Command, terminal: Terminal): void {
  member
    .command('reset-link')
    .description(
      'Create a single-use password reset link and print only the link to standard output',
    )
    .argument('<username>')
    .action((username: string) => printResetLink(terminal, username))
  member
    .command('set-password')
    .description('Set a password, from a prompt or from standard input')
    .argument('<username>')
    .option('--revoke-access', 'also disconnect agents, revoke API tokens and remove passkeys')
    .action((username: string, options: PasswordOptions) =>
      changePassword(terminal, username, options),
    )
  member
    .command('sign-out')
    .description('End all browser sessions of a member; tokens keep working')
    .argument('<username>')
    .action((username: string) => signOut(terminal, username))
}

async function printResetLink(terminal: Terminal, username: string): Promise<void> {
  await withMember(terminal, username, async ({ database, member, config, now }) => {
    assertPasswordsEnabled(config)
    const publicUrl = requirePublicUrl(config)
    const { secret } = await database.write(async (tx) => {
      await recordAdminAction(tx, { at: now, action: 'reset_link', member: member.username })
      return createResetLink(tx, member.memberId, now)
    })
    print(terminal, resetAddress(publicUrl, secret))
    // Only for people; a program reads only the link from standard output.
    if (terminal.stderr.isTTY === true)
      say(
        terminal,
        `Copy the link now; you won't see it again. It can be used once, until ${rfc3339(now + RESET_LINK_LIFETIME_MS)}.`,
      )
  })
}

interface PasswordOptions {
  readonly revokeAccess?: boolean
}

async function changePassword(
  terminal: Terminal,
  username: string,
  { revokeAccess = false }: PasswordOptions,
): Promise<void> {
  await withMember(terminal, username, async ({ database, member, config, now }) => {
    assertPasswordsEnabled(config)
    const { memberId, email } = member
    const password = await readPassword(terminal, username)
    assertStrongPassword(password, [email, member.username, member.name, config.publicUrl])
    const hash = await hashPassword(createPasswordHasher(), password)
    await database.write(async (tx) => {
      await lockMember(tx, memberId)
      await revokeLinksOfMember(tx, memberId)
      await setPassword(tx.member(memberId), hash, now)
      await endAllSessions(tx.member(memberId))
      const event = { event: 'password_changed', actor: COMMAND_LINE } as const
      await recordSecurityEvent(tx.member(memberId), event, now)
      await recordAdminAction(tx, { at: now, action: 'set_password', member: member.username })
      if (revokeAccess) await endAccess(tx, memberId, ACCESS_KINDS, now)
    })
    say(terminal, `Changed the password of ${username} and ended all their sessions.`)
    say(
      terminal,
      revokeAccess
        ? 'Disconnected their agents, revoked their API tokens and removed their passkeys.'
        : 'Agents, API tokens and passkeys keep working. To end them too, add --revoke-access.',
    )
  })
}

async function signOut(terminal: Terminal, username: string): Promise<void> {
  await withMember(terminal, username, async ({ db, member, now }) => {
    const ended = await db.write(async (tx) => {
      await lockMember(tx.shared, member.memberId)
      await recordAdminAction(tx.shared, { at: now, action: 'sign_out', member: member.username })
      const sessions = await endAllSessions(tx)
      const event = { event: 'session_ended', actor: COMMAND_LINE, details: { sessions } } as const
      if (sessions > 0) await recordSecurityEvent(tx, event, now)
      return sessions
    })
    say(
      terminal,
      ended === 0
        ? `${username} was not signed in to any browser.`
        : `Signed ${username} out of ${plural(ended, 'browser')}.`,
    )
  })
}

/** @throws {RequestError} `conflict` when an identity provider authenticates members. */
export function assertPasswordsEnabled({ oidc }: Config): void {
  if (oidc)
    throw new RequestError(
      'conflict',
      `Members sign in at ${oidc.issuer} and have no passwords. Manage access there.`,
    )
}

/** Prompts without echo on a terminal; otherwise reads the first line of standard input. */
async function readPassword({ stdin, stderr }: Terminal, username: string): Promise<string> {
  if (stdin.isTTY !== true) return (await text(stdin)).split(/\r?\n/, 1)[0] ?? ''
  const { isCancel, password } = await import('@clack/prompts')
  // The terminal streams of a process are both.
  const streams = { input: stdin as Readable, output: stderr as Writable }
  const ended = new AbortController()
  // The prompt would wait forever after Ctrl-D.
  const stopAtEnd = (_typed: unknown, key?: { ctrl?: boolean; name?: string }) => {
    if (key?.ctrl === true && key.name === 'd') ended.abort()
  }
  streams.input.on('keypress', stopAtEnd)
  const typed = await password({
    message: `New password for ${username}`,
    signal: ended.signal,
    ...streams,
  })
  streams.input.off('keypress', stopAtEnd)
  if (isCancel(typed)) throw new StoppedBySignal('SIGINT', 'The password was not changed.')
  return typed
}
