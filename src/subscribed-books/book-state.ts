/** The subscribed address books of all members as metrics and `weft doctor` show them. */

import { asProperties, serviceStatement } from '../db/statement.ts'
import type { Reader } from '../db/database.ts'

interface BookState {
  readonly due: number
  /** Since when the one that has waited longest is due; null if none is. */
  readonly dueSince: number | null
  /** Books whose last pull failed. */
  readonly failing: number
}

/** Counts due books, also those that are being pulled but not those that wait for a member, and failing ones. Times are in milliseconds. */
export async function readBookState(database: Reader, now: number): Promise<BookState> {
  const [due, failing] = [await database.get(DUE_NOW, { now }), await database.get(FAILING, {})]
  return {
    due: due?.due ?? 0,
    dueSince: due?.dueSince ?? null,
    failing: failing?.failing ?? 0,
  }
}

/** Sealed accounts, newest members first. */
export async function listSealedAccounts(
  database: Reader,
  limit: number,
): Promise<readonly { readonly memberId: number; readonly account: string }[]> {
  return database.all(SEALED, { limit })
}

/** By index subscribed_books_by_next_pull. */
const DUE_NOW = serviceStatement<{ now: number }, Pick<BookState, 'due' | 'dueSince'>>(`
  select count(*) as due, min(next_pull_at) as "dueSince" from subscribed_books
  where next_pull_at <= :now and preview_id is null`)

/** By index subscribed_books_failing. */
const FAILING = serviceStatement<object, Pick<BookState, 'failing'>>(
  'select count(*) as failing from subscribed_books where failures > 0',
)

/** By primary key. */
const SEALED = serviceStatement<{ limit: number }, { memberId: number; account: string }>(`
  select ${asProperties('member_id, account')} from subscribed_books
  order by member_id desc, book_id desc limit :limit`)
