/**
 * Decides, just before an email is sent, whether it is still needed, who gets it and what it says. Links are created
 * here, in the transaction that claims the email, so the outbox never contains a link and the database contains only
 * its hash.
 */

import { createLink } from '../access/one-time-link.ts'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { inLanguage } from '../languages/language.ts'
import { ACCOUNT_PATH } from '../html/site-map.ts'
import { readLanguage } from '../members/language.ts'
import { findMember } from '../members/member.ts'
import { type Member } from '../members/member-row.ts'
import { isEmailVerified } from '../members/verified-email.ts'
import { countRecentEmails, type EmailKind, type QueuedEmail } from '../outbox/outbox.ts'
import { assignEmail } from '../outbox/send-queue.ts'
import { findAccount } from '../sign-in/session/account.ts'
import { joinAddress, resetAddress, verifyAddress } from '../sign-in/session/link-address.ts'
import {
  invitationEmail,
  noticeEmail,
  passwordResetEmail,
  verificationEmail,
  type ComposedEmail,
} from './compose.ts'
import type { Transaction } from '../db/database.ts'

interface PrepareDeps {
  readonly publicUrl: string
  readonly now: number
}

export interface PreparedEmail extends ComposedEmail {
  readonly to: string
}

/** Short, because anyone who reads the mailbox meanwhile could use it. Milliseconds. */
const RESET_LIFETIME_MS = HOUR
const VERIFY_LIFETIME_MS = DAY
/** Password resets per member and hour; further requests are dropped. */
const MAX_RESETS_PER_HOUR = 3

/** Undefined if the email is no longer needed, such as for a member who has left. */
export function prepareEmail(
  tx: Transaction,
  email: QueuedEmail,
  deps: PrepareDeps,
): Promise<PreparedEmail | undefined> {
  return PREPARE[email.kind](tx, email, deps)
}

type Prepare = (
  tx: Transaction,
  email: QueuedEmail,
  deps: PrepareDeps,
) => Promise<PreparedEmail | undefined>

const PREPARE: Readonly<Record<EmailKind, Prepare>> = {
  async invitation(tx, { emailId, recipient, details, createdAt }, { publicUrl, now }) {
    const days = Number(details['days'])
    const lifetime = createdAt + days * DAY - now
    if (recipient === null || lifetime <= 0) return undefined
    const note = String(details['note'] ?? '')
    const { secret } = await createLink(
      tx,
      {
        purpose: 'invite',
        lifetime,
        sentTo: { email: recipient, emailId },
        ...(note !== '' && { note }),
      },
      now,
    )
    const url = joinAddress(publicUrl, secret)
    return { to: recipient, ...invitationEmail({ publicUrl }, { url, days }) }
  },

  async password_reset(tx, email, { publicUrl, now }) {
    const member = await memberToReset(tx, email, now)
    if (member?.email == null || member.disabledAt !== null) return undefined
    const { memberId, username, email: to } = member
    const sentTo = { email: to, emailId: email.emailId }
    const link = { purpose: 'reset', memberId, lifetime: RESET_LIFETIME_MS, sentTo } as const
    const { secret } = await createLink(tx, link, now)
    const url = resetAddress(publicUrl, secret)
    const minutes = RESET_LIFETIME_MS / MINUTE
    return await inOwnLanguage(tx, memberId, () => ({
      to,
      ...passwordResetEmail({ publicUrl }, { url, username, minutes }),
    }))
  },

  async email_verification(tx, { emailId, memberId, recipient }, { publicUrl, now }) {
    const member = memberId === null ? undefined : await findMember(tx, memberId)
    if (member?.email == null || member.email !== recipient) return undefined
    if (await isEmailVerified(tx, member.memberId)) return undefined
    const { username, email: to } = member
    const sentTo = { email: to, emailId }
    const { secret } = await createLink(
      tx,
      { purpose: 'verify', memberId: member.memberId, lifetime: VERIFY_LIFETIME_MS, sentTo },
      now,
    )
    const url = verifyAddress(publicUrl, secret)
    const hours = VERIFY_LIFETIME_MS / HOUR
    return await inOwnLanguage(tx, member.memberId, () => ({
      to,
      ...verificationEmail({ publicUrl }, { url, username, hours }),
    }))
  },

  async security_notice(tx, { memberId, recipient, details, createdAt }, { publicUrl }) {
    const member = memberId === null ? undefined : await findMember(tx, memberId)
    const to = recipient ?? member?.email
    if (!member || to == null) return undefined
    const { event, ...facts } = details
    const reviewUrl = `${publicUrl}${ACCOUNT_PATH}`
    const { username } = member
    const notice = { event: String(event), username, at: createdAt, details: facts, reviewUrl }
    return await inOwnLanguage(tx, member.memberId, () => ({
      to,
      ...noticeEmail({ publicUrl }, notice),
    }))
  },
}

/** Writes an email in the language that the member chose; in English if there is none. */
async function inOwnLanguage<T>(tx: Transaction, memberId: number, write: () => T): Promise<T> {
  return inLanguage((await readLanguage(tx, memberId)) ?? 'en', write)
}

/** The account is looked up here instead of on the request, so that the response cannot depend on whether it exists. */
async function memberToReset(
  tx: Transaction,
  { emailId, memberId, details }: QueuedEmail,
  now: number,
): Promise<Member | undefined> {
  if (memberId !== null) return findMember(tx, memberId)
  const account = await findAccount(tx, String(details['login'] ?? ''))
  if (!account) return undefined
  const recent = await countRecentEmails(tx, account.memberId, 'password_reset', now - HOUR)
  if (recent >= MAX_RESETS_PER_HOUR) return undefined
  await assignEmail(tx, emailId, account.memberId)
  return findMember(tx, account.memberId)
}
