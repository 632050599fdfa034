/**
 * Passes a form's result, such as a new token or link, to the page it redirects to, which shows it once. Neither the URL
 * nor the database may hold it, so the browser carries it in an encrypted cookie (decisions/0024).
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { MINUTE, SECOND } from '../base/clock.ts'
import { seeOther, type Answer } from '../http/response.ts'
import { cookiesFor } from './cookies.ts'
import type { SignedIn } from '../http/browser-request.ts'

/** Long enough for a redirect on a slow connection. */
const LIFETIME_MS = MINUTE
/** Bytes, of AES-256-GCM: NIST SP 800-38D. */
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16]

interface ResultCookies<Result> {
  /** Redirects (303) to the page that reads the result. */
  redirect(location: string, member: SignedIn, result: Result): Answer
  /** The result for this session and page; undefined if there is none or it is not authentic. */
  read(cookies: string | undefined, member: SignedIn): Result | undefined
  /** The page, with a header that deletes the result: reloading does not show it again. */
  shownOnce(page: Answer): Answer
}

/** `purpose` identifies the page, so that no other page accepts the result. */
export function resultCookies<Result>(publicUrl: string, purpose: string): ResultCookies<Result> {
  const cookies = cookiesFor(publicUrl)
  return {
    redirect: (location, member, result) =>
      seeOther(location, [
        cookies.write('weft_result', seal(purpose, member, result), LIFETIME_MS / SECOND),
      ]),
    // Decryption succeeds only for this purpose, so the value has the purpose's type.
    read: (header, member) =>
      unseal(purpose, member, cookies.read(header, 'weft_result')) as Result | undefined,
    shownOnce: (page) => ({
      ...page,
      cookies: [...(page.cookies ?? []), cookies.clear('weft_result')],
    }),
  }
}

/** Only the service and this session's browser can derive the key. */
function keyOf(purpose: string, { sessionId }: SignedIn): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', sessionId, '', `weft result ${purpose}`, KEY_BYTES))
}

function seal(purpose: string, member: SignedIn, result: unknown): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(purpose, member), nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(result), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
}

function unseal(purpose: string, member: SignedIn, sealed: string | undefined): unknown {
  const bytes = Buffer.from(sealed ?? '', 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', keyOf(purpose, member), nonce, options)
  decipher.setAuthTag(tag)
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8')
    return JSON.parse(text + decipher.final('utf8')) as unknown
  } catch {
    // The cookie is forged or belongs to another session or page. Ignore it.
    return undefined
  }
}
