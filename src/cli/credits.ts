/** weft credits: show and adjust a member's credits. */

import { InvalidArgumentError, type Command } from 'commander'
import { dayAt } from '../dates/calendar-day.ts'
import { rfc3339 } from '../base/clock.ts'
import { adjustCredits, creditBalance, type CreditBalance } from '../credits/account.ts'
import {
  adjustmentText,
  CREDITS_RULE,
  readCredits,
  readReason,
  REASON_RULE,
} from '../credits/adjustment.ts'
import { recordAdminAction } from '../members/admin-log.ts'
import { print, say, type Terminal } from './terminal/terminal.ts'
import { withMember } from './with-database.ts'

interface AdjustOptions {
  readonly by: number
  readonly reason: string
  readonly json?: true
}

export function addCreditsCommands(program: Command, terminal: Terminal): void {
  const credits = program.command('credits').description("Show and adjust a member's credits")
  credits
    .command('show')
    .description('Show the balance of the month')
    .argument('<username>')
    .option('--json', 'as JSON')
    .action((username: string, options: { json?: true }) => show(terminal, username, options))
  credits
    .command('adjust')
    .description("Add or remove credits of the month; the member's ledger shows the reason")
    .argument('<username>')
    .requiredOption(
      '--by <credits>',
      'number of credits: 500, or -500 to remove them',
      wholeCredits,
    )
    .requiredOption('--reason <text>', 'shown to the member, at most 100 characters', shortText)
    .option('--json', 'print the new balance as JSON')
    .action((username: string, options: AdjustOptions) => adjust(terminal, username, options))
}

async function show(
  terminal: Terminal,
  username: string,
  { json }: { readonly json?: true },
): Promise<void> {
  await withMember(terminal, username, async ({ db, config, now }) => {
    const balance = await creditBalance(db, config.monthlyCredits, now)
    if (json) print(terminal, JSON.stringify(entryOf(balance)))
    else
      print(
        terminal,
        `${balance.remaining} of ${balance.quota} credits, which expire on ${dayAt(balance.resetsAt)}`,
      )
  })
}

async function adjust(
  terminal: Terminal,
  username: string,
  { by, reason, json }: AdjustOptions,
): Promise<void> {
  await withMember(terminal, username, async ({ db, member, config, now }) => {
    const { monthlyCredits: quota } = config
    const entry = { at: now, action: 'adjust_credits', member: member.username } as const
    const balance = await db.write(async (tx) => {
      await recordAdminAction(tx.shared, { ...entry, reason: adjustmentText(by, reason) })
      return adjustCredits(tx, { credits: by, reason, credentialId: null, quota, now })
    })
    if (json) print(terminal, JSON.stringify(entryOf(balance)))
    else
      say(
        terminal,
        `${username} now has ${balance.remaining} credits, which expire on ${dayAt(balance.resetsAt)}.`,
      )
  })
}

function entryOf({ quota, remaining, resetsAt }: CreditBalance) {
  return { quota, remaining, resets_at: rfc3339(resetsAt) }
}

function wholeCredits(text: string): number {
  return readCredits(text) ?? invalid(CREDITS_RULE)
}

function shortText(text: string): string {
  return readReason(text) ?? invalid(REASON_RULE)
}

function invalid(rule: string): never {
  throw new InvalidArgumentError(rule)
}
