/** A member's credit ledger: writes entries, and reads them newest first. */

import { readCursor, writeCursor } from '../base/cursor.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement } from '../db/statement.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'

export type LedgerKind = 'grant' | 'charge' | 'refund' | 'adjust' | 'expire'

interface EntryOrigin {
  readonly reason: string
  readonly credentialId: string | null
  readonly now: number
}

export type NewEntry = readonly [kind: LedgerKind, delta: number, balanceAfter: number]

/** Writes a ledger entry, and drops the oldest beyond the maximum. */
export async function writeEntry(
  tx: MemberTransaction,
  { reason, credentialId, now }: EntryOrigin,
  [kind, delta, balance_after, entry_id]: readonly [...NewEntry, entryId: number],
): Promise<void> {
  await insertRow(tx, 'credit_ledger', {
    entry_id,
    at: now,
    kind,
    delta,
    balance_after,
    reason,
    credential_id: credentialId,
  })
  await tx.run(DROP_OLD_ENTRIES, { until: entry_id - MAX_LEDGER_ENTRIES })
}

/**
 * Ledger entries kept per member: four years at 1,000 credits a month. Older ones are deleted when a month opens and
 * with every refund, so that a job that fails repeatedly cannot fill the disk.
 */
export const MAX_LEDGER_ENTRIES = 50_000

export interface LedgerEntry {
  readonly entryId: number
  readonly at: number
  readonly kind: LedgerKind
  /** Credits; negative for charges. */
  readonly delta: number
  readonly balanceAfter: number
  /** The tool or job kind that was charged. */
  readonly reason: string
  readonly credentialId: string | null
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[]
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined
}

/** Entries of the ledger, newest first. `limit`: entries on a page. */
export async function listLedger(
  reader: MemberReader,
  limit: number,
  cursor?: string,
): Promise<LedgerPage> {
  const query = [reader.memberId, 'ledger']
  const [before] = cursor === undefined ? [LAST] : readCursor(query, cursor, ['number'])
  const rows = await reader.all(NEWEST, { before, limit: limit + 1 })
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  const isMore = rows.length > limit && last !== undefined
  return { entries, next: isMore ? writeCursor(query, [last.entryId]) : undefined }
}

/** Greater than any entry number. */
const LAST = Number.MAX_SAFE_INTEGER

const COLUMNS = asProperties('entry_id, at, kind, delta, balance_after, reason, credential_id')

/** By primary key, descending. */
const NEWEST = memberStatement<{ before: number; limit: number }, LedgerEntry>()(`
  select ${COLUMNS} from credit_ledger
  where member_id = :member_id and entry_id < :before order by entry_id desc limit :limit`)

const DROP_OLD_ENTRIES = memberStatement<{ until: number }>()(
  'delete from credit_ledger where member_id = :member_id and entry_id <= :until',
)
