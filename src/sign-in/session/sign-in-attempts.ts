/**
 * Limits sign-in attempts per IP address, per login name as typed, and per member. The counts are in the database, so
 * all nodes share them, they survive a restart, and a flood of attempts cannot evict an account.
 */

import { t } from '../../languages/message.ts'
import { normalForm } from '../../base/normal-form.ts'
import { hash } from 'node:crypto'
import { DAY, HOUR, MINUTE, SECOND, type Clock } from '../../base/clock.ts'
import { statement } from '../../db/statement.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'

/** What an attempt is counted by. */
export interface Attempted {
  /** Each method has its own names. */
  readonly method: 'password' | 'passkey' | 'confirmation'
  /** The login name as typed, or a key for a passkey or a session. The account need not exist. */
  readonly name: string
  /** The member that the name belongs to, if any. */
  readonly memberId: number | undefined
  /** The IP address of the client. */
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
       * False when the member's attempts under other names used up the limit. The attempt must fail, but behave like any
       * other: a shared count would reveal that two names belong to one member.
       */
      readonly canSucceed: boolean
      /** Clears earlier failures. Call it in the transaction that signs the member in. */
      succeed(tx: Transaction): Promise<void>
      /** Removes from the count an attempt that could not run. */
      cancel(): Promise<void>
    }
  | {
      readonly allowed: false
      /** Seconds. */
      readonly retryAfter: number
    }

/** Consecutive failures for one account from one IP address before the first wait. */
const FREE_ATTEMPTS = 5
/** The waits are 1, 2, 4 and 8 minutes, then always this long. Milliseconds. */
const MAX_LOCKOUT_MS = 15 * MINUTE
/** How long consecutive failures are remembered. Milliseconds. */
const FAILURE_WINDOW_MS = DAY

/** For one account from all IP addresses, and for all accounts from one IP address. */
const ATTEMPTS_PER_HOUR = 100

/**
 * The account's hourly limit does not apply to IP addresses where the member signed in this recently, so a distributed
 * attack cannot lock the owner out. Milliseconds.
 */
const KNOWN_ADDRESS_WINDOW_MS = 30 * DAY

/** An attempt counts from its beginning, so that parallel attempts cannot exceed a limit. */
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
      // Read first, so that a flood of rejected attempts causes no writes.
      const early = evaluate(await readWindows(database, counts, now), now)
      if (early.wait > 0) return rejected(early.wait)
      return database.write(async (tx) => {
        // A consistent lock order: first the IP address, then the other rows by key.
        for (const { key, length } of listOf(counts))
          await tx.run(OPEN, { key, now, ends_at: now + length })
        const { wait, canSucceed } = evaluate(await readWindows(tx, counts, now), now)
        if (wait > 0) return rejected(wait)
        await add(tx, counts, 1, canSucceed ? 1 : 0)
        return {
          allowed: true,
          canSucceed,
          succeed: (entering) => clearFailures(entering, counts, now),
          cancel: () => database.write((other) => add(other, counts, -1, canSucceed ? -1 : 0)),
        } as const
      })
    },
  }
}

/** Deletes counts whose window has ended. Returns how many. */
export async function sweepSignInAttempts(tx: Transaction, now: number): Promise<number> {
  return tx.run(SWEEP, { now })
}

interface Count {
  readonly key: string
  /** The length of its window in milliseconds. */
  readonly length: number
}

/** `pair`: consecutive failures from one IP address; `account`: attempts from all of them. */
interface AccountCounts {
  readonly pair: Count
  readonly account: Count
}

interface Counts {
  readonly address: Count
  /** By the name as typed. The response depends on this count alone. */
  readonly name: AccountCounts
  /** By member, across all names. Names without a member get a dummy count, so that the timing is the same. */
  readonly member: AccountCounts
  /** Marks that the member signed in from this IP address. */
  readonly known: Count
}

function countsOf({ method, name, memberId, address }: Attempted): Counts {
  const typed = normalForm(name, 'NFKC').trim().toLowerCase()
  const member = memberId === undefined ? t('none {typed}', { typed }) : `member ${memberId}`
  const accountCounts = (account: string): AccountCounts => ({
    pair: { key: keyOf('pair', address, account), length: FAILURE_WINDOW_MS },
    account: { key: keyOf('account', account), length: HOUR },
  })
  return {
    address: { key: keyOf('address', address), length: HOUR },
    name: accountCounts(`${method} ${typed}`),
    member: accountCounts(member),
    known: { key: keyOf('known', address, member), length: KNOWN_ADDRESS_WINDOW_MS },
  }
}

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
    // If the clock was set back, no one should be stuck in a window that ends far in the future.
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

/** `wait`: milliseconds; 0 or less when the attempt may run. */
function evaluate(
  { address, name, member, isKnown }: Windows,
  now: number,
): { readonly wait: number; readonly canSucceed: boolean } {
  const waitOf = ({ pair, account }: Windows['name']) =>
    Math.max(waitOfPair(pair, now), isKnown ? 0 : waitOfHour(account, now))
  return {
    wait: Math.max(waitOfHour(address, now), waitOf(name)),
    canSucceed: waitOf(member) <= 0,
  }
}

/**
 * Each further attempt is due at a fixed time after the first failure, so attempts accumulate while a person is away.
 */
function waitOfPair({ used, endsAt }: Window, now: number): number {
  const startedAt = endsAt - FAILURE_WINDOW_MS
  return Math.min(startedAt + dueAfter(used), endsAt) - now
}

/** When the attempt after `used` failures is due, in milliseconds after the first failure. */
function dueAfter(used: number): number {
  let due = 0
  for (let further = 0; further <= used - FREE_ATTEMPTS; further += 1)
    due += Math.min(MINUTE * 2 ** further, MAX_LOCKOUT_MS)
  return due
}

function waitOfHour({ used, endsAt }: Window, now: number): number {
  return used < ATTEMPTS_PER_HOUR ? 0 : endsAt - now
}

function rejected(wait: number): Attempt {
  return { allowed: false, retryAfter: Math.ceil(wait / SECOND) }
}

/** Clears the consecutive failures, but takes only this attempt off the hourly counts. */
async function clearFailures(tx: Transaction, counts: Counts, now: number): Promise<void> {
  await add(tx, counts, -1, -1)
  const { name, member, known } = counts
  for (const { key } of [name.pair, member.pair]) await tx.run(CLEAR, { key })
  const row = { key: known.key, ends_at: now + known.length }
  await tx.run(OPEN, { ...row, now })
  await tx.run(MARK, row)
}

/** An attempt that cannot succeed does not extend the member's wait, but does the same work, so that timing is equal. */
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

/** Uses the primary key, like the statements below. */
const READ = statement<
  { keys: readonly string[] },
  { key_hash: string; used: number; ends_at: number }
>(`select key_hash, used, ends_at from sign_in_windows where key_hash in (:keys...text)`)

/** Locks the row on both engines. Restarts a window that has ended. */
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

/** Uses sign_in_windows_by_end. */
const SWEEP = statement<{ now: number }>('delete from sign_in_windows where ends_at <= :now')
