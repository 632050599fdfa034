/**
 * A member's monthly credits: an allowance per calendar month (UTC) and an append-only ledger, whose rows add up to the
 * balance of the open month.
 *
 * Clocks differ and jump, but each month is granted once (decisions/0018):
 *
 * - A month that begins at most `CLOCK_TOLERANCE_MS` after `now` stays open.
 * - The account returns from a later month to that of `now`.
 * - The balance of a month that the account leaves is saved in `credit_periods` and restored on its return.
 *
 * Charges of an agent with a budget also pass `spendBudget`.
 */

import { RequestError } from '../base/request-error.ts'
import { rfc3339 } from '../base/clock.ts'
import { memberStatement, recordedChange } from '../db/statement.ts'
import { ACCOUNT, LOCK, SAVED_PERIOD, type Account } from './account-row.ts'
import { CLOCK_TOLERANCE_MS, isOpen, periodOf } from './month.ts'
import { refundBudget, spendBudget } from './agent-budget.ts'
import { openPeriod } from './open-month.ts'
import { writeEntry } from './ledger.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'

export interface CreditBalance {
  /** Credits for the whole month. */
  readonly quota: number
  readonly remaining: number
  /** Start of this month and of the next, in UTC milliseconds. */
  readonly periodStart: number
  readonly resetsAt: number
}

export interface Charge {
  /** Whole credits, 0 or more. */
  readonly cost: number
  /** The tool or job kind that is charged. */
  readonly reason: string
  readonly credentialId: string | null
  /** `WEFT_MONTHLY_CREDITS`: the grant for a new month. */
  readonly quota: number
  readonly now: number
}

/** Returns the balance. A month without charges has its whole quota. */
export async function creditBalance(
  reader: MemberReader,
  quota: number,
  now: number,
): Promise<CreditBalance> {
  return balanceIn(reader, await reader.get(ACCOUNT, {}), { quota, now })
}

/** Returns the balance of an account row, which a member without charges lacks. */
export async function balanceIn(
  reader: MemberReader,
  account: Account | undefined,
  { quota, now }: Pick<Charge, 'quota' | 'now'>,
): Promise<CreditBalance> {
  if (account && isOpen(account, now)) return balanceOf(account)
  const period = periodOf(now)
  // Without an account, no month was granted.
  const saved = account && (await reader.get(SAVED_PERIOD, { period_start: period.periodStart }))
  return { quota: saved?.quota ?? quota, remaining: saved?.remaining ?? quota, ...period }
}

/** Returns the balance and locks the account until the transaction ends. */
export async function lockBalance(
  tx: MemberTransaction,
  quota: number,
  now: number,
): Promise<CreditBalance> {
  await tx.run(LOCK, {})
  return creditBalance(tx, quota, now)
}

/** Runs `spendCredits` in its own transaction, usually in one round trip. */
export async function chargeCredits(db: MemberDatabase, charge: Charge): Promise<CreditBalance> {
  if (charge.cost === 0) return creditBalance(db, charge.quota, charge.now)
  const account = await db.change(CHARGE, chargeParams(charge))
  return account ? balanceOf(account) : db.write((tx) => spendCredits(tx, charge))
}

/**
 * Charges `cost` to this month.
 *
 * @throws {RequestError} `credits_exhausted` when too few credits remain.
 */
export async function spendCredits(tx: MemberTransaction, charge: Charge): Promise<CreditBalance> {
  if (charge.cost === 0) return creditBalance(tx, charge.quota, charge.now)
  const params = chargeParams(charge)
  const charged = await tx.change(CHARGE, params)
  if (charged) return balanceOf(charged)
  await openPeriod(tx, charge)
  const balance = await creditBalance(tx, charge.quota, charge.now)
  if (balance.remaining < charge.cost) throw exhausted(balance, charge.cost)
  // The account is locked, so concurrent charges see each other.
  await spendBudget(tx, charge, balance)
  const account = await tx.change(CHARGE_COUNTED, params)
  if (!account) throw new Error('the account changed while it was locked')
  return balanceOf(account)
}

/**
 * Refunds a failed charge to its month, the `periodStart` that the charge returned. If that month is over, the refund
 * expires.
 */
export async function refundCredits(
  tx: MemberTransaction,
  charge: Omit<Charge, 'quota'> & { readonly chargedPeriod: number },
): Promise<void> {
  const { cost, chargedPeriod: period_start } = charge
  if (cost === 0) return
  const account = await tx.get(CREDIT, { period_start, credits: cost })
  if (account) {
    await writeEntry(tx, charge, ['refund', cost, account.remaining, account.last_entry])
    await refundBudget(tx, charge)
  } else await tx.run(CREDIT_SAVED, { period_start, credits: cost })
}

/**
 * Adds or removes credits of the open month, for the operator.
 *
 * @throws {RequestError} `conflict` when fewer credits remain than would be removed.
 */
export async function adjustCredits(
  tx: MemberTransaction,
  adjustment: Omit<Charge, 'cost'> & { readonly credits: number },
): Promise<CreditBalance> {
  const { credits, now, quota } = adjustment
  await openPeriod(tx, adjustment)
  const { periodStart: period_start, remaining } = await lockBalance(tx, quota, now)
  if (remaining + credits < 0)
    throw new RequestError(
      'conflict',
      `Only ${remaining} credits remain, so ${-credits} cannot be removed.`,
    )
  const account = await tx.get(CREDIT, { period_start, credits })
  if (!account) throw new Error('the month of the account closed during the adjustment')
  await writeEntry(tx, adjustment, ['adjust', credits, account.remaining, account.last_entry])
  return balanceOf(account)
}

/** Returns the error for insufficient credits, the same over HTTP and in tool results. */
export function exhausted(balance: CreditBalance, required: number): RequestError {
  const resets = rfc3339(balance.resetsAt)
  const sentence =
    `Not enough credits: this costs ${required}, and ${balance.remaining} of your ` +
    `${balance.quota} monthly credits remain. Credits reset at ${resets}.`
  return new RequestError('credits_exhausted', sentence, {
    members: {
      limit: 'monthly_credits',
      quota: balance.quota,
      required,
      remaining: balance.remaining,
      period_start: rfc3339(balance.periodStart),
      resets_at: resets,
      retryable: false,
    },
  })
}

/** Returns the parameters of `CHARGE`. */
export function chargeParams({ cost, reason, credentialId, now }: Charge): ChargeParams {
  const { periodStart } = periodOf(now)
  return {
    period_start: periodStart,
    latest_start: now + CLOCK_TOLERANCE_MS,
    cost,
    now,
    reason,
    credential_id: credentialId,
  }
}

export function balanceOf({ quota, remaining, period_start }: Account): CreditBalance {
  return { quota, remaining, ...periodOf(period_start) }
}

interface ChargeParams {
  readonly period_start: number
  readonly latest_start: number
  readonly cost: number
  readonly now: number
  readonly reason: string
  readonly credential_id: string | null
}

const SPEND = `update credit_accounts set remaining = remaining - :cost, last_entry = last_entry + 1
   where member_id = :member_id and period_start >= :period_start and period_start <= :latest_start
     and remaining >= :cost` as const

/** Dates a charge within its month, even if the clock is behind. */
const RECORD =
  `insert into credit_ledger (member_id, entry_id, at, kind, delta, balance_after, reason, credential_id)
   select :member_id, last_entry, case when :now < period_start then period_start else :now end, 'charge', 0 - :cost,
     remaining, :reason, :credential_id
   from changed` as const

const RETURNING = 'returning period_start, quota, remaining, last_entry'

/** For credentials without a budget. */
const CHARGE = recordedChange<ChargeParams, Account>()(
  `${SPEND} and not exists (
     select 1 from agent_limits
     where member_id = :member_id and credential_id = :credential_id and monthly_credits is not null)
   ${RETURNING}`,
  RECORD,
)

/** For a charge that fits the budget, if there is one. */
const CHARGE_COUNTED = recordedChange<ChargeParams, Account>()(`${SPEND} ${RETURNING}`, RECORD)

const CREDIT = memberStatement<{ period_start: number; credits: number }, Account>()(`
  update credit_accounts set remaining = remaining + :credits, last_entry = last_entry + 1
  where member_id = :member_id and period_start = :period_start
  returning period_start, quota, remaining, last_entry`)

const CREDIT_SAVED = memberStatement<{ period_start: number; credits: number }>()(`
  update credit_periods set remaining = remaining + :credits
  where member_id = :member_id and period_start = :period_start`)
