/**
 * Idempotency records, kept for a day. That of a write holds its response and commits with the effect. That of a read holds
 * only whether it was charged; a retry runs again.
 */

import { DAY, SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement, statement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import type { MemberReader, MemberTransaction, Reader, Transaction } from '../db/database.ts'
import type { RequestKey } from './idempotency-key.ts'

export const REPLAY_WINDOW = DAY

/** Marks a replayed response. */
export const REPLAYED = { 'idempotency-replayed': 'true' } as const

/**
 * Returns the stored response.
 *
 * @throws {RequestError} `idempotency_key_reused` when the key belongs to another request.
 */
export async function findAnswer(
  reader: MemberReader,
  key: RequestKey,
  now: number,
): Promise<string | undefined> {
  const { scope, keyHash: key_hash } = key
  return answerOf(await reader.get(FIND, { scope, key_hash, now }), key)
}

/** As `findAnswer`, for anonymous requests. */
export async function findAnonymousAnswer(
  reader: Reader,
  key: RequestKey,
  now: number,
): Promise<string | undefined> {
  const { scope, keyHash: key_hash } = key
  return answerOf(await reader.get(FIND_ANONYMOUS, { scope, key_hash, now }), key)
}

/** For a successful read, whose retries are free. */
export const CHARGED = 'charged'
/** For a read that has only failed, which is free. */
export const NOT_CHARGED = ''

/**
 * Bytes per member and day (UTC): about 100,000 writes or 300,000 reads. A member never has more than twice as much,
 * because records live until the end of the next day.
 */
export const MAX_RECORD_BYTES_PER_DAY = 128 * 1024 * 1024

/** Bytes without the response, with indexes. */
const RECORD_BYTES = 400

/** Records an answer. Call after `findAnswer` found none in the same transaction. */
export async function recordAnswer(
  tx: MemberTransaction,
  key: RequestKey,
  answer: string,
  now: number,
): Promise<void> {
  await countBytes(tx, RECORD_BYTES + Buffer.byteLength(answer), now)
  if ((await tx.run(RECORD, rowOf(key, answer, now))) === 0)
    throw new Error('an idempotency record already exists for this request')
}

/** Deletes the record, so that the request runs again. */
export async function forgetAnswer(
  tx: MemberTransaction,
  { scope, keyHash: key_hash }: RequestKey,
): Promise<void> {
  await tx.run(FORGET, { scope, key_hash })
}

/** Stores the first record of a read, or its first success. */
export async function recordRead(
  tx: MemberTransaction,
  key: RequestKey,
  state: typeof CHARGED | typeof NOT_CHARGED,
  now: number,
): Promise<void> {
  await countBytes(tx, RECORD_BYTES, now)
  await tx.run(RECORD_READ, rowOf(key, state, now))
}

/** @throws {RequestError} `rate_limited` when the member has reached the daily limit. */
async function countBytes(tx: MemberTransaction, bytes: number, now: number): Promise<void> {
  const day = Math.floor(now / DAY)
  const counted = { day, bytes, max: MAX_RECORD_BYTES_PER_DAY }
  if ((await tx.run(COUNT_BYTES, counted)) > 0) return
  throw new RequestError(
    'rate_limited',
    `This account's requests with an Idempotency-Key have reached the daily limit of ${MAX_RECORD_BYTES_PER_DAY} bytes.`,
    {
      retryAfter: Math.ceil(((day + 1) * DAY - now) / SECOND),
      hint: 'Send requests that are safe to repeat without a key, or try again after midnight UTC.',
    },
  )
}

/** Returns false if another request with this key was answered first. */
export async function recordAnonymousAnswer(
  tx: Transaction,
  key: RequestKey,
  answer: string,
  now: number,
): Promise<boolean> {
  return (await tx.run(RECORD_ANONYMOUS, rowOf(key, answer, now))) > 0
}

/** Deletes a batch of expired records. Returns how many. */
export async function sweepIdempotencyRecords(tx: Transaction, now: number): Promise<number> {
  return (await sweepRecords(tx, now)) + (await sweepAnonymous(tx, now))
}

const sweepRecords = sweepOf('idempotency_records', 'member_id, scope, key_hash', 'expires_at')
const sweepAnonymous = sweepOf('anonymous_idempotency_records', 'scope, key_hash', 'expires_at')

export function keyReused(): RequestError {
  return new RequestError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request within the last 24 hours.',
    { hint: 'Use a new key for every new request.' },
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

/** By primary key, as all below except the sweeps. */
const FIND = memberStatement<{ scope: string; key_hash: string; now: number }, Found>()(`
  select fingerprint, answer from idempotency_records
  where member_id = :member_id and scope = :scope and key_hash = :key_hash and expires_at > :now`)

const FIND_ANONYMOUS = statement<{ scope: string; key_hash: string; now: number }, Found>(`
  select fingerprint, answer from anonymous_idempotency_records
  where scope = :scope and key_hash = :key_hash and expires_at > :now`)

/** Replaces an expired record. */
const RECORD = memberStatement<Row>()(`
  insert into idempotency_records (member_id, scope, key_hash, fingerprint, answer, expires_at)
  values (:member_id, :scope, :key_hash, :fingerprint, :answer, :expires_at)
  on conflict (member_id, scope, key_hash) do update
    set fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
    where idempotency_records.expires_at <= :now`)

/** As `RECORD`, and replaces a record of an uncharged read. */
const RECORD_READ = memberStatement<Row>()(`
  insert into idempotency_records (member_id, scope, key_hash, fingerprint, answer, expires_at)
  values (:member_id, :scope, :key_hash, :fingerprint, :answer, :expires_at)
  on conflict (member_id, scope, key_hash) do update
    set fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
    where idempotency_records.expires_at <= :now or idempotency_records.answer = ''`)

/** Updates no row when the daily limit is reached. */
const COUNT_BYTES = memberStatement<{ day: number; bytes: number; max: number }>()(`
  update networks
  set keyed_bytes = case when keyed_day = :day then keyed_bytes + :bytes else :bytes end, keyed_day = :day
  where member_id = :member_id and (keyed_day <> :day or keyed_bytes + :bytes <= :max)`)

const FORGET = memberStatement<{ scope: string; key_hash: string }>()(`
  delete from idempotency_records
  where member_id = :member_id and scope = :scope and key_hash = :key_hash`)

const RECORD_ANONYMOUS = statement<Row>(`
  insert into anonymous_idempotency_records (scope, key_hash, fingerprint, answer, expires_at)
  values (:scope, :key_hash, :fingerprint, :answer, :expires_at)
  on conflict (scope, key_hash) do update
    set fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
    where anonymous_idempotency_records.expires_at <= :now`)
