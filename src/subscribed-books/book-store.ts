/** Address books elsewhere that a member has subscribed to. */

import { dueStateOf } from '../db/due-rows.ts'
import { deleteRow, updateRow } from '../db/change-row.ts'
import { MINUTE } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement, serviceStatement } from '../db/statement.ts'
import { sealFor, unsealFor } from '../deliveries/seal-for-member.ts'
import { t } from '../languages/message.ts'
import { reserveNumbers } from '../tools/network-numbers.ts'
import type { MemberReader, MemberTransaction, Reader } from '../db/database.ts'

/** Address books that a member can subscribe to. */
const MAX_BOOKS = 10

export interface SubscribedBook {
  readonly bookId: number
  readonly name: string
  readonly host: string
  /** Why the last pull failed, for `bookProblem`; null if it succeeded. */
  readonly error: string | null
  readonly failures: number
  /** Null if the book waits for the member. */
  readonly nextPullAt: number | null
  /** The last success. */
  readonly pulledAt: number | null
  /** The last import. */
  readonly jobId: number | null
  /** The upload with the cards of the first import, which waits for the member; null before and after. */
  readonly previewId: string | null
  /** Cards that could not be read. */
  readonly unread: number
  readonly createdAt: number
}

export interface PulledBook extends SubscribedBook {
  /** Sealed. */
  readonly account: string
  readonly syncToken: string | null
  /** For `readKnown`. */
  readonly known: string
}

/** Where a book is and how to sign in there. */
export interface BookAccount {
  /** URL of the book. */
  readonly url: string
  readonly username: string
  readonly password: string
}

/** Undefined if it was sealed with another secret, for example before a move. */
export function unsealAccount(
  secret: string,
  memberId: number,
  sealed: string,
): BookAccount | undefined {
  const opened = unsealFor(secret, memberId, sealed)
  // Written above.
  return opened === undefined ? undefined : (JSON.parse(opened) as BookAccount)
}

/** In the order in which they were added. */
export function listBooks(reader: MemberReader): Promise<readonly SubscribedBook[]> {
  return reader.all(BOOKS, {})
}

/** @throws {RequestError} `not_found` when the member has no such book. */
export async function requireBook(reader: MemberReader, bookId: number): Promise<SubscribedBook> {
  const book = await reader.get(BOOK, { book_id: bookId })
  if (book) return book
  throw new RequestError('not_found', t('Address book not found.'), {
    hint: t('It may have been removed. List your address books.'),
  })
}

interface NewBook extends Pick<SubscribedBook, 'name' | 'host' | 'nextPullAt'> {
  readonly account: BookAccount
}

/**
 * Adds books. Those that the member has subscribed to get the new password, and are pulled again.
 *
 * @throws {RequestError} `conflict` when the member would have too many.
 */
export async function addBooks(
  tx: MemberTransaction,
  books: readonly NewBook[],
  { secret, now }: { readonly secret: string; readonly now: number },
): Promise<void> {
  const { memberId } = tx
  const existing = await tx.all(ACCOUNTS, {})
  const byUrl = new Map(
    existing.map(({ bookId, account }) => [unsealAccount(secret, memberId, account)?.url, bookId]),
  )
  const added = books.filter(({ account }) => !byUrl.has(account.url))
  if (existing.length + added.length > MAX_BOOKS)
    throw new RequestError(
      'conflict',
      t('You can subscribe to at most {max} address books.', { max: MAX_BOOKS }),
      { hint: t('Remove one, or enter the address of a single one.') },
    )
  for (const { name, host, account, nextPullAt } of books) {
    const known = byUrl.get(account.url)
    const sealed = sealFor(secret, memberId, JSON.stringify(account))
    if (known !== undefined) await tx.run(RENEW, { book_id: known, account: sealed, now })
    else
      await insertRow(tx, 'subscribed_books', {
        book_id: await reserveNumbers(tx, 'last_book'),
        name,
        host,
        account: sealed,
        next_pull_at: nextPullAt,
        created_at: now,
      })
  }
}

/**
 * Forgets a book and its password. The people that it brought stay.
 *
 * @throws {RequestError} `not_found` when the member has no such book.
 */
export async function removeBook(tx: MemberTransaction, bookId: number): Promise<void> {
  await requireBook(tx, bookId)
  await tx.run(DELETE_PREVIEW, { book_id: bookId })
  await deleteRow(tx, 'subscribed_books', { bookId })
}

/**
 * Lets the next process that looks for due books pull this one. If its first import waits, its cards are read again.
 *
 * @throws {RequestError} `not_found` when the member has no such book.
 */
export async function pullSoon(tx: MemberTransaction, bookId: number, now: number): Promise<void> {
  await requireBook(tx, bookId)
  await tx.run(DELETE_PREVIEW, { book_id: bookId })
  await tx.run(PULL_SOON, { book_id: bookId, now })
}

export interface DueBook {
  readonly memberId: number
  readonly bookId: number
}

/** All members' books that are due and not yet taken, longest overdue first. */
export function findDueBooks(
  database: Reader,
  now: number,
  limit: number,
): Promise<readonly DueBook[]> {
  return database.all(DUE, { now, limit })
}

/** Longer than a pull takes. Another process may pull a book that one has not finished after this time. */
const LEASE_MS = 10 * MINUTE

/** Takes a due book, so that no one else pulls it before `recordPull`. Undefined if it is taken or no longer due. */
export async function claimBook(
  tx: MemberTransaction,
  bookId: number,
  now: number,
): Promise<PulledBook | undefined> {
  return tx.get(CLAIM, { book_id: bookId, now, until: now + LEASE_MS })
}

interface PullState extends Omit<PulledBook, 'bookId' | 'name' | 'host' | 'createdAt' | 'account'> {
  /** When the preview expires. Other processes may pull the book at once if it has none. */
  readonly leasedUntil?: number
}

/** Stores the result of a pull, and lets other processes pull the book again, unless it has a preview. */
export async function recordPull(
  tx: MemberTransaction,
  bookId: number,
  state: PullState,
): Promise<void> {
  const { syncToken, known, unread, jobId, previewId, leasedUntil = 0 } = state
  const { error, failures, nextPullAt, pulledAt } = state
  const read = { syncToken, known, unread, jobId, previewId, leasedUntil }
  const pulled = { ...read, error, failures, nextPullAt, pulledAt }
  await updateRow(tx, 'subscribed_books', { bookId }, pulled)
}

/** Remembers the first import of a book. From then on it is pulled. */
export async function recordFirstImport(
  tx: MemberTransaction,
  bookId: number,
  jobId: number,
): Promise<void> {
  await updateRow(tx, 'subscribed_books', { bookId }, { jobId, previewId: null, leasedUntil: 0 })
}

const COLUMNS =
  'book_id, name, host, error, failures, next_pull_at, pulled_at, job_id, preview_id, unread, created_at'

/** By primary key, as the next ones. */
const BOOKS = memberStatement<object, SubscribedBook>()(`
  select ${asProperties(COLUMNS)} from subscribed_books where member_id = :member_id order by book_id`)

const BOOK = memberStatement<{ book_id: number }, SubscribedBook>()(`
  select ${asProperties(COLUMNS)} from subscribed_books
  where member_id = :member_id and book_id = :book_id`)

const ACCOUNTS = memberStatement<object, { bookId: number; account: string }>()(
  `select ${asProperties('book_id, account')} from subscribed_books where member_id = :member_id`,
)

/** A book that waits for its first pull still does. */
const RENEW = memberStatement<{ book_id: number; account: string; now: number }>()(`
  update subscribed_books set account = :account, failures = 0,
    next_pull_at = case when pulled_at is null and error is null then next_pull_at else :now end
  where member_id = :member_id and book_id = :book_id`)

const DELETE_PREVIEW = memberStatement<{ book_id: number }>()(`
  delete from uploads where member_id = :member_id and upload_id = (
    select preview_id from subscribed_books where member_id = :member_id and book_id = :book_id)`)

const PULL_SOON = memberStatement<{ book_id: number; now: number }>()(`
  update subscribed_books set next_pull_at = :now, failures = 0, preview_id = null,
    leased_until = case when preview_id is null then leased_until else 0 end
  where member_id = :member_id and book_id = :book_id`)

const CLAIM = memberStatement<{ book_id: number; now: number; until: number }, PulledBook>()(`
  update subscribed_books set leased_until = :until
  where member_id = :member_id and book_id = :book_id and leased_until <= :now and next_pull_at <= :now
  returning ${asProperties(`${COLUMNS}, account, sync_token, known`)}`)

/** By index subscribed_books_by_next_pull. */
const DUE = serviceStatement<{ now: number; limit: number }, DueBook>(`
  select ${asProperties('member_id, book_id')} from subscribed_books
  where next_pull_at <= :now and leased_until <= :now order by next_pull_at limit :limit`)

/** Also counts books that are being pulled. Those with a preview wait for their member. */
export const readBookState = dueStateOf('subscribed_books', 'next_pull_at', 'preview_id is null')

/** By primary key, newest members first. */
export const SEALED_ACCOUNTS = serviceStatement<
  { limit: number },
  { memberId: number; sealed: string }
>(`
  select member_id as "memberId", account as sealed from subscribed_books
  order by member_id desc, book_id desc limit :limit`)
