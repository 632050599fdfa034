/**
 * What a form's handler hands to the page it redirects to, shown once: a new token, a link. The address must not hold
 * it, and neither may the database, so the browser carries it there and back, encrypted; decisions/0024.
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { MINUTE, SECOND } from '../base/clock.ts'
import { seeOther, type Answer } from '../http/response.ts'
import { cookiesFor } from './cookies.ts'
import type { SignedIn } from '../http/browser-request.ts'

/** Long enough for a redirect on a slow line. */
const LIFETIME_MS = MINUTE
/** Bytes, of AES-256-GCM: NIST SP 800-38D. */
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16]

export interface ResultCookies<Result> {
  /** 303 to the page that reads it. */
  redirect(location: string, member: SignedIn, result: Result): Answer
  /** What this browser session was handed for this page; undefined where there is nothing, or it was not ours. */
  read(cookies: string | undefined, member: SignedIn): Result | undefined
  /** The page, after which the browser forgets the result: loading it again shows it no more. */
  shownOnce(page: Answer): Answer
}

/** `purpose` names the page, so that no other page takes the result for its own. */
export function resultCookies<Result>(publicUrl: string, purpose: string): ResultCookies<Result> {
  const cookies = cookiesFor(publicUrl)
  return {
    redirect: (location, member, result) =>
      seeOther(location, [
        cookies.write('weft_result', seal(purpose, member, result), LIFETIME_MS / SECOND),
      ]),
    // What opens was sealed for this purpose, so it has the purpose's type.
    read: (header, member) =>
      unseal(purpose, member, cookies.read(header, 'weft_result')) as Result | undefined,
    shownOnce: (page) => ({
      ...page,
      cookies: [...(page.cookies ?? []), cookies.clear('weft_result')],
    }),
  }
}

/** Only the service and the browser of this session know what the key is made of. */
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
    // Of another session or page, or made up by whoever can set cookies here: nothing to show.
    return undefined
  }
}
