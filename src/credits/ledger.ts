/** Reads a member's credit ledger, newest first. */

import { readCursor, writeCursor } from '../base/cursor.ts'
import { asProperties, memberStatement } from '../db/statement.ts'
import type { MemberReader } from '../db/database.ts'
import type { LedgerKind } from './open-month.ts'

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
