/** Opens months. See account.ts for how clocks that differ are handled. */

import { memberStatement } from '../db/statement.ts'
import { ACCOUNT, LOCK, SAVED_PERIOD, type Account, type SavedPeriod } from './account-row.ts'
import { writeEntry, type NewEntry } from './ledger.ts'
import { isOpen, periodOf } from './month.ts'
import type { MemberTransaction } from '../db/database.ts'

interface Opening {
  /** The grant for a new month. */
  readonly quota: number
  readonly now: number
}

/**
 * Moves the account to the month of `now`: saves and closes the open month, then grants the new month, or restores its
 * saved balance. Does nothing if that month, or one within the tolerance, is already open. Locks the account.
 */
export async function openPeriod(tx: MemberTransaction, opening: Opening): Promise<void> {
  await tx.run(LOCK, {})
  const before = await tx.get(ACCOUNT, {})
  if (before && isOpen(before, opening.now)) return
  const { periodStart: period_start } = periodOf(opening.now)
  const saved = before && (await tx.get(SAVED_PERIOD, { period_start }))
  const { quota, remaining } = saved ?? { quota: opening.quota, remaining: opening.quota }
  const closing = before ? closingEntries(before, period_start) : []
  const granting = openingEntries(saved, remaining)
  const entries = [...closing, ...granting]
  const last_entry = (before?.last_entry ?? 0) + entries.length
  if (before) await tx.run(SAVE_PERIOD, before)
  await tx.run(before ? REOPEN : OPEN, { period_start, quota, remaining, last_entry })
  const note = { now: opening.now, reason: 'month', credentialId: null }
  for (const [index, [kind, delta, balanceAfter]] of entries.entries()) {
    const entryId = last_entry - entries.length + 1 + index
    await writeEntry(tx, note, [kind, delta, balanceAfter, entryId])
  }
}

/** A later month expires the unused credits. A month that was opened too early by a wrong clock is only set aside. */
function closingEntries({ period_start, remaining }: Account, next: number): NewEntry[] {
  if (remaining === 0) return []
  return [[period_start < next ? 'expire' : 'adjust', -remaining, 0]]
}

function openingEntries(saved: SavedPeriod | undefined, remaining: number): NewEntry[] {
  if (!saved) return [['grant', remaining, remaining]]
  return remaining === 0 ? [] : [['adjust', remaining, remaining]]
}

const SAVE_PERIOD = memberStatement<Account>()(`
  insert into credit_periods (member_id, period_start, quota, remaining)
  values (:member_id, :period_start, :quota, :remaining)
  on conflict (member_id, period_start) do update set remaining = excluded.remaining`)

const OPEN = memberStatement<Account>()(`
  insert into credit_accounts (member_id, period_start, quota, remaining, last_entry)
  values (:member_id, :period_start, :quota, :remaining, :last_entry)`)

const REOPEN = memberStatement<Account>()(`
  update credit_accounts
  set period_start = :period_start, quota = :quota, remaining = :remaining, last_entry = :last_entry
  where member_id = :member_id`)
