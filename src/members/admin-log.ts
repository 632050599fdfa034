/** The audit log: what admins did, on the pages and with the command line. It outlives the members that it names. */

import { DAY } from '../base/clock.ts'
import { readCursor, writeCursor } from '../base/cursor.ts'
import { newId } from '../base/ids.ts'
import { insertRow } from '../db/insert-row.ts'
import { statement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import type { Reader, SharedTransaction } from '../db/database.ts'

export interface AdminLogEntry {
  readonly at: number
  /** The admin's username; null for the command line. */
  readonly admin: string | null
  /** `acts/catalog.ts` has all. */
  readonly action: string
  /** The username of the member; null for an invitation. */
  readonly member: string | null
  /** What the admin gave as the reason, and the number of credits. */
  readonly reason: string | null
}

/** Call it in the transaction of the action. */
export async function recordAdminAction(
  tx: SharedTransaction,
  entry: Partial<AdminLogEntry> & Pick<AdminLogEntry, 'action' | 'at'>,
): Promise<void> {
  const { at, admin = null, action, member = null, reason = null } = entry
  const written = reason === '' ? null : reason
  const row = { entry_id: newId('adm'), at, admin, action, member, reason: written }
  await insertRow(tx, 'admin_log', row)
}

interface AdminLogPage {
  readonly entries: readonly AdminLogEntry[]
  readonly next: string | undefined
}

/** Newest first. */
export async function readAdminLog(
  reader: Reader,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
): Promise<AdminLogPage> {
  const [at, entry_id] =
    cursor === undefined
      ? ([Number.MAX_SAFE_INTEGER, ''] as const)
      : readCursor(QUESTION, cursor, ['number', 'string'])
  const rows = await reader.all(PAGE, { at, entry_id, limit: limit + 1 })
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  const next =
    rows.length > limit && last ? writeCursor(QUESTION, [last.at, last.entry_id]) : undefined
  return { entries, next }
}

const QUESTION = 'admin log'
const LIFETIME_MS = 730 * DAY

/** Uses admin_log_by_time, as does the next. */
const PAGE = statement<
  { at: number; entry_id: string; limit: number },
  AdminLogEntry & { readonly entry_id: string }
>(`
  select entry_id, at, admin, action, member, reason from admin_log
  where (at, entry_id) < (:at, :entry_id) order by at desc, entry_id desc limit :limit`)

/** Deletes entries after two years. By admin_log_by_time. */
export const sweepAdminLog = sweepOf('admin_log', 'entry_id', 'at', LIFETIME_MS)
