/** Secrets with a type prefix and a checksum, which scanners can detect. Stored only as SHA-256. */

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const API_TOKEN_PREFIX = 'weft_pat_'

/** Maximum length of 32 random bytes in base62. */
const SECRET_LENGTH = 43
/** Maximum length of a CRC-32 in base62. */
const CHECKSUM_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new secret: prefix, 256 random bits in base62, and a checksum that tells a typo from a revoked token. */
export function newSecret(prefix: string): string {
  const body = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  return prefix + body + checksum(prefix + body)
}

/** Whether `text` has the format and checksum of a secret with this prefix. It may still be expired or revoked. */
export function isWellFormedSecret(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH) return false
  if (!text.startsWith(prefix) || !/^[0-9A-Za-z]+$/.test(text.slice(prefix.length))) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** SHA-256 in hex, as stored in the database. A random 256-bit secret needs no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Whether two texts are the same, in a time that tells nothing about them but their lengths. */
export function isSameSecret(one: string, other: string): boolean {
  const [sent, expected] = [Buffer.from(one), Buffer.from(other)]
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

/** The first characters, by which people recognize a token: the prefix and four more. */
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
