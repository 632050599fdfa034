/** weft invite: manage invitation links. */

import { InvalidArgumentError, type Command } from 'commander'
import { listLinks, revokeLink, type OneTimeLink } from '../access/one-time-link.ts'
import { DAY, rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { joinAddress } from '../sign-in/session/link-address.ts'
import {
  checkInvitation,
  createInvitation,
  queueInvitation,
  isNumberOfDays,
  MAX_DAYS,
  DEFAULT_DAYS,
} from '../sign-in/session/admin-links.ts'
import { recordAdminAction } from '../members/admin-log.ts'
import { requirePublicUrl, requireSmtp } from '../config/config.ts'
import { printList } from './terminal/table.ts'
import { print, say, type Terminal } from './terminal/terminal.ts'
import { withDatabase } from './with-database.ts'

export function addInviteCommands(program: Command, terminal: Terminal): void {
  const invite = program.command('invite').description('Invite people to join')
  invite
    .command('create')
    .description(
      'Create a single-use invitation link and print only the link to standard output, or send it',
    )
    .option('--email <address>', 'send the link to this address instead')
    .option('--note <text>', 'a reminder of who the link is for')
    .option('--days <days>', 'number of days that the link is valid', wholeDays, DEFAULT_DAYS)
    .action((options: CreateOptions) => create(terminal, options))
  invite
    .command('list')
    .description('List unused invitations that have not expired')
    .option('--json', 'as JSON lines')
    .action((options: { json?: true }) => list(terminal, options.json === true))
  invite
    .command('revoke')
    .description('Revoke an invitation by its ID')
    .argument('<id>')
    .action((id: string) => revoke(terminal, id))
}

interface CreateOptions {
  readonly note?: string
  readonly days: number
  readonly email?: string
}

async function create(terminal: Terminal, { note, days, email }: CreateOptions): Promise<void> {
  await withDatabase(terminal, async ({ database, config, now }) => {
    const publicUrl = requirePublicUrl(config)
    checkInvitation({ note, days, email }, config.signUp)
    if (email !== undefined) {
      requireSmtp(config)
      await database.write(async (tx) => {
        await queueInvitation(tx, { note, days, email }, now)
        await recordAdminAction(tx, { at: now, action: 'invite', reason: note ?? null })
      })
      return say(terminal, `Queued the invitation. A running \`weft serve\` sends it to ${email}.`)
    }
    const { secret } = await database.write(async (tx) => {
      await recordAdminAction(tx, { at: now, action: 'invite', reason: note ?? null })
      return createInvitation(tx, { note, days }, now)
    })
    print(terminal, joinAddress(publicUrl, secret))
    // Only for people; a program reads only the link from standard output.
    if (terminal.stderr.isTTY === true)
      say(
        terminal,
        `Copy the link now; you won't see it again. One person can join with it until ${rfc3339(now + days * DAY)}.`,
      )
  })
}

async function list(terminal: Terminal, asJson: boolean): Promise<void> {
  await withDatabase(terminal, async ({ database, now }) => {
    const links = await listLinks(database, 'invite', now)
    printList(terminal, links.map(entryOf), {
      json: asJson,
      none: 'No open invitations. Create one with `weft invite create`.',
      headings: ['ID', 'NOTE', 'CREATED', 'EXPIRES'],
      rowOf: (one) => [
        one.id,
        one.note ?? '',
        one.created_at.slice(0, 10),
        one.expires_at.slice(0, 10),
      ],
    })
  })
}

function entryOf({ linkId, note, createdAt, expiresAt }: OneTimeLink) {
  return { id: linkId, note, created_at: rfc3339(createdAt), expires_at: rfc3339(expiresAt) }
}

async function revoke(terminal: Terminal, id: string): Promise<void> {
  await withDatabase(terminal, async ({ database, now }) => {
    const isRevoked = await database.write(async (tx) => {
      if (!(await revokeLink(tx, 'invite', id))) return false
      await recordAdminAction(tx, { at: now, action: 'revoke_invite', reason: id })
      return true
    })
    if (!isRevoked)
      throw new RequestError('not_found', `Invitation ${id} was not found.`, {
        hint: 'List invitations with `weft invite list`.',
      })
    say(terminal, `Revoked ${id}.`)
  })
}

function wholeDays(text: string): number {
  const days = Number(text)
  if (!/^\d{1,3}$/.test(text) || !isNumberOfDays(days))
    throw new InvalidArgumentError(`Use a whole number of days from 1 to ${MAX_DAYS}.`)
  return days
}
