/** weft reviewer: an account with invented people, for the reviewers of a directory of MCP servers. */

import { createPasswordHasher } from '../access/passwords/password-hash.ts'
import { hashPassword, setPassword } from '../access/passwords/password.ts'
import { newSecret } from '../base/secrets.ts'
import { requirePublicUrl } from '../config/config.ts'
import { storeUnlessDuplicate } from '../connections/editing/add-connection.ts'
import { recordAdminAction } from '../members/admin-log.ts'
import { createMember } from '../members/member.ts'
import { seedNetwork } from '../service/demo-network.ts'
import { assertPasswordsEnabled } from './member-access.ts'
import { commandLine, print, say, type Terminal } from './terminal/terminal.ts'
import { withNewDatabase } from './with-database.ts'
import type { Command } from 'commander'

const DEFAULT_USERNAME = 'reviewer'

export function addReviewerCommand(program: Command, terminal: Terminal): void {
  program
    .command('reviewer')
    .description('Prepare an account with 200 invented people for the reviewers of a directory')
    .option('--username <username>', 'of the account', DEFAULT_USERNAME)
    .action(({ username }: { username: string }) => prepare(terminal, username))
}

async function prepare(terminal: Terminal, username: string): Promise<void> {
  await withNewDatabase(terminal, async ({ database, config, now }) => {
    assertPasswordsEnabled(config)
    const publicUrl = requirePublicUrl(config)
    const password = newSecret('').slice(0, PASSWORD_LENGTH)
    const hash = await hashPassword(createPasswordHasher(), password)
    await database.write(async (tx) => {
      const { memberId } = await createMember(tx, { ...REVIEWER, username }, now)
      await seedNetwork(tx.member(memberId), now)
      await storeUnlessDuplicate({ tx: tx.member(memberId), now }, SAME_PERSON)
      await setPassword(tx.member(memberId), hash, now)
      await recordAdminAction(tx, {
        at: now,
        action: 'create',
        member: username,
        reason: 'reviewer',
      })
    })
    print(terminal, sheetOf(publicUrl, username, password))
    say(terminal, "Copy the password now; you won't see it again. After the review:")
    say(terminal, `  ${commandLine(terminal, `member disable ${username}`)}`)
  })
}

/** Someone of the 200 people again, for the prompt about duplicates. */
const SAME_PERSON = {
  name: 'J. Vogelsang',
  company: 'Kesselhain Ventures',
  location: 'Berlin, Germany',
  allow_duplicate: true,
}

const REVIEWER = { name: 'Reviewer', isPublic: false }

/** About 140 bits. */
const PASSWORD_LENGTH = 24

/** What a submission form asks for. */
function sheetOf(publicUrl: string, username: string, password: string): string {
  return [
    `Server URL: ${publicUrl}/mcp (streamable HTTP, OAuth)`,
    `Sign in:    ${publicUrl}/sign-in`,
    `Username:   ${username}`,
    `Password:   ${password}`,
    '',
    'The account has 200 invented people with notes and tags, one of them twice. Example prompts:',
    ...EXAMPLE_PROMPTS.map((prompt) => `- ${prompt}`),
  ].join('\n')
}

/** Each uses other tools. `docs/directories.md` lists them as well. */
const EXAMPLE_PROMPTS = [
  'Which climate investors do I know in Berlin?',
  'Prepare me for a meeting with Jonas Vogelsang.',
  'Remind me in two weeks to write to Lucía Etxeberria about the pilot.',
  'Who is in my network twice? Show me the evidence before you merge anyone.',
  'Undo your last change.',
]
