/**
 * Decides, just before an email is sent, whether it is still needed, who gets it and what it says. Links are created
 * here, in the transaction that claims the email, so the outbox never contains a link and the database contains only
 * its hash.
 */

import {
  createLink,
  EMAILED_RESET_LIFETIME_MS,
  UNSUBSCRIBE_LIFETIME_MS,
  VERIFY_LIFETIME_MS,
} from '../access/one-time-link.ts'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { inLanguage } from '../languages/language.ts'
import { ACCOUNT_PATH } from '../html/site-map.ts'
import { readLanguage } from '../members/member-language.ts'
import { findMember, memberTimeZone } from '../members/member.ts'
import { type Member } from '../members/member-row.ts'
import { isEmailVerified } from '../members/verified-email.ts'
import { countRecentEmails, type EmailKind, type QueuedEmail } from '../outbox/outbox.ts'
import { assignEmail } from '../outbox/send-queue.ts'
import { findAccount } from '../sign-in/session/find-account.ts'
import {
  joinAddress,
  resetAddress,
  unsubscribeAddress,
  verifyAddress,
} from '../sign-in/session/one-time-link-url.ts'
import {
  endpointEndedEmail,
  invitationEmail,
  noticeEmail,
  passwordResetEmail,
  readingStoppedEmail,
  verificationEmail,
} from './compose.ts'
import type { ComposedEmail } from './email-layout.ts'
import { readReminderSettings } from '../reminders/reminder-settings.ts'
import { reminderEmail, summaryEmail, type Subscriber } from './summary-email.ts'
import type { Transaction } from '../db/database.ts'

interface PrepareDeps {
  readonly publicUrl: string
  readonly now: number
}

export interface PreparedEmail extends ComposedEmail {
  readonly to: string
  /** Link that ends these emails, if a member can end them. */
  readonly unsubscribeUrl?: string
}

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
    const link = {
      purpose: 'reset',
      memberId,
      lifetime: EMAILED_RESET_LIFETIME_MS,
      sentTo,
    } as const
    const { secret } = await createLink(tx, link, now)
    const url = resetAddress(publicUrl, secret)
    const minutes = EMAILED_RESET_LIFETIME_MS / MINUTE
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

  async endpoint_ended(tx, { memberId, details }, { publicUrl }) {
    const member = memberId === null ? undefined : await findMember(tx, memberId)
    if (member?.email == null) return undefined
    const { email: to } = member
    const ended = { name: String(details['name']), reason: String(details['reason']) }
    return await inOwnLanguage(tx, member.memberId, () => ({
      to,
      ...endpointEndedEmail({ publicUrl }, ended),
    }))
  },

  async reading_stopped(tx, { memberId, details }, { publicUrl }) {
    const member = memberId === null ? undefined : await findMember(tx, memberId)
    if (member?.email == null) return undefined
    const { email: to } = member
    const stopped = {
      source: details['source'] === 'calendar' ? 'calendar' : 'address_book',
      name: String(details['name']),
      error: String(details['error']),
    } as const
    return await inOwnLanguage(tx, member.memberId, () => ({
      to,
      ...readingStoppedEmail({ publicUrl }, stopped),
    }))
  },

  summary: (tx, email, deps) =>
    toSubscriber(tx, email, deps, (subscriber) => {
      const { details } = email
      return summaryEmail(subscriber, {
        day: String(details['day']),
        days: Number(details['days']),
      })
    }),

  reminder: (tx, email, deps) =>
    toSubscriber(tx, email, deps, (subscriber) =>
      reminderEmail(subscriber, Number(email.details['follow_up'])),
    ),
}

/** Emails that the member asked for, as long as they still do. Each has a link that ends them. */
async function toSubscriber(
  tx: Transaction,
  { emailId, memberId }: QueuedEmail,
  { publicUrl, now }: PrepareDeps,
  write: (subscriber: Subscriber) => Promise<ComposedEmail | undefined>,
): Promise<PreparedEmail | undefined> {
  const member = memberId === null ? undefined : await findMember(tx, memberId)
  if (!member || member.email === null || member.disabledAt !== null) return undefined
  const { email: to } = member
  const db = tx.member(member.memberId)
  const settings = await readReminderSettings(db)
  if (settings.email === 'off') return undefined
  const timeZone = await memberTimeZone(tx, member.memberId)
  const language = (await readLanguage(tx, member.memberId)) ?? 'en'
  const written = await inLanguage(language, () => write({ db, settings, timeZone, publicUrl }))
  if (!written) return undefined
  const { secret } = await createLink(
    tx,
    {
      purpose: 'unsubscribe',
      memberId: member.memberId,
      lifetime: UNSUBSCRIBE_LIFETIME_MS,
      sentTo: { email: to, emailId },
    },
    now,
  )
  return { to, ...written, unsubscribeUrl: unsubscribeAddress(publicUrl, secret) }
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
