/** Numbers of what a network holds. Each kind counts from 1, and no number is used twice. */

import { memberStatement } from '../db/statement.ts'
import type { MemberTransaction } from '../db/database.ts'

/** The column of `networks` with the last number of a kind. */
export type Counter = `last_${string}`

/** Reserves `count` numbers and returns the first. */
export async function reserveNumbers(
  tx: MemberTransaction,
  counter: Counter,
  count = 1,
): Promise<number> {
  const row = await tx.get(reservationOf(counter), { count })
  if (!row) throw new Error(`network of member ${tx.memberId} not found`)
  return row.last - count + 1
}

/** By primary key. */
function reservationOf(counter: Counter) {
  return memberStatement<{ count: number }, { last: number }>()(`
    update networks set ${counter} = ${counter} + :count where member_id = :member_id
    returning ${counter} as last`)
}
