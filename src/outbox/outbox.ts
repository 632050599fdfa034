/**
 * Emails to send, stored in the same transaction as their cause, so that neither a crash nor a mail server outage loses
 * one. `email/sender.ts` sends them.
 *
 * ```
 * queued ── accepted by the mail server ──▶ sent
 *   │ ▲
 *   │ └── not accepted: due again later
 *   ├── rejected, or expired         ────▶ failed
 *   └── no longer needed ─────────────────▶ dropped
 * ```
 */

import { randomBytes } from 'node:crypto'
import { DAY, HOUR } from '../base/clock.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, statement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import type { Reader, SharedTransaction, Transaction } from '../db/database.ts'

/** How long Weft tries to send an email of each kind. Milliseconds. */
const SENDING_TIME_MS = {
  invitation: 3 * DAY,
  /** A person waits for it and can request it again. */
  password_reset: HOUR,
  email_verification: DAY,
  security_notice: 3 * DAY,
  endpoint_ended: 3 * DAY,
  reading_stopped: 3 * DAY,
  /** The next one replaces it. */
  summary: 20 * HOUR,
  reminder: 3 * HOUR,
} as const

export type EmailKind = keyof typeof SENDING_TIME_MS
export type EmailState = 'queued' | 'sent' | 'failed' | 'dropped'
export const EMAIL_STATES: readonly EmailState[] = ['queued', 'sent', 'failed', 'dropped']

/** Data for the template. Never a secret, because it is stored in plain text. */
type EmailDetails = Readonly<Record<string, string | number>>

export interface NewEmail {
  readonly kind: EmailKind
  readonly memberId?: number
  /** By default, the member's address when it is sent. */
  readonly recipient?: string
  readonly details?: EmailDetails
}

export interface QueuedEmail {
  /** Random; part of the Message-ID, so that every attempt has the same one. */
  readonly emailId: string
  readonly kind: EmailKind
  readonly memberId: number | null
  readonly recipient: string | null
  readonly details: EmailDetails
  readonly state: EmailState
  readonly attempts: number
  /** The last error, without secrets; null if there was none. */
  readonly error: string | null
  readonly createdAt: number
  readonly dueAt: number
  readonly expiresAt: number
  readonly endedAt: number | null
}

/** Sent and dropped emails are kept for support, failed ones until an admin has seen them. Milliseconds. */
const KEEP_SENT_MS = 7 * DAY
const KEEP_FAILED_MS = 30 * DAY

/** Call it in the transaction of the cause. */
export async function queueEmail(
  tx: SharedTransaction,
  { kind, memberId, recipient, details = {} }: NewEmail,
  now: number,
): Promise<string> {
  const emailId = randomBytes(16).toString('hex')
  const expiresAt = now + SENDING_TIME_MS[kind]
  await insertRow(tx, 'emails', {
    email_id: emailId,
    kind,
    member_id: memberId ?? null,
    recipient: recipient ?? null,
    details: JSON.stringify(details),
    state: 'queued',
    attempts: 0,
    created_at: now,
    due_at: now,
    expires_at: expiresAt,
    lease_until: 0,
    // Without a sender, as without a mail server in the settings, it is deleted unsent.
    purge_at: expiresAt + DAY,
  })
  return emailId
}

/** The number of emails of a kind that were or will be sent to a member. */
export async function countRecentEmails(
  reader: Reader,
  memberId: number,
  kind: EmailKind,
  since: number,
): Promise<number> {
  return (await reader.get(RECENT, { of_member: memberId, kind, since }))?.emails ?? 0
}

/** When the last email of a kind was accepted by the mail server; null if none is on record. */
export async function findLastSent(
  reader: Reader,
  memberId: number,
  kind: EmailKind,
): Promise<number | null> {
  return (await reader.get(LAST_SENT, { of_member: memberId, kind }))?.ended_at ?? null
}

/** The email in its current state; undefined if it was never queued, or is no longer kept. */
export async function findEmail(reader: Reader, emailId: string): Promise<QueuedEmail | undefined> {
  const row = await reader.get(BY_ID, { email_id: emailId })
  return row && emailOf(row)
}

/**
 * Records the final state of an email, even if another worker has it, so that an accepted email is never sent again.
 */
export async function endEmail(
  tx: Transaction,
  emailId: string,
  end: { readonly state: Exclude<EmailState, 'queued'>; readonly error: string | null },
  now: number,
): Promise<void> {
  const purge_at = now + (end.state === 'failed' ? KEEP_FAILED_MS : KEEP_SENT_MS)
  await tx.run(END, { email_id: emailId, ...end, now, purge_at })
}

/** Queues a failed email again, with the same time limit as a new one. False if no failed email has this ID. */
export async function retryEmail(tx: Transaction, emailId: string, now: number): Promise<boolean> {
  const row = await tx.get(BY_ID, { email_id: emailId })
  if (row?.state !== 'failed') return false
  const expires_at = now + SENDING_TIME_MS[row.kind]
  const purge_at = expires_at + DAY
  return (await tx.run(RETRY, { email_id: emailId, now, expires_at, purge_at })) > 0
}

/** Drops an email that has not been accepted yet. It may be on its way, so revoke its links too. */
export async function dropQueuedEmail(
  tx: Transaction,
  emailId: string,
  kind: EmailKind,
  now: number,
): Promise<boolean> {
  const row = await tx.get(BY_ID, { email_id: emailId })
  if (row?.kind !== kind || (row.state !== 'queued' && row.state !== 'failed')) return false
  await endEmail(tx, emailId, { state: 'dropped', error: null }, now)
  return true
}

interface EmailFilter {
  readonly state?: EmailState | null
  readonly kind?: EmailKind | null
  readonly limit: number
}

/** Newest first. */
export async function listEmails(
  reader: Reader,
  { state = null, kind = null, limit }: EmailFilter,
): Promise<QueuedEmail[]> {
  return (await reader.all(LIST, { state, kind, limit })).map(emailOf)
}

interface OutboxState {
  readonly queued: number
  /** When the oldest queued email was created; null if none is queued. */
  readonly oldestAt: number | null
  /** Emails that were given up, of the last 30 days. */
  readonly failed: number
}

/** For metrics and `weft doctor`. */
export async function readOutbox(reader: Reader): Promise<OutboxState> {
  const row = await reader.get(STATE, {})
  return { queued: row?.queued ?? 0, oldestAt: row?.oldest_at ?? null, failed: row?.failed ?? 0 }
}

export type EmailRow = Omit<QueuedEmail, 'details'> & { readonly details: string }

export function emailOf(row: EmailRow): QueuedEmail {
  // Written only by queueEmail.
  return { ...row, details: JSON.parse(row.details) as EmailDetails }
}

export const EMAIL_COLUMNS = asProperties(
  'email_id, kind, member_id, recipient, details, state, attempts, error, created_at, due_at, expires_at, ended_at',
)

/** By emails_by_member. */
const RECENT = statement<
  { of_member: number; kind: EmailKind; since: number },
  { emails: number }
>(`
  select count(*) as emails from emails
  where member_id = :of_member and created_at > :since and kind = :kind and state in ('queued', 'sent')`)

/** By emails_by_member. */
const LAST_SENT = statement<{ of_member: number; kind: EmailKind }, { ended_at: number | null }>(`
  select max(ended_at) as ended_at from emails
  where member_id = :of_member and kind = :kind and state = 'sent'`)

const END = statement<{
  email_id: string
  state: EmailState
  error: string | null
  now: number
  purge_at: number
}>(`
  update emails set state = :state, error = :error, worker = null, lease_until = 0, ended_at = :now, purge_at = :purge_at,
    details = case when cast(:state as text) = 'failed' then details else '{}' end
  where email_id = :email_id`)

const RETRY = statement<{
  email_id: string
  now: number
  expires_at: number
  purge_at: number
}>(`
  update emails set state = 'queued', attempts = 0, due_at = :now, expires_at = :expires_at, ended_at = null,
    purge_at = :purge_at
  where email_id = :email_id and state = 'failed'`)

const BY_ID = statement<{ email_id: string }, EmailRow>(
  `select ${EMAIL_COLUMNS} from emails where email_id = :email_id`,
)

const LIST = statement<
  { state: EmailState | null; kind: EmailKind | null; limit: number },
  EmailRow
>(`
  select ${EMAIL_COLUMNS} from emails
  where (cast(:state as text) is null or state = :state) and (cast(:kind as text) is null or kind = :kind)
  order by created_at desc, email_id limit :limit`)

const STATE = statement<object, { queued: number; oldest_at: number | null; failed: number }>(`
  select count(case when state = 'queued' then 1 end) as queued,
    min(case when state = 'queued' then created_at end) as oldest_at,
    count(case when state = 'failed' then 1 end) as failed
  from emails where state in ('queued', 'failed')`)

/** Deletes emails that were sent, failed or are no longer needed. By emails_by_purge. */
export const sweepEmails = sweepOf('emails', 'email_id', 'purge_at')
