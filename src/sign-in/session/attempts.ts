/**
 * Limits on attempts to sign in: by address, by the name that was typed, and by the member it belongs to. The counts are
 * in the database, so all nodes share them, a restart keeps them, and no flood makes them forget an account.
 */

import { hash } from 'node:crypto'
import { DAY, HOUR, MINUTE, SECOND, type Clock } from '../../base/clock.ts'
import { statement } from '../../db/statement.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'

/** Who an attempt is made for. */
export interface Attempted {
  /** Names of one method are not those of another. */
  readonly method: 'password' | 'passkey' | 'confirmation'
  /** What was typed, or what stands for a passkey or a session; whether or not there is such an account. */
  readonly name: string
  /** The member it belongs to, if there is one. */
  readonly memberId: number | undefined
  /** Where it came from. */
  readonly address: string
}

export interface SignInAttempts {
  /**
   * Counts an attempt before it runs, so that simultaneous attempts cannot outrun the count. A rejected attempt is not
   * counted and writes nothing.
   */
  begin(attempted: Attempted): Promise<Attempt>
}

export type Attempt =
  | {
      readonly allowed: true
      /**
       * False when the member has had as many attempts as they may, under other names. The attempt has to fail, but run
       * and read like any other: that two names share a count would reveal that they are one member's.
       */
      readonly canSucceed: boolean
      /** The proof was right: clears the failures before it. Part of the transaction that signs the member in. */
      succeed(tx: Transaction): Promise<void>
      /** The attempt could not run: it does not count. */
      cancel(): Promise<void>
    }
  | {
      readonly allowed: false
      /** Seconds. */
      readonly retryAfter: number
    }

/** Consecutive failures for one account from one address before the first wait. */
const FREE_ATTEMPTS = 5
/** The waits after it: 1, 2, 4, 8 minutes, and then as long as this. Milliseconds. */
const MAX_LOCKOUT_MS = 15 * MINUTE
/** How long consecutive failures are remembered. Milliseconds. */
const FAILURES_REMEMBERED = DAY

/** For one account from everywhere, and for all accounts from one address. */
const ATTEMPTS_PER_HOUR = 100

/**
 * From an address where the member signed in this recently, the account's hourly limit does not apply: strangers who
 * try its passwords from many addresses do not lock its owner out. Milliseconds.
 */
const KNOWN_FOR = 30 * DAY

export function countSignInAttempts({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): SignInAttempts {
  return {
    async begin(attempted) {
      const now = clock.now()
      const counts = countsOf(attempted)
      // A read first: a flood of attempts that are rejected writes nothing.
      const early = verdictOf(await readWindows(database, counts, now), now)
      if (early.waits > 0) return rejected(early.waits)
      return database.write(async (tx) => {
        // The address is the first row that every attempt from there locks; the others follow in one order.
        for (const { key, length } of listOf(counts))
          await tx.run(OPEN, { key, now, ends_at: now + length })
        const { waits, canSucceed } = verdictOf(await readWindows(tx, counts, now), now)
        if (waits > 0) return rejected(waits)
        await add(tx, counts, 1, canSucceed ? 1 : 0)
        return {
          allowed: true,
          canSucceed,
          succeed: (entering) => forgive(entering, counts, now),
          cancel: () => database.write((other) => add(other, counts, -1, canSucceed ? -1 : 0)),
        } as const
      })
    },
  }
}

export async function sweepSignInAttempts(tx: Transaction, now: number): Promise<number> {
  return tx.run(SWEEP, { now })
}

interface Count {
  readonly key: string
  /** Of its window, in milliseconds. */
  readonly length: number
}

/** Consecutive failures from one address, and attempts from everywhere. */
interface AccountCounts {
  readonly pair: Count
  readonly account: Count
}

interface Counts {
  readonly address: Count
  /** By what was typed: what the person is told follows from it alone. */
  readonly name: AccountCounts
  /** By member, under whatever name. For a name without a member the same work is done for nothing. */
  readonly member: AccountCounts
  /** That the member signed in from this address. */
  readonly known: Count
}

function countsOf({ method, name, memberId, address }: Attempted): Counts {
  const typed = name.normalize('NFKC').trim().toLowerCase()
  const member = memberId === undefined ? `none ${typed}` : `member ${memberId}`
  const accountCounts = (account: string): AccountCounts => ({
    pair: { key: keyOf('pair', address, account), length: FAILURES_REMEMBERED },
    account: { key: keyOf('account', account), length: HOUR },
  })
  return {
    address: { key: keyOf('address', address), length: HOUR },
    name: accountCounts(`${method} ${typed}`),
    member: accountCounts(member),
    known: { key: keyOf('known', address, member), length: KNOWN_FOR },
  }
}

/** What an attempt adds to. */
function listOf({ address, name, member }: Counts): readonly Count[] {
  const others = [name.pair, name.account, member.pair, member.account]
  return [address, ...others.toSorted((a, b) => (a.key < b.key ? -1 : 1))]
}

function keyOf(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'), 'base64url')
}

interface Window {
  readonly used: number
  readonly endsAt: number
}

interface Windows {
  readonly address: Window
  readonly name: { readonly pair: Window; readonly account: Window }
  readonly member: { readonly pair: Window; readonly account: Window }
  readonly isKnown: boolean
}

async function readWindows(reader: Reader, counts: Counts, now: number): Promise<Windows> {
  const { address, name, member, known } = counts
  const keys = [...listOf(counts).map(({ key }) => key), known.key]
  const found = new Map((await reader.all(READ, { keys })).map((row) => [row.key_hash, row]))
  const windowOf = ({ key, length }: Count): Window => {
    const row = found.get(key)
    // A clock that was set back must not leave anyone in a window that ends far in the future.
    const isCurrent = row && row.ends_at > now && row.ends_at <= now + length
    return isCurrent ? { used: row.used, endsAt: row.ends_at } : { used: 0, endsAt: now + length }
  }
  return {
    address: windowOf(address),
    name: { pair: windowOf(name.pair), account: windowOf(name.account) },
    member: { pair: windowOf(member.pair), account: windowOf(member.account) },
    isKnown: windowOf(known).used > 0,
  }
}

/** `waits`: milliseconds; 0 or less when the attempt may run. */
function verdictOf(
  { address, name, member, isKnown }: Windows,
  now: number,
): { readonly waits: number; readonly canSucceed: boolean } {
  const waitOf = ({ pair, account }: Windows['name']) =>
    Math.max(waitOfPair(pair, now), isKnown ? 0 : waitOfHour(account, now))
  return {
    waits: Math.max(waitOfHour(address, now), waitOf(name)),
    canSucceed: waitOf(member) <= 0,
  }
}

/**
 * Each further attempt falls due later than the one before it, counted from the first failure: a person who stayed away
 * for a while has the attempts of that while.
 */
function waitOfPair({ used, endsAt }: Window, now: number): number {
  const began = endsAt - FAILURES_REMEMBERED
  return Math.min(began + dueAfter(used), endsAt) - now
}

/** When the attempt after `used` failures is due: milliseconds after the first. */
function dueAfter(used: number): number {
  let due = 0
  for (let further = 0; further <= used - FREE_ATTEMPTS; further += 1)
    due += Math.min(MINUTE * 2 ** further, MAX_LOCKOUT_MS)
  return due
}

function waitOfHour({ used, endsAt }: Window, now: number): number {
  return used < ATTEMPTS_PER_HOUR ? 0 : endsAt - now
}

function rejected(waits: number): Attempt {
  return { allowed: false, retryAfter: Math.ceil(waits / SECOND) }
}

/** The failures in a row are over; of the hourly counts only this attempt is taken back. */
async function forgive(tx: Transaction, counts: Counts, now: number): Promise<void> {
  await add(tx, counts, -1, -1)
  const { name, member, known } = counts
  for (const { key } of [name.pair, member.pair]) await tx.run(CLEAR, { key })
  const lately = { key: known.key, ends_at: now + known.length }
  await tx.run(OPEN, { ...lately, now })
  await tx.run(MARK, lately)
}

/** An attempt that cannot succeed makes the member wait no longer, but takes as much work as any. */
async function add(
  tx: Transaction,
  counts: Counts,
  added: number,
  addedToMember: number,
): Promise<void> {
  const { pair, account } = counts.member
  for (const count of listOf(counts)) {
    const isOfMember = count === pair || count === account
    await tx.run(ADD, { key: count.key, added: isOfMember ? addedToMember : added })
  }
}

/** By the primary key, as are the others. */
const READ = statement<
  { keys: readonly string[] },
  { key_hash: string; used: number; ends_at: number }
>(`select key_hash, used, ends_at from sign_in_windows where key_hash in (:keys...text)`)

/** Locks the row on either engine; a window that is over begins anew. */
const OPEN = statement<{ key: string; now: number; ends_at: number }>(`
  insert into sign_in_windows (key_hash, used, ends_at) values (:key, 0, :ends_at)
  on conflict (key_hash) do update set
    used = case when sign_in_windows.ends_at > :now and sign_in_windows.ends_at <= :ends_at
      then sign_in_windows.used else 0 end,
    ends_at = case when sign_in_windows.ends_at > :now and sign_in_windows.ends_at <= :ends_at
      then sign_in_windows.ends_at else :ends_at end`)

const ADD = statement<{ key: string; added: number }>(`
  update sign_in_windows set used = case when used + :added < 0 then 0 else used + :added end
  where key_hash = :key`)

const CLEAR = statement<{ key: string }>(
  'update sign_in_windows set used = 0 where key_hash = :key',
)

const MARK = statement<{ key: string; ends_at: number }>(
  'update sign_in_windows set used = 1, ends_at = :ends_at where key_hash = :key',
)

/** By sign_in_windows_by_end. */
const SWEEP = statement<{ now: number }>('delete from sign_in_windows where ends_at <= :now')
