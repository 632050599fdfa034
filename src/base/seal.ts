/** Encrypts values that the service must be able to return, so that stored values are unreadable without a secret. */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Bytes, of AES-256-GCM: NIST SP 800-38D. */
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16]

/** The key is derived from the secret (RFC 5869). Values sealed for one purpose cannot be unsealed for another. */
export interface SealKey {
  /** At least 128 bits of entropy. */
  readonly secret: string
  readonly purpose: string
}

/** Returns the JSON of the value encrypted, in base64url. */
export function seal(key: SealKey, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', derivedKey(key), nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
}

/** Reverses `seal`. Undefined if it was sealed with another key or is forged. */
export function unseal(key: SealKey, sealed: string): unknown {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', derivedKey(key), nonce, options)
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8')
    return JSON.parse(text + decipher.final('utf8')) as unknown
  } catch {
    return undefined
  }
}

function derivedKey({ secret, purpose }: SealKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))
}
