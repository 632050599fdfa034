/** One pull of an address book: reads the cards that have changed, and gives them to an import. Nothing is written there. */

import { nextAttemptAt } from '../base/concurrency/due-work.ts'
import { MEGABYTE } from '../base/format-bytes.ts'
import { MINUTE, type Clock } from '../base/clock.ts'
import { holdsCard } from '../contact-files/vcard/vcard.ts'
import { memberStatement } from '../db/statement.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { findActiveJob, findJob } from '../jobs/start-job.ts'
import { phrase, type Message } from '../languages/message.ts'
import { queueEmail } from '../outbox/outbox.ts'
import { BookError, UNREACHABLE } from './book-error.ts'
import {
  claimBook,
  recordPull,
  requireBook,
  unsealAccount,
  type DueBook,
  type PulledBook,
} from './book-store.ts'
import { listChangedCards, readCards, type ListedCard } from './changed-cards.ts'
import { createDavClient, type DavDeps } from './dav-client.ts'
import { startImport, uploadCards } from './import-book.ts'
import {
  countUnread,
  isUnchanged,
  readKnown,
  rememberCard,
  writeKnown,
  type KnownCards,
} from './known-cards.ts'
import type { Database, MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'

export interface BookDeps extends DavDeps {
  readonly database: Database
  readonly clock: Clock
  /** The secret with which accounts are sealed. Throws a RequestError if the service has none. */
  readonly sealSecret: () => string
  /** Notifies the worker that a job is queued. */
  readonly wake: () => void
}

export const PULL_INTERVAL_MS = 30 * MINUTE
/** Before the rest of a large book, and while another import of the member runs. */
const PAUSE_MS = MINUTE
/** Limits the cards of one import; more follow with the next pull. Longer texts are no cards. */
const MAX_PULL_BYTES = 8 * MEGABYTE
/** Both are shorter than the lease of a book: for its cards, and for all with the wait for permits. */
const [MAX_PULL_MS, MAX_WAIT_MS] = [4 * MINUTE, 8 * MINUTE]
/** Cards that cannot be read, after which the server is not asked for more. */
const MAX_FAILED_CARDS = 20

/** Pulls a book that is due. Returns false if another process has taken it. */
export async function pullBook(
  deps: BookDeps,
  { memberId, bookId }: DueBook,
  signal?: AbortSignal,
): Promise<boolean> {
  const db = deps.database.member(memberId)
  const book = await db.write((tx) => claimBook(tx, bookId, deps.clock.now()))
  if (!book) return false
  if (await findActiveJob(db, fileImportJob.kind)) {
    await db.write((tx) => postpone(tx, book, deps.clock.now()))
    return true
  }
  try {
    const pulled = await readChanges(deps, db, book, signal)
    // A request that was ended is not a failure of the book.
    signal?.throwIfAborted()
    if (await db.write((tx) => storePull(tx, book, pulled, deps.clock.now()))) deps.wake()
    return true
  } catch (error) {
    await db.write((tx) => postpone(tx, book, deps.clock.now()))
    throw error
  }
}

/** Tries again in a minute, without a new state. */
async function postpone(tx: MemberTransaction, book: PulledBook, now: number): Promise<void> {
  await recordPull(tx, book.bookId, { ...book, previewId: null, nextPullAt: now + PAUSE_MS })
}

interface Pulled {
  readonly text: string
  readonly known: KnownCards
  readonly syncToken: string | null
  /** Whether there is more to read. */
  readonly isMore: boolean
  readonly failed: number
  readonly error?: BookError
  /** Whether the last import did not end well, so that all cards are read again. */
  readonly isAgain: boolean
}

/** Cards that were read before an error are kept. */
async function readChanges(
  deps: BookDeps,
  db: MemberDatabase,
  book: PulledBook,
  signal: AbortSignal | undefined,
): Promise<Pulled> {
  const isAgain = await hasFailed(db, book)
  // Before the first import, all cards are read, because an earlier preview may have expired.
  const isWhole = isAgain || book.jobId === null
  const known: KnownCards = isWhole ? new Map() : readKnown(book.known)
  const syncToken = isWhole ? null : book.syncToken
  const reading: Reading = { texts: [], bytes: 0, failed: 0, isMore: false }
  const pulled = (after: Partial<Pulled>): Pulled => {
    const { texts, failed, isMore } = reading
    return { text: texts.join(''), known, syncToken, isMore, failed, isAgain, ...after }
  }
  const limit = AbortSignal.timeout(MAX_WAIT_MS)
  const ending = signal ? AbortSignal.any([signal, limit]) : limit
  try {
    const account = unsealAccount(deps.sealSecret(), db.memberId, book.account)
    if (!account) throw new BookError(UNSEALABLE, { isFinal: true })
    const client = createDavClient(deps, account, { memberId: db.memberId, signal: ending })
    const url = new URL(account.url)
    const { cards, token } = await listChangedCards(client, url, syncToken)
    const changed = cards.filter((one) => !isUnchanged(known, one))
    if (known.size === 0 && (await areOwn(db, changed)))
      throw new BookError(OWN_BOOK, { isFinal: true })
    await readInto(reading, known, readCards(client, url, changed))
    return pulled(reading.isMore || reading.failed > 0 ? {} : { syncToken: token })
  } catch (error) {
    if (error instanceof BookError) return pulled({ error })
    // While it waited for a permit.
    if (error === limit.reason) return pulled({ error: new BookError(UNREACHABLE) })
    throw error
  }
}

const UNSEALABLE: Message = {
  source: phrase('has a password that can no longer be decrypted. Add it again'),
}

const OWN_BOOK: Message = {
  source: phrase('is the one that your contacts apps read from Weft. Remove it'),
}

interface Reading {
  readonly texts: string[]
  bytes: number
  failed: number
  isMore: boolean
}

async function readInto(
  reading: Reading,
  known: KnownCards,
  cards: ReturnType<typeof readCards>,
): Promise<void> {
  const startedAt = performance.now()
  for await (const { text, error, ...listed } of cards) {
    if (reading.bytes >= MAX_PULL_BYTES || performance.now() - startedAt >= MAX_PULL_MS) {
      reading.isMore = true
      return
    }
    if (error) {
      reading.failed += 1
      if (reading.failed >= MAX_FAILED_CARDS) throw error
      continue
    }
    const isCard =
      text !== undefined && text.length <= MAX_PULL_BYTES && holdsCard(text.slice(0, HEAD_LENGTH))
    if (!rememberCard(known, listed, isCard ? text : undefined) || !isCard) continue
    reading.texts.push(text, '\r\n')
    reading.bytes += text.length
  }
}

/** A card begins with its first line. */
const HEAD_LENGTH = 1000

/** Whether the last import of the book did not end well, so that its cards are read again. */
async function hasFailed(reader: MemberReader, { jobId }: PulledBook): Promise<boolean> {
  const job = jobId === null ? undefined : await findJob(reader, jobId)
  return job?.state === 'failed' || job?.state === 'cancelled'
}

/** Whether these are the cards that contacts apps read here: the ETags are hashes of their bytes. */
async function areOwn(reader: MemberReader, cards: readonly ListedCard[]): Promise<boolean> {
  const some = new Map(cards.slice(0, 100).map(({ name, etag }) => [name, etag]))
  if (some.size === 0) return false
  const own = await reader.all(OWN_CARDS, { names: [...some.keys()] })
  return own.some(({ name, etag }) => some.get(name) === etag)
}

/** Returns whether an import was started. */
async function storePull(
  tx: MemberTransaction,
  book: PulledBook,
  pulled: Pulled,
  now: number,
): Promise<boolean> {
  const { text, known, syncToken, failed, error, isAgain } = pulled
  await requireBook(tx, book.bookId)
  if (text !== '' && (await findActiveJob(tx, fileImportJob.kind))) {
    await postpone(tx, book, now)
    return false
  }
  const upload = text === '' ? undefined : await uploadCards(tx, book, text, now)
  const isFirst = book.jobId === null
  const jobId =
    upload && !isFirst ? (await startImport(tx, upload.upload_id, now)).job.job_id : null
  const preview = isFirst ? upload : undefined
  const isFailure = error ? error.retryAfterMs === undefined : isAgain
  const failures = isFailure ? book.failures + 1 : 0
  const problem = error?.text ?? (isAgain ? IMPORTED_AGAIN : null)
  const next = nextPullAt(pulled, failures, now)
  const stored = problem && JSON.stringify(problem)
  // After a failed attempt of a member, the page shows it.
  const isNews = book.error === null || book.failures > 0
  if (next === null && stored !== null && isNews) {
    const details = { source: 'address_book', name: book.name, error: stored }
    await queueEmail(tx.shared, { kind: 'reading_stopped', memberId: tx.memberId, details }, now)
  }
  await recordPull(tx, book.bookId, {
    syncToken,
    known: writeKnown(known),
    unread: countUnread(known) + failed,
    jobId: jobId ?? book.jobId,
    previewId: preview?.upload_id ?? null,
    leasedUntil: preview?.expires_at ?? 0,
    error: stored,
    failures,
    nextPullAt: next,
    pulledAt: error ? book.pulledAt : now,
  })
  return jobId !== null
}

const IMPORTED_AGAIN: Message = {
  source: phrase('was read again, because its last import failed or was canceled'),
}

/** Null if only the member can help. */
function nextPullAt({ error, isMore }: Pulled, failures: number, now: number): number | null {
  if (error?.isFinal === true) return null
  if (error?.retryAfterMs !== undefined) return now + error.retryAfterMs
  if (isMore) return now + PAUSE_MS
  return failures === 0 ? now + PULL_INTERVAL_MS : nextAttemptAt(failures, PULL_INTERVAL_MS, now)
}

/** By cards_by_name. */
const OWN_CARDS = memberStatement<
  { names: readonly string[] },
  { name: string; etag: string | null }
>()(`
  select c.name, c.etag from cards c each (name = :names...text)
  where c.member_id = :member_id and c.etag is not null`)
