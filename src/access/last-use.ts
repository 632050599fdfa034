/** Records when a credential was last used, at most once a minute, to save a write per call. */

import { MINUTE } from '../base/clock.ts'
import type { Database, MemberTransaction } from '../db/database.ts'

const RESOLUTION = MINUTE

interface LastUse {
  readonly memberId: number
  /** The stored time; null for never. */
  readonly lastUsedAt: number | null
  readonly now: number
}

/** Calls `write` in the background if an update is due. A lost update does no harm. */
export function recordUse(
  database: Database,
  { memberId, lastUsedAt, now }: LastUse,
  write: (tx: MemberTransaction) => Promise<unknown>,
): void {
  if (lastUsedAt !== null && lastUsedAt >= now - RESOLUTION) return
  database
    .member(memberId)
    .write(write)
    .catch(() => {})
}
