/**
 * A member's monthly credits: an allowance per calendar month (UTC) and an append-only ledger. The account row is the
 * balance; every change of it is a ledger row written in the same transaction, so the rows always sum to it.
 */

import { Refusal } from '../base/refusal.ts'
import { rfc3339 } from '../base/clock.ts'
import { memberStatement, recordedChange } from '../db/statement.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'

export type LedgerKind = 'grant' | 'charge' | 'refund' | 'adjust' | 'expire'

export interface CreditBalance {
  /** Credits of the whole month. */
  readonly quota: number
  readonly remaining: number
  /** Milliseconds: the first moment of this month and of the next, UTC. */
  readonly periodStart: number
  readonly resetsAt: number
}

export interface Charge {
  /** Whole credits, 0 or more. */
  readonly cost: number
  /** The tool or kind of job that is paid for. */
  readonly reason: string
  readonly credentialId: string | null
  /** `WEFT_MONTHLY_CREDITS`: what a month that begins now is granted. */
  readonly quota: number
  readonly now: number
}

/** The balance as it stands; a month in which nothing was spent yet has its whole quota. */
export async function creditBalance(
  reader: MemberReader,
  quota: number,
  now: number,
): Promise<CreditBalance> {
  const account = await reader.get(ACCOUNT, {})
  const period = periodOf(now)
  if (!account || account.period_start !== period.periodStart)
    return { quota, remaining: quota, ...period }
  return { quota: account.quota, remaining: account.remaining, ...period }
}

/**
 * The balance, for a transaction that compares it with what it is at its end: no other charge comes in between, because
 * whoever else would change the account waits.
 */
export async function lockBalance(
  tx: MemberTransaction,
  quota: number,
  now: number,
): Promise<CreditBalance> {
  await tx.run(LOCK, {})
  return creditBalance(tx, quota, now)
}

/** As `spendCredits`, in a transaction of its own: mostly a single round trip to the database. */
export async function chargeCredits(db: MemberDatabase, charge: Charge): Promise<CreditBalance> {
  if (charge.cost === 0) return creditBalance(db, charge.quota, charge.now)
  const account = await db.change(CHARGE, chargeParams(charge))
  return account ? balanceOf(account, charge.now) : db.write((tx) => spendCredits(tx, charge))
}

/** Takes `cost` from this month's credits and writes it down. Refuses with `credits_exhausted` when too few are left. */
export async function spendCredits(tx: MemberTransaction, charge: Charge): Promise<CreditBalance> {
  const period = periodOf(charge.now)
  if (charge.cost === 0) return creditBalance(tx, charge.quota, charge.now)
  const params = chargeParams(charge)
  let account = await tx.change(CHARGE, params)
  if (!account && (await openPeriod(tx, charge, period.periodStart)))
    account = await tx.change(CHARGE, params)
  if (!account) throw exhausted(await creditBalance(tx, charge.quota, charge.now), charge.cost)
  return balanceOf(account, charge.now)
}

/** Gives back what was charged for something that then failed. A charge of an earlier month is not given back. */
export async function refundCredits(
  tx: MemberTransaction,
  charge: Omit<Charge, 'quota'> & { readonly chargedAt: number },
): Promise<void> {
  const { periodStart } = periodOf(charge.now)
  if (charge.cost === 0 || periodOf(charge.chargedAt).periodStart !== periodStart) return
  const account = await tx.get(CREDIT, { period_start: periodStart, credits: charge.cost })
  if (account)
    await writeEntry(tx, charge, 'refund', charge.cost, account.remaining, account.last_entry)
}

/** The refusal for an empty account: `contract` fields, the same over HTTP and in a tool's answer. */
export function exhausted(balance: CreditBalance, required: number): Refusal {
  const resets = rfc3339(balance.resetsAt)
  const sentence =
    `The monthly credit limit of ${balance.quota} does not cover this: it costs ${required}, and ` +
    `${balance.remaining} remain. Credits reset at ${resets}.`
  return new Refusal('credits_exhausted', sentence, {
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

function chargeParams({ cost, reason, credentialId, now }: Charge): ChargeParams {
  const { periodStart } = periodOf(now)
  return { period_start: periodStart, cost, now, reason, credential_id: credentialId }
}

function balanceOf({ quota, remaining }: Account, now: number): CreditBalance {
  return { quota, remaining, ...periodOf(now) }
}

/** The calendar month in UTC that `now` lies in. */
export function periodOf(now: number): { periodStart: number; resetsAt: number } {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { periodStart: Date.UTC(year, month), resetsAt: Date.UTC(year, month + 1) }
}

/** Begins a month: what was left of the last one expires, the new quota is granted. False if it has begun already. */
async function openPeriod(
  tx: MemberTransaction,
  charge: Charge,
  periodStart: number,
): Promise<boolean> {
  const { quota } = charge
  await tx.run(LOCK, {})
  const before = await tx.get(ACCOUNT, {})
  if (before && before.period_start >= periodStart) return false
  const expired = before?.remaining ?? 0
  const entry = (before?.last_entry ?? 0) + (expired > 0 ? 2 : 1)
  const opened = { period_start: periodStart, quota, last_entry: entry }
  await tx.run(before ? REOPEN : OPEN, opened)
  const note = { ...charge, reason: 'month', credentialId: null }
  if (expired > 0) await writeEntry(tx, note, 'expire', -expired, 0, entry - 1)
  await writeEntry(tx, note, 'grant', quota, quota, entry)
  return true
}

async function writeEntry(
  tx: MemberTransaction,
  { reason, credentialId, now }: Omit<Charge, 'quota'>,
  kind: LedgerKind,
  delta: number,
  balance_after: number,
  entry_id: number,
): Promise<void> {
  await tx.run(WRITE_ENTRY, {
    entry_id,
    at: now,
    kind,
    delta,
    balance_after,
    reason,
    credential_id: credentialId,
  })
}

interface Account {
  readonly period_start: number
  readonly quota: number
  readonly remaining: number
  readonly last_entry: number
}

const ACCOUNT = memberStatement<object, Account>()(
  'select period_start, quota, remaining, last_entry from credit_accounts where member_id = :member_id',
)

/** Changes nothing, but holds the row: every engine's `for update`. */
const LOCK = memberStatement()(
  'update credit_accounts set remaining = remaining where member_id = :member_id',
)

interface ChargeParams {
  readonly period_start: number
  readonly cost: number
  readonly now: number
  readonly reason: string
  readonly credential_id: string | null
}

const CHARGE = recordedChange<ChargeParams, Account>()(
  `update credit_accounts set remaining = remaining - :cost, last_entry = last_entry + 1
   where member_id = :member_id and period_start = :period_start and remaining >= :cost
   returning period_start, quota, remaining, last_entry`,
  `insert into credit_ledger (member_id, entry_id, at, kind, delta, balance_after, reason, credential_id)
   select :member_id, last_entry, :now, 'charge', 0 - :cost, remaining, :reason, :credential_id from changed`,
)

const CREDIT = memberStatement<{ period_start: number; credits: number }, Account>()(`
  update credit_accounts set remaining = remaining + :credits, last_entry = last_entry + 1
  where member_id = :member_id and period_start = :period_start
  returning period_start, quota, remaining, last_entry`)

const OPEN = memberStatement<{ period_start: number; quota: number; last_entry: number }>()(`
  insert into credit_accounts (member_id, period_start, quota, remaining, last_entry)
  values (:member_id, :period_start, :quota, :quota, :last_entry)`)

const REOPEN = memberStatement<{ period_start: number; quota: number; last_entry: number }>()(`
  update credit_accounts
  set period_start = :period_start, quota = :quota, remaining = :quota, last_entry = :last_entry
  where member_id = :member_id`)

const WRITE_ENTRY = memberStatement<{
  entry_id: number
  at: number
  kind: LedgerKind
  delta: number
  balance_after: number
  reason: string
  credential_id: string | null
}>()(`
  insert into credit_ledger (member_id, entry_id, at, kind, delta, balance_after, reason, credential_id)
  values (:member_id, :entry_id, :at, :kind, :delta, :balance_after, :reason, :credential_id)`)
