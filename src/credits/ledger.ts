/** A member's ledger, as it is read: every change of their credits, newest first. */

import { readCursor, writeCursor } from '../base/cursor.ts'
import { memberStatement } from '../db/statement.ts'
import type { MemberReader } from '../db/database.ts'
import type { LedgerKind } from './account.ts'

export interface LedgerEntry {
  readonly entryId: number
  readonly at: number
  readonly kind: LedgerKind
  /** Credits; below 0 for what was taken. */
  readonly delta: number
  readonly balanceAfter: number
  /** The tool or kind of job that was paid for. */
  readonly reason: string
  readonly credentialId: string | null
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[]
  /** The cursor of the page that goes on behind these; undefined where there are no more. */
  readonly next: string | undefined
}

export async function listLedger(
  reader: MemberReader,
  limit: number,
  cursor?: string,
): Promise<LedgerPage> {
  const question = [reader.memberId, 'ledger']
  const [before] = cursor === undefined ? [LAST] : readCursor(question, cursor, ['number'])
  const rows = await reader.all(NEWEST, { before, limit: limit + 1 })
  const entries = rows.slice(0, limit).map(entryOf)
  const last = entries.at(-1)
  const isMore = rows.length > limit && last !== undefined
  return { entries, next: isMore ? writeCursor(question, [last.entryId]) : undefined }
}

/** Above every number of an entry. */
const LAST = Number.MAX_SAFE_INTEGER

interface LedgerRow {
  readonly entry_id: number
  readonly at: number
  readonly kind: LedgerKind
  readonly delta: number
  readonly balance_after: number
  readonly reason: string
  readonly credential_id: string | null
}

function entryOf(row: LedgerRow): LedgerEntry {
  return {
    entryId: row.entry_id,
    at: row.at,
    kind: row.kind,
    delta: row.delta,
    balanceAfter: row.balance_after,
    reason: row.reason,
    credentialId: row.credential_id,
  }
}

/** By primary key, backwards. */
const NEWEST = memberStatement<{ before: number; limit: number }, LedgerRow>()(`
  select entry_id, at, kind, delta, balance_after, reason, credential_id from credit_ledger
  where member_id = :member_id and entry_id < :before order by entry_id desc limit :limit`)
