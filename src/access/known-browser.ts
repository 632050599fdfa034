/**
 * Browsers in which a member has signed in before, by a cookie that only distinguishes them and cannot be used to sign
 * in.
 */

import { createHmac } from 'node:crypto'
import { DAY } from '../base/clock.ts'
import { hashSecret, isSameSecret, isWellFormedSecret, newSecret } from '../base/secrets.ts'
import { deleteRow } from '../db/change-row.ts'
import { insertRow } from '../db/insert-row.ts'
import { memberStatement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import { cookiesFor } from './cookies.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'

const BROWSER_PREFIX = 'weft_brw_'
/** Browsers keep cookies for 400 days at most (RFC 6265bis section 5.5). */
const LIFETIME_MS = 400 * DAY
/** The most recent ones of a member. */
const MAX_KNOWN_BROWSERS = 50

/** The value that the browser sent, if it is well-formed. */
export function readBrowserCookie(
  publicUrl: string,
  header: string | undefined,
): string | undefined {
  const secret = cookiesFor(publicUrl).read(header, 'weft_browser')
  return secret !== undefined && isWellFormedSecret(BROWSER_PREFIX, secret) ? secret : undefined
}

/** A `Set-Cookie` value. */
export function browserCookie(publicUrl: string, secret: string): string {
  return cookiesFor(publicUrl).write('weft_browser', secret, LIFETIME_MS / 1000)
}

interface BrowserVisit {
  readonly secret: string
  /** Whether the member has never signed in with this browser. */
  readonly isNew: boolean
}

/** Remembers the browser of a sign-in, under a new secret if it sent none. */
export async function recordBrowser(
  tx: MemberTransaction,
  sent: string | undefined,
  now: number,
): Promise<BrowserVisit> {
  const secret = sent ?? newSecret(BROWSER_PREFIX)
  const browser_hash = hashSecret(secret)
  const isNew = (await tx.run(SEEN, { browser_hash, now })) === 0
  if (isNew) {
    await tx.run(FORGET_OLDEST, { kept: MAX_KNOWN_BROWSERS - 1 })
    await insertRow(tx, 'known_browsers', { browser_hash, seen_at: now })
  }
  return { secret, isNew }
}

/**
 * The part of a form token that tells which member loaded the form. It is valid as long as the browser keeps its cookie,
 * so it also identifies the member of a session that has ended. Without the cookie, no one can create it.
 */
export function formOwner(browserSecret: string, memberId: number): string {
  const proof = createHmac('sha256', browserSecret).update(`form of ${memberId}`)
  return `${memberId.toString(36)}.${proof.digest('base64url')}`
}

/** The member who loaded a form with this token in this browser. Undefined if the token does not prove it. */
export function readFormOwner(browserSecret: string, formToken: string): number | undefined {
  const [, id = '', proof = ''] = formToken.split('.', 3)
  const memberId = /^[0-9a-z]{1,10}$/.test(id) ? parseInt(id, 36) : 0
  const isProven = isSameSecret(`${id}.${proof}`, formOwner(browserSecret, memberId))
  return isProven ? memberId : undefined
}

/** Whether the member has signed in with this browser before. */
export async function isKnownBrowser(reader: MemberReader, secret: string): Promise<boolean> {
  return (await reader.get(KNOWN, { browser_hash: hashSecret(secret) })) !== undefined
}

/** After a password reset, every browser is new. */
export async function deleteKnownBrowsers(tx: MemberTransaction): Promise<void> {
  await deleteRow(tx, 'known_browsers', {})
}

/** By the primary key. */
const KNOWN = memberStatement<{ browser_hash: string }, { seen_at: number }>()(
  'select seen_at from known_browsers where member_id = :member_id and browser_hash = :browser_hash',
)

const SEEN = memberStatement<{ browser_hash: string; now: number }>()(`
  update known_browsers set seen_at = :now where member_id = :member_id and browser_hash = :browser_hash`)

const FORGET_OLDEST = memberStatement<{ kept: number }>()(`
  delete from known_browsers where member_id = :member_id and browser_hash not in (
    select browser_hash from known_browsers where member_id = :member_id
    order by seen_at desc, browser_hash limit :kept)`)

/** Deletes browsers without a sign-in for 400 days. By known_browsers_by_seen. */
export const sweepKnownBrowsers = sweepOf(
  'known_browsers',
  'member_id, browser_hash',
  'seen_at',
  LIFETIME_MS,
)
