/**
 * The monthly budget of an agent. `agent_limits` counts what was spent in the month `spent_in`, under the lock of the
 * credit account. For another month, or after the limits were saved, the ledger is counted (decisions/0035).
 */

import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement } from '../db/statement.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'

interface Month {
  readonly periodStart: number
  readonly resetsAt: number
}

interface AgentBudget {
  readonly credits: number
  /** At least 0. */
  readonly remaining: number
}

interface Spending {
  readonly cost: number
  readonly credentialId: string | null
}

/** Returns the budget of a credential in this month. */
export async function findBudget(
  reader: MemberReader,
  credentialId: string,
  month: Month,
): Promise<AgentBudget | undefined> {
  const row = await reader.get(BUDGET, { credential_id: credentialId })
  if (!row) return undefined
  const spent = await spentBy(reader, credentialId, row, month)
  return { credits: row.monthly_credits, remaining: Math.max(0, row.monthly_credits - spent) }
}

/**
 * Counts a charge against the budget of its credential. The caller has locked the account.
 *
 * @throws {RequestError} `credits_exhausted` when the budget does not cover it.
 */
export async function spendBudget(
  tx: MemberTransaction,
  { cost, credentialId }: Spending,
  month: Month,
): Promise<void> {
  const row =
    credentialId === null ? undefined : await tx.get(BUDGET, { credential_id: credentialId })
  if (!row || credentialId === null) return
  const spent = (await spentBy(tx, credentialId, row, month)) + cost
  const remaining = Math.max(0, row.monthly_credits - spent + cost)
  if (spent > row.monthly_credits)
    throw budgetExhausted({ credits: row.monthly_credits, remaining }, month, cost)
  await tx.run(COUNT, { credential_id: credentialId, spent, spent_in: month.periodStart })
}

/** Reverses a charge of the open month. The caller has locked the account. */
export async function refundBudget(
  tx: MemberTransaction,
  { cost, credentialId, chargedPeriod }: Spending & { readonly chargedPeriod: number },
): Promise<void> {
  if (credentialId === null) return
  await tx.run(REFUND, { credential_id: credentialId, cost, spent_in: chargedPeriod })
}

/** Returns the error, with `limit` naming the budget. */
export function budgetExhausted(
  { credits, remaining }: AgentBudget,
  { periodStart, resetsAt }: Month,
  required: number,
): RequestError {
  const resets = rfc3339(resetsAt)
  return new RequestError(
    'credits_exhausted',
    `Not enough credits: this costs ${required}, and ${remaining} of the ${credits} credits that the member allows ` +
      `this agent per month remain. The budget resets at ${resets}.`,
    {
      hint: 'The member can raise the budget under Agents & tokens.',
      members: {
        limit: 'agent_budget',
        quota: credits,
        required,
        remaining,
        period_start: rfc3339(periodStart),
        resets_at: resets,
        retryable: false,
      },
    },
  )
}

async function spentBy(
  reader: MemberReader,
  credentialId: string,
  { spent, spent_in }: BudgetRow,
  { periodStart, resetsAt }: Month,
): Promise<number> {
  if (spent_in === periodStart) return spent
  const counted = await reader.get(SPENT, {
    credential_id: credentialId,
    since: periodStart,
    until: resetsAt,
  })
  return counted?.credits ?? 0
}

interface BudgetRow {
  readonly monthly_credits: number
  readonly spent: number
  readonly spent_in: number | null
}

/** By the primary key, like the next two statements. */
const BUDGET = memberStatement<{ credential_id: string }, BudgetRow>()(`
  select monthly_credits, spent, spent_in from agent_limits
  where member_id = :member_id and credential_id = :credential_id and monthly_credits is not null`)

const COUNT = memberStatement<{ credential_id: string; spent: number; spent_in: number }>()(`
  update agent_limits set spent = :spent, spent_in = :spent_in
  where member_id = :member_id and credential_id = :credential_id`)

const REFUND = memberStatement<{ credential_id: string; cost: number; spent_in: number }>()(`
  update agent_limits set spent = spent - :cost
  where member_id = :member_id and credential_id = :credential_id and spent_in = :spent_in`)

/** By the primary key: entry numbers follow time, so the scan ends at the last entry before `since`. */
const SPENT = memberStatement<
  { credential_id: string; since: number; until: number },
  { credits: number }
>()(`
  select cast(coalesce(sum(0 - delta), 0) as bigint) as credits from credit_ledger
  where member_id = :member_id and credential_id = :credential_id and kind in ('charge', 'refund')
    and at >= :since and at < :until and entry_id > coalesce((
      select entry_id from credit_ledger where member_id = :member_id and at < :since
      order by entry_id desc limit 1), 0)`)
