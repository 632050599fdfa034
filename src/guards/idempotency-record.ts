/**
 * Idempotency records, kept for a day. The record of a write holds its first answer and is written in the transaction of
 * its effect: after a crash either both are there or neither. The record of a read holds no answer, only whether it was
 * charged: its retry is answered afresh.
 */

import { DAY, SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement, serviceStatement, statement } from '../db/statement.ts'
import { SWEEP_BATCH } from '../db/sweep-batch.ts'
import type { MemberReader, MemberTransaction, Reader, Transaction } from '../db/database.ts'
import type { RequestKey } from './idempotency-key.ts'

export const REPLAY_WINDOW = DAY

/** What every replay says of itself. */
export const REPLAYED = { 'idempotency-replayed': 'true' } as const

/** The answer that was given to this request before. Refuses when the key was used for another one. */
export async function findAnswer(
  reader: MemberReader,
  key: RequestKey,
  now: number,
): Promise<string | undefined> {
  const { scope, keyHash: key_hash } = key
  return answerOf(await reader.get(FIND, { scope, key_hash, now }), key)
}

/** As `findAnswer`, for requests without a credential. */
export async function findAnonymousAnswer(
  reader: Reader,
  key: RequestKey,
  now: number,
): Promise<string | undefined> {
  const { scope, keyHash: key_hash } = key
  return answerOf(await reader.get(FIND_ANONYMOUS, { scope, key_hash, now }), key)
}

/** What the record of a read holds in place of an answer: it has succeeded, and its retries are free. */
export const CHARGED = 'charged'
/** The same for a read that has only failed so far, which costs nothing. */
export const NOT_CHARGED = ''

/**
 * Bytes of records that a member stores on one day (UTC): a day's records live until the end of the next, so a member
 * never has more than twice as much. About 100,000 typical writes, or 300,000 reads.
 */
export const MAX_RECORD_BYTES_PER_DAY = 128 * 1024 * 1024

/** A record without its answer, with what its indexes take. */
const RECORD_BYTES = 400

/** After `findAnswer` found none in this same transaction: a member's transactions take turns, so none came since. */
export async function recordAnswer(
  tx: MemberTransaction,
  key: RequestKey,
  answer: string,
  now: number,
): Promise<void> {
  await countBytes(tx, RECORD_BYTES + Buffer.byteLength(answer), now)
  if ((await tx.run(RECORD, rowOf(key, answer, now))) === 0)
    throw new Error('a request was answered twice')
}

/** The first of a read's records, or its first success after failures. */
export async function recordRead(
  tx: MemberTransaction,
  key: RequestKey,
  state: typeof CHARGED | typeof NOT_CHARGED,
  now: number,
): Promise<void> {
  await countBytes(tx, RECORD_BYTES, now)
  await tx.run(RECORD_READ, rowOf(key, state, now))
}

/** @throws Refusal `rate_limited` when the member has stored as much as a day may hold. */
async function countBytes(tx: MemberTransaction, bytes: number, now: number): Promise<void> {
  const day = Math.floor(now / DAY)
  const counted = { day, bytes, max: MAX_RECORD_BYTES_PER_DAY }
  if ((await tx.run(COUNT_BYTES, counted)) > 0) return
  throw new RequestError(
    'rate_limited',
    `The requests with an Idempotency-Key of this account have reached today's limit of ${MAX_RECORD_BYTES_PER_DAY} bytes.`,
    {
      retryAfter: Math.ceil(((day + 1) * DAY - now) / SECOND),
      hint: 'Send requests that are safe to repeat without a key, or try again after midnight UTC.',
    },
  )
}

/** False when another request with this key was answered in the meantime: then its answer stands. */
export async function recordAnonymousAnswer(
  tx: Transaction,
  key: RequestKey,
  answer: string,
  now: number,
): Promise<boolean> {
  return (await tx.run(RECORD_ANONYMOUS, rowOf(key, answer, now))) > 0
}

export async function sweepIdempotencyRecords(tx: Transaction, now: number): Promise<number> {
  return (await tx.run(SWEEP, { now })) + (await tx.run(SWEEP_ANONYMOUS, { now }))
}

export function keyReused(): RequestError {
  return new RequestError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request within the last 24 hours.',
    { hint: 'Send every new request with a key of its own.' },
  )
}

function answerOf(found: Found | undefined, { fingerprint }: RequestKey): string | undefined {
  if (found && found.fingerprint !== fingerprint) throw keyReused()
  return found?.answer
}

function rowOf({ scope, keyHash: key_hash, fingerprint }: RequestKey, answer: string, now: number) {
  return { scope, key_hash, fingerprint, answer, now, expires_at: now + REPLAY_WINDOW }
}

interface Found {
  readonly fingerprint: string
  readonly answer: string
}

interface Row extends Found {
  readonly scope: string
  readonly key_hash: string
  readonly now: number
  readonly expires_at: number
}

/** By the primary keys, as is all that follows but the sweeps. */
const FIND = memberStatement<{ scope: string; key_hash: string; now: number }, Found>()(`
  select fingerprint, answer from idempotency_records
  where member_id = :member_id and scope = :scope and key_hash = :key_hash and expires_at > :now`)

const FIND_ANONYMOUS = statement<{ scope: string; key_hash: string; now: number }, Found>(`
  select fingerprint, answer from anonymous_idempotency_records
  where scope = :scope and key_hash = :key_hash and expires_at > :now`)

/** A record that has expired gives way. */
const RECORD = memberStatement<Row>()(`
  insert into idempotency_records (member_id, scope, key_hash, fingerprint, answer, expires_at)
  values (:member_id, :scope, :key_hash, :fingerprint, :answer, :expires_at)
  on conflict (member_id, scope, key_hash) do update
    set fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
    where idempotency_records.expires_at <= :now`)

/** As `RECORD`; one that says that nothing was charged gives way too. */
const RECORD_READ = memberStatement<Row>()(`
  insert into idempotency_records (member_id, scope, key_hash, fingerprint, answer, expires_at)
  values (:member_id, :scope, :key_hash, :fingerprint, :answer, :expires_at)
  on conflict (member_id, scope, key_hash) do update
    set fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
    where idempotency_records.expires_at <= :now or idempotency_records.answer = ''`)

/** Finds no row when the day is full. */
const COUNT_BYTES = memberStatement<{ day: number; bytes: number; max: number }>()(`
  update networks
  set keyed_bytes = case when keyed_day = :day then keyed_bytes + :bytes else :bytes end, keyed_day = :day
  where member_id = :member_id and (keyed_day <> :day or keyed_bytes + :bytes <= :max)`)

const RECORD_ANONYMOUS = statement<Row>(`
  insert into anonymous_idempotency_records (scope, key_hash, fingerprint, answer, expires_at)
  values (:scope, :key_hash, :fingerprint, :answer, :expires_at)
  on conflict (scope, key_hash) do update
    set fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
    where anonymous_idempotency_records.expires_at <= :now`)

/** By idempotency_records_by_expiry and anonymous_idempotency_records_by_expiry. */
const SWEEP = serviceStatement<{ now: number }>(`
  delete from idempotency_records where (member_id, scope, key_hash) in (
    select member_id, scope, key_hash from idempotency_records
    where expires_at <= :now order by expires_at limit ${SWEEP_BATCH})`)
const SWEEP_ANONYMOUS = statement<{ now: number }>(`
  delete from anonymous_idempotency_records where (scope, key_hash) in (
    select scope, key_hash from anonymous_idempotency_records
    where expires_at <= :now order by expires_at limit ${SWEEP_BATCH})`)
