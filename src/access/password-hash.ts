/** Argon2id (RFC 9106) as PHC strings: on the thread pool, a few at a time. */

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { RequestError } from '../base/request-error.ts'

declare const hashed: unique symbol

/** `$argon2id$v=19$m=…,t=…,p=…$salt$tag`; never a password in clear, which this type tells apart. */
export type PasswordHash = string & { readonly [hashed]: true }

/** Both refuse with `unavailable` when too many passwords wait to be hashed. */
export interface PasswordHasher {
  /** With a salt of its own. */
  hash(password: string): Promise<PasswordHash>
  /** Compares in constant time. */
  matches(password: string, hash: PasswordHash): Promise<boolean>
}

interface Cost {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. About 40 ms of one processor. */
const COST: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

/** Half of libuv's threads: reading files and resolving names goes on beside a flood of sign-ins. */
const AT_ONCE = 2
/** Two or three seconds of work; whoever comes after that is told to come back. */
const MAX_WAITING = 100

/** One for a process, so that all who sign in share its turns. */
export function createPasswordHasher(): PasswordHasher {
  const takeTurn = turns(AT_ONCE, MAX_WAITING)
  return {
    hash: (password) =>
      takeTurn(async () => {
        const salt = randomBytes(SALT_BYTES)
        return format(COST, salt, await derive(password, COST, salt, TAG_BYTES))
      }),
    matches: (password, hash) =>
      takeTurn(async () => {
        const { cost, salt, tag } = parse(hash)
        return timingSafeEqual(await derive(password, cost, salt, tag.length), tag)
      }),
  }
}

/** Whether it was made at another cost than passwords are hashed at today. */
export function isOutdated(hash: PasswordHash): boolean {
  return !hash.startsWith(costPrefix(COST))
}

/** As costly to compare with as any, and no password's: its tag is all zeros. For accounts that do not exist. */
export const DUMMY_HASH: PasswordHash = format(
  COST,
  Buffer.from('nobody has this.'),
  Buffer.alloc(TAG_BYTES),
)

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
  // The one place where such a string is made.
  return `${costPrefix(cost)}${unpadded(salt)}$${unpadded(tag)}` as PasswordHash
}

/** Version 19 is 1.3, the only one that RFC 9106 describes. */
function costPrefix({ memory, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`
}

/** The PHC string format has base64 without its padding. */
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

const SHAPE =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/

function parse(hash: PasswordHash) {
  const [, memory, passes, parallelism, salt = '', tag = ''] = SHAPE.exec(hash) ?? []
  if (memory === undefined) throw new Error('a stored password is no Argon2id PHC string')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

/** `atOnce` run, the next wait in the order they came, and nobody waits behind more than `mostWaiting`. */
function turns(atOnce: number, mostWaiting: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1
    else if (waiting.length >= mostWaiting) throw tooMany()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Whoever comes next takes over the place that is left.
      if (next) next()
      else running -= 1
    }
  }
}

function tooMany(): RequestError {
  return new RequestError('unavailable', 'Too many people are signing in at this moment.', {
    hint: 'Try again in a few seconds.',
    retryAfter: 5,
  })
}
