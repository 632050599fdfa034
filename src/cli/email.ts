/** weft email: test the mail server, and list and retry emails. */

import { randomUUID } from 'node:crypto'
import { Option, type Command } from 'commander'
import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { testEmail } from '../email/compose.ts'
import { isEmailAddress } from '../members/member-fields.ts'
import { openMailServer, senderDomain } from '../email/smtp.ts'
import {
  EMAIL_STATES,
  listEmails,
  retryEmail,
  type EmailState,
  type QueuedEmail,
} from '../outbox/outbox.ts'
import { readConfig, requirePublicUrl, requireSmtp } from '../config/config.ts'
import { printList } from './terminal/table.ts'
import { say, type Terminal } from './terminal/terminal.ts'
import { wholeNumberUpTo } from './terminal/whole-number.ts'
import { withDatabase } from './with-database.ts'

interface ListOptions {
  readonly state?: EmailState
  readonly limit: number
  readonly json?: true
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 999_999

export function addEmailCommands(program: Command, terminal: Terminal): void {
  const email = program.command('email').description('Test the mail server, list and retry emails')
  email
    .command('test')
    .description('Send a test email now and report what the mail server says')
    .argument('<address>')
    .action((address: string) => sendTest(terminal, address))
  email
    .command('list')
    .description('List emails, newest first; never their text')
    .addOption(new Option('--state <state>', 'only emails in this state').choices(EMAIL_STATES))
    .option('--limit <number>', 'how many', wholeNumberUpTo(MAX_LIMIT), DEFAULT_LIMIT)
    .option('--json', 'as JSON lines')
    .action((options: ListOptions) => list(terminal, options))
  email
    .command('retry')
    .description('Queue a failed email again')
    .argument('<id>')
    .action((id: string) => retry(terminal, id))
}

async function sendTest(terminal: Terminal, to: string): Promise<void> {
  const config = readConfig(terminal.environment)
  const smtp = requireSmtp(config)
  if (!isEmailAddress(to))
    throw new RequestError('invalid_request', `“${to}” is not an email address.`)
  const messageId = `${randomUUID()}@${senderDomain(smtp)}`
  const text = testEmail({ publicUrl: requirePublicUrl(config) })
  try {
    const reply = await openMailServer(smtp).send({ messageId, to, date: new Date(), ...text })
    say(terminal, `${smtp.host} accepted the email for ${to}: ${reply}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RequestError('conflict', `The email was not accepted: ${reason}`, {
      hint: 'Check WEFT_SMTP_URL and WEFT_SMTP_FROM, and the log of the mail server.',
    })
  }
}

async function list(terminal: Terminal, { state, limit, json }: ListOptions): Promise<void> {
  await withDatabase(terminal, async ({ database }) => {
    const emails = await listEmails(database, { state: state ?? null, limit })
    const options = { json, none: 'No emails.', headings: HEADINGS, rowOf }
    printList(terminal, emails.map(entryOf), options)
  })
}

const HEADINGS = ['ID', 'KIND', 'STATE', 'CREATED', 'ATTEMPTS', 'NEXT', 'LAST ERROR']

/** Without the recipient and the details, as `weft jobs list` shows no content. */
function entryOf(email: QueuedEmail) {
  return {
    email_id: email.emailId,
    kind: email.kind,
    state: email.state,
    attempts: email.attempts,
    created_at: rfc3339(email.createdAt),
    next_attempt_at: email.state === 'queued' ? rfc3339(email.dueAt) : null,
    ended_at: rfc3339(email.endedAt),
    error: email.error,
  }
}

function rowOf(email: ReturnType<typeof entryOf>): string[] {
  const { email_id, kind, state, created_at, attempts, next_attempt_at, error } = email
  const next = next_attempt_at?.slice(0, 16) ?? ''
  return [email_id, kind, state, created_at.slice(0, 16), String(attempts), next, error ?? '']
}

async function retry(terminal: Terminal, emailId: string): Promise<void> {
  await withDatabase(terminal, async ({ database, now }) => {
    if (!(await database.write((tx) => retryEmail(tx, emailId, now))))
      throw new RequestError('not_found', `No failed email has the ID ${emailId}.`, {
        hint: 'List them with `weft email list --state failed`.',
      })
    say(terminal, `Queued ${emailId} again. A running \`weft serve\` sends it in a few seconds.`)
  })
}
