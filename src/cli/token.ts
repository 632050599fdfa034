/** weft token: create, list and revoke a member's API tokens. */

import { InvalidArgumentError, type Command } from 'commander'
import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { listApiTokens, mintApiToken, revokeApiToken, type ApiToken } from '../access/api-token.ts'
import { createCloudAgent, findCloudAgent } from '../access/cloud-agent.ts'
import { recordAdminAction } from '../members/admin-log.ts'
import { COMMAND_LINE, recordSecurityEvent } from '../tools/security-events.ts'
import { printList } from './terminal/table.ts'
import { print, say, type Terminal } from './terminal/terminal.ts'
import { withMember } from './with-database.ts'
import type { MemberTransaction } from '../db/database.ts'

export function addTokenCommands(program: Command, terminal: Terminal): void {
  const token = program.command('token').description("Create and manage members' API tokens")
  token
    .command('create')
    .description('Create a token and print only the token to standard output, once')
    .requiredOption('--member <username>')
    .requiredOption('--name <name>', 'label of the token')
    .option('--agent <name>', "the cloud agent that uses it (default: the member's own client)")
    .option('--days <days>', 'lifetime in days (default: no expiry)', wholeDays)
    .action((options: CreateOptions) => create(terminal, options))
  token
    .command('list')
    .description('List the tokens of a member')
    .requiredOption('--member <username>')
    .option('--json', 'as JSON lines')
    .action((options: { member: string; json?: true }) =>
      list(terminal, options.member, options.json === true),
    )
  token
    .command('revoke')
    .description('Revoke a token by its name or ID; it stops working at once')
    .argument('<name>')
    .requiredOption('--member <username>')
    .action((name: string, options: { member: string }) => revoke(terminal, name, options.member))
}

interface CreateOptions {
  readonly member: string
  readonly name: string
  readonly agent?: string
  readonly days?: number
}

async function create(
  terminal: Terminal,
  { member, name, agent, days }: CreateOptions,
): Promise<void> {
  await withMember(terminal, member, async ({ db, member: { username }, config, now }) => {
    const token = { name, lifetimeDays: days ?? null }
    const { secret } = await db.write(async (tx) => {
      await recordTokenEvent(tx, username, { action: 'create_token', name, now })
      if (agent === undefined) return mintApiToken(tx, { ...token, holder: 'ai_client' }, now)
      const { agentId } =
        (await findCloudAgent(tx, agent)) ?? (await createCloudAgent(tx, agent, now))
      return mintApiToken(tx, { ...token, holder: 'cloud_agent', agentId }, now)
    })
    print(terminal, secret)
    // Only for people; a program reads only the token from standard output.
    if (terminal.stderr.isTTY === true)
      say(
        terminal,
        `Copy the token now; you won't see it again. Connect to ${config.publicUrl ?? ''}/mcp with the header Authorization: Bearer <token>.`,
      )
  })
}

async function recordTokenEvent(
  tx: MemberTransaction,
  member: string,
  { action, name, now }: { action: keyof typeof EVENTS; name: string; now: number },
): Promise<void> {
  await recordAdminAction(tx.shared, { at: now, action, member, reason: name })
  const event = EVENTS[action]
  await recordSecurityEvent(tx, { event, actor: COMMAND_LINE, details: { name } }, now)
}

const EVENTS = { create_token: 'token_created', revoke_token: 'token_revoked' } as const

async function list(terminal: Terminal, username: string, asJson: boolean): Promise<void> {
  await withMember(terminal, username, async ({ db }) => {
    printList(terminal, (await listApiTokens(db)).map(entryOf), {
      json: asJson,
      none: `${username} has no tokens. Create one with \`weft token create\`.`,
      headings: ['NAME', 'ID', 'PREFIX', 'HOLDER', 'CREATED', 'LAST USED', 'EXPIRES'],
      rowOf: (one) => [
        one.name,
        one.id,
        `${one.prefix}…`,
        one.agent ?? 'own client',
        one.created_at.slice(0, 10),
        one.last_used_at?.slice(0, 10) ?? 'never',
        one.expires_at?.slice(0, 10) ?? 'never',
      ],
    })
  })
}

function entryOf({ tokenId, name, hint, agent, createdAt, lastUsedAt, expiresAt }: ApiToken) {
  return {
    id: tokenId,
    name,
    prefix: hint,
    agent,
    created_at: rfc3339(createdAt),
    last_used_at: rfc3339(lastUsedAt),
    expires_at: rfc3339(expiresAt),
  }
}

async function revoke(terminal: Terminal, name: string, username: string): Promise<void> {
  await withMember(terminal, username, async ({ db, member, now }) => {
    const revoked = await db.write(async (tx) => {
      const isRevoked = await revokeApiToken(tx, name, now)
      if (isRevoked)
        await recordTokenEvent(tx, member.username, { action: 'revoke_token', name, now })
      return isRevoked
    })
    if (!revoked)
      throw new RequestError('not_found', `${username} has no active token named “${name}”.`, {
        hint: `List tokens with \`weft token list --member ${username}\`.`,
      })
    say(terminal, `Revoked ${name}.`)
  })
}

function wholeDays(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('Use a whole number of days.')
  return Number(text)
}
