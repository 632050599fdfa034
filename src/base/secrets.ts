/** Secrets that say what they are, can be told by a scanner, and are stored only as their SHA-256. */

import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const API_TOKEN_PREFIX = 'weft_pat_'

/** 32 random bytes in base62 take at most this many characters. */
const SECRET_LENGTH = 43
/** A CRC-32 in base62 takes at most this many characters. */
const CHECKSUM_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new secret: prefix, 256 random bits in base62, and a checksum of both that tells a typing error from a dead token. */
export function newSecret(prefix: string): string {
  const body = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  return prefix + body + checksum(prefix + body)
}

/** Whether `text` has the shape and checksum of a secret with this prefix. Says nothing about its being alive. */
export function isWellFormedSecret(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH) return false
  if (!text.startsWith(prefix) || !/^[0-9A-Za-z]+$/.test(text.slice(prefix.length))) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** SHA-256 in hex: what the database holds. A random 256-bit secret needs no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** The few first characters by which a person recognizes their token: prefix and four more. */
export function secretHint(secret: string, prefix: string): string {
  return secret.slice(0, prefix.length + 4)
}

function checksum(text: string): string {
  return base62(crc32(text), CHECKSUM_LENGTH)
}

function base62(value: bigint | number, length: number): string {
  let digits = ''
  if (typeof value === 'number')
    for (let rest = value; rest > 0; rest = Math.floor(rest / 62))
      digits = BASE62.charAt(rest % 62) + digits
  else
    for (let rest = value; rest > 0n; rest /= 62n)
      digits = BASE62.charAt(Number(rest % 62n)) + digits
  return digits.padStart(length, '0')
}
