/** When a credential was last used, for people to see: once a minute is enough, and spares a write per call. */

import { MINUTE } from '../base/clock.ts'
import type { Database, MemberTransaction } from '../db/database.ts'

const RESOLUTION = MINUTE

export interface LastUse {
  readonly memberId: number
  /** As it is stored; null for never. */
  readonly lastUsedAt: number | null
  readonly now: number
}

/** Writes by `write` what is worth writing, in the background: a call does not wait for it, and losing one is no loss. */
export function noteUse(
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
