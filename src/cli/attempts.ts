/** weft attempts: why a member's agents cannot connect, as on the member's page “Agents & tokens”. */

import { rfc3339 } from '../base/clock.ts'
import { listAttempts } from '../oauth/attempts/attempt-store.ts'
import {
  diagnoseAttempt,
  STEP_LABELS,
  type ConnectionAttempt,
} from '../oauth/attempts/connection-attempt.ts'
import { printList } from './terminal/table.ts'
import { type Terminal } from './terminal/terminal.ts'
import { withMember } from './with-database.ts'
import type { Command } from 'commander'

interface AttemptsOptions {
  readonly member: string
  readonly json?: true
}

export function addAttemptsCommand(program: Command, terminal: Terminal): void {
  program
    .command('attempts')
    .description("List the last attempts of a member's agents to connect, with the failed step")
    .requiredOption('--member <username>', 'a member who asked for help')
    .option('--json', 'one JSON object per line')
    .action((options: AttemptsOptions) => list(terminal, options))
}

async function list(terminal: Terminal, { member, json }: AttemptsOptions): Promise<void> {
  await withMember(terminal, member, async ({ db, now }) => {
    const entries = (await listAttempts(db)).map((attempt) => entryOf(attempt, now))
    printList(terminal, entries, { json, none: NONE, headings: HEADINGS, rowOf })
  })
}

const NONE =
  'No attempts. An attempt appears once the member opens the authorization page of an app. /admin/attempts shows attempts that have not reached that page.'

const HEADINGS = ['APP', 'STATE', 'STEP', 'LAST SEEN', 'LIKELY CAUSE']

function entryOf(attempt: ConnectionAttempt, now: number) {
  const { state, step, cause } = diagnoseAttempt(attempt, now)
  return {
    app: attempt.clientName,
    redirect_host: attempt.redirectHost,
    state,
    step: step ?? null,
    cause: cause ?? null,
    started_at: rfc3339(attempt.startedAt),
    last_seen_at: rfc3339(attempt.updatedAt),
  }
}

function rowOf({ app, state, step, last_seen_at, cause }: ReturnType<typeof entryOf>): string[] {
  const label = step === null ? '' : STEP_LABELS[step]
  return [app ?? 'Unknown app', state, label, last_seen_at.slice(0, 16), cause ?? '']
}
