/** Argon2id (RFC 9106) hashes as PHC strings, computed on the thread pool with limited concurrency. */

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { KeyedSemaphore } from '../../base/concurrency/keyed-semaphore.ts'
import { RequestError } from '../../base/request-error.ts'

declare const hashed: unique symbol

/** `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, as a type of its own. */
export type PasswordHash = string & { readonly [hashed]: true }

/** Rejects with `unavailable` if too many passwords are waiting. */
export interface PasswordHasher {
  /** Uses a new salt. */
  hash(password: string): Promise<PasswordHash>
  /** Compares in constant time. */
  matches(password: string, hash: PasswordHash): Promise<boolean>
  /** True if the cost parameters differ. */
  isOutdated(hash: PasswordHash): boolean
  /** Matches no password, at the usual cost. */
  readonly dummy: PasswordHash
}

interface Cost {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP: 19 MiB, two passes, one lane. About 40 ms. */
const COST: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

/** Half of libuv's threads. */
const AT_ONCE = 2
/** Two or three seconds of work. */
const MAX_WAITING = 100

/** Creates the hasher of a process. Only tests give another cost. */
export function createPasswordHasher(ownCost = COST): PasswordHasher {
  const semaphore = new KeyedSemaphore<0>({ permits: AT_ONCE })
  const takeTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (semaphore.waiting >= MAX_WAITING) throw tooMany()
    return semaphore.run(0, work)
  }
  return {
    hash: async (password) =>
      takeTurn(async () => {
        const salt = randomBytes(SALT_BYTES)
        return format(ownCost, salt, await derive(password, ownCost, salt, TAG_BYTES))
      }),
    matches: async (password, hash) =>
      takeTurn(async () => {
        const { cost, salt, tag } = parse(hash)
        return timingSafeEqual(await derive(password, cost, salt, tag.length), tag)
      }),
    isOutdated: (hash) => !hash.startsWith(costPrefix(ownCost)),
    dummy: format(ownCost, Buffer.from('nobody has this.'), Buffer.alloc(TAG_BYTES)),
  }
}

function derive(
  password: string,
  cost: Cost,
  nonce: Uint8Array,
  tagLength: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message: password, nonce, tagLength, ...cost }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    )
  })
}

function format(cost: Cost, salt: Buffer, tag: Buffer): PasswordHash {
  // The only place that creates this type.
  return `${costPrefix(cost)}${unpadded(salt)}$${unpadded(tag)}` as PasswordHash
}

/** Version 19 is 1.3. */
function costPrefix({ memory, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`
}

/** PHC strings use base64 without padding. */
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

const SHAPE =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/

function parse(hash: PasswordHash) {
  const [, memory, passes, parallelism, salt = '', tag = ''] = SHAPE.exec(hash) ?? []
  if (memory === undefined) throw new Error('a stored password is not an Argon2id PHC string')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function tooMany(): RequestError {
  return new RequestError('unavailable', 'Too many people are signing in at the moment.', {
    hint: 'Try again in a few seconds.',
    retryAfter: 5,
  })
}
