/** One-time links: to join, to reset a password, to verify an email, to download an export. The link to unsubscribe does not expire. */

import { DAY, HOUR } from '../base/clock.ts'
import { hashSecret, isWellFormedSecret, newSecret } from '../base/secrets.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, statement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import type { Reader, SharedTransaction, Transaction } from '../db/database.ts'

/** The parameter with the secret, in the URLs of links and in the forms they lead to. */
export const LINK = 'link'

/** How long an emailed link works, in milliseconds. Short, because anyone who reads the mailbox meanwhile could use it. */
export const EMAILED_RESET_LIFETIME_MS = HOUR
/** How long a link works that an operator passes on. Milliseconds. */
export const RESET_LINK_LIFETIME_MS = DAY
export const VERIFY_LIFETIME_MS = DAY
/** RFC 8058 asks for one that works as long as the email is read. */
export const UNSUBSCRIBE_LIFETIME_MS = 90 * DAY

export type LinkPurpose = 'export' | 'first' | 'invite' | 'reset' | 'unsubscribe' | 'verify'

export interface OneTimeLink {
  /** A prefix of the hash, for admins. Cannot be used to sign in. */
  readonly linkId: string
  readonly purpose: LinkPurpose
  /** Null for a link to join. */
  readonly memberId: number | null
  /** The note of an invitation, or the ID of an export. */
  readonly note: string | null
  /** Where Weft sent it, in lower case; null if a person passed it on. */
  readonly email: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface NewLink {
  readonly purpose: LinkPurpose
  readonly memberId?: number
  readonly note?: string
  /** The address, and the ID of the email in the outbox. */
  readonly sentTo?: { readonly email: string; readonly emailId: string }
  /** Milliseconds. */
  readonly lifetime: number
}

const LINK_PREFIX = 'weft_otl_'
/** 48 bits. */
const ID_LENGTH = 12

/** Creates a link. Only this response contains the secret. */
export async function createLink(
  tx: SharedTransaction,
  { purpose, memberId, note, sentTo, lifetime }: NewLink,
  now: number,
): Promise<{ readonly secret: string }> {
  const secret = newSecret(LINK_PREFIX)
  await insertRow(tx, 'one_time_links', {
    link_hash: hashSecret(secret),
    purpose,
    member_id: memberId ?? null,
    note: note ?? null,
    created_at: now,
    expires_at: now + lifetime,
    email: sentTo?.email.toLowerCase() ?? null,
    email_id: sentTo?.emailId ?? null,
  })
  return { secret }
}

/** Finds the active link with this secret and one of `purposes`. */
export async function findLink(
  reader: Reader,
  secret: string,
  purposes: readonly LinkPurpose[],
  now: number,
): Promise<OneTimeLink | undefined> {
  if (!isWellFormedSecret(LINK_PREFIX, secret)) return undefined
  const row = await reader.get(LIVE, { link_hash: hashSecret(secret), purposes, now })
  return row && linkOf(row)
}

/**
 * Consumes the link in the transaction of its effect. Returns undefined for later and concurrent uses. Using one node's
 * link for the first member revokes the others.
 */
export async function takeLink(
  tx: Transaction,
  secret: string,
  purposes: readonly LinkPurpose[],
  now: number,
): Promise<OneTimeLink | undefined> {
  if (!isWellFormedSecret(LINK_PREFIX, secret)) return undefined
  const row = await tx.get(TAKE, { link_hash: hashSecret(secret), purposes, now })
  if (row?.purpose === 'first') await revokeLinksOfPurpose(tx, 'first')
  if (row?.emailId != null) await revokeLinksOfEmail(tx, row.emailId)
  return row && linkOf(row)
}

/** Revokes the links of all attempts to send an email. */
export async function revokeLinksOfEmail(tx: Transaction, emailId: string): Promise<void> {
  await tx.run(REVOKE_OF_EMAIL, { email_id: emailId })
}

/** True if a link that was sent with this email is active. */
export async function hasLinkOfEmail(
  reader: Reader,
  emailId: string,
  now: number,
): Promise<boolean> {
  return (await reader.get(LIVE_OF_EMAIL, { email_id: emailId, now })) !== undefined
}

/** Lists active links, newest first, and only the newest of an email. */
export async function listLinks(
  reader: Reader,
  purpose: LinkPurpose,
  now: number,
): Promise<OneTimeLink[]> {
  const seen = new Set<string>()
  const rows = await reader.all(LIVE_OF_PURPOSE, { purpose, now })
  const newest = rows.filter(({ linkHash, emailId }) => {
    const key = emailId ?? linkHash
    const isFirst = !seen.has(key)
    seen.add(key)
    return isFirst
  })
  return newest.map(linkOf)
}

/** Returns false if the link does not exist. */
export async function revokeLink(
  tx: Transaction,
  purpose: LinkPurpose,
  linkId: string,
): Promise<boolean> {
  if (!/^[0-9a-f]{12}$/.test(linkId)) return false
  // A range of the primary key: `g` sorts after every hex digit.
  const range = { purpose, first: linkId, beyond: `${linkId}g` }
  const row = await tx.get(REVOKE, range)
  if (row?.email_id != null) await revokeLinksOfEmail(tx, row.email_id)
  return row !== undefined
}

/** Revokes every unused link of this purpose. */
export async function revokeLinksOfPurpose(tx: Transaction, purpose: LinkPurpose): Promise<void> {
  await tx.run(REVOKE_PURPOSE, { purpose })
}

/** Revokes the reset links of a member, after a password change. */
export async function revokeLinksOfMember(tx: Transaction, memberId: number): Promise<void> {
  await tx.run(REVOKE_OF_MEMBER, { id: memberId })
}

interface LinkRow extends Omit<OneTimeLink, 'linkId'> {
  readonly linkHash: string
  readonly emailId: string | null
}

function linkOf({ linkHash, emailId: _emailId, ...link }: LinkRow): OneTimeLink {
  return { linkId: linkHash.slice(0, ID_LENGTH), ...link }
}

const COLUMNS = asProperties(
  'link_hash, purpose, member_id, note, created_at, expires_at, email, email_id',
)

interface LinkSearch {
  readonly link_hash: string
  readonly purposes: readonly LinkPurpose[]
  readonly now: number
}

/** By the primary key, like the next statement. */
const LIVE = statement<LinkSearch, LinkRow>(`
  select ${COLUMNS} from one_time_links
  where link_hash = :link_hash and purpose in (:purposes...text) and expires_at > :now`)

const TAKE = statement<LinkSearch, LinkRow>(`
  delete from one_time_links
  where link_hash = :link_hash and purpose in (:purposes...text) and expires_at > :now
  returning ${COLUMNS}`)

/** Active links by one_time_links_by_expiry; there are few. */
const LIVE_OF_PURPOSE = statement<{ purpose: LinkPurpose; now: number }, LinkRow>(`
  select ${COLUMNS} from one_time_links where purpose = :purpose and expires_at > :now
  order by created_at desc, link_hash`)

/** By one_time_links_by_expiry; there are few. */
const LIVE_OF_EMAIL = statement<{ email_id: string; now: number }, { found: number }>(
  'select 1 as found from one_time_links where expires_at > :now and email_id = :email_id limit 1',
)

const REVOKE = statement<
  { purpose: LinkPurpose; first: string; beyond: string },
  { email_id: string | null }
>(`
  delete from one_time_links where purpose = :purpose and link_hash > :first and link_hash < :beyond
  returning email_id`)

/** By one_time_links_by_expiry; there are few. */
const REVOKE_OF_EMAIL = statement<{ email_id: string }>(
  'delete from one_time_links where expires_at > 0 and email_id = :email_id',
)

const REVOKE_PURPOSE = statement<{ purpose: LinkPurpose }>(
  'delete from one_time_links where purpose = :purpose',
)

const REVOKE_OF_MEMBER = statement<{ id: number }>(
  'delete from one_time_links where member_id = :id',
)

/** Deletes expired links. By one_time_links_by_expiry. */
export const sweepLinks = sweepOf('one_time_links', 'link_hash', 'expires_at')
