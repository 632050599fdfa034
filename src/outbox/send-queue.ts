/** The sender's side of the outbox: claims emails with a lease, and schedules the next attempt. */

import { statement } from '../db/statement.ts'
import type { Reader, Transaction } from '../db/database.ts'
import { type QueuedEmail, type EmailRow, emailOf, EMAIL_COLUMNS } from './outbox.ts'

/** Workers that are sending an email now. */
export async function listEmailWorkers(reader: Reader, now: number): Promise<string[]> {
  return (await reader.all(WORKERS, { now })).map(({ worker }) => worker)
}

interface EmailClaim {
  readonly worker: string
  /** Workers that died while sending an email. */
  readonly dead: readonly string[]
  readonly leaseMs: number
  readonly now: number
}

/** Claims the email that has been due the longest, and counts the attempt. */
export async function claimEmail(
  tx: Transaction,
  { leaseMs, ...claim }: EmailClaim,
): Promise<QueuedEmail | undefined> {
  const row = await tx.get(CLAIM, { ...claim, lease_until: claim.now + leaseMs })
  return row && emailOf(row)
}

/** False if the worker no longer has the email. */
export async function renewEmail(
  tx: Transaction,
  emailId: string,
  { worker, leaseMs, now }: Pick<EmailClaim, 'worker' | 'leaseMs' | 'now'>,
): Promise<boolean> {
  return (await tx.run(RENEW, { email_id: emailId, worker, lease_until: now + leaseMs })) > 0
}

/** Stores the member that a request is for, and deletes what was typed. */
export async function assignEmail(
  tx: Transaction,
  emailId: string,
  memberId: number,
): Promise<void> {
  await tx.run(ASSIGN, { email_id: emailId, assigned: memberId })
}

/** Queues it for another attempt. */
export async function postponeEmail(
  tx: Transaction,
  emailId: string,
  { worker, error, dueAt }: { worker: string; error: string | null; dueAt: number },
): Promise<void> {
  await tx.run(POSTPONE, { email_id: emailId, worker, error, due_at: dueAt })
}

/** By emails_queued, like the next statement. */
const WORKERS = statement<{ now: number }, { worker: string }>(
  "select distinct worker from emails where state = 'queued' and worker is not null and lease_until > :now",
)

const CLAIMABLE = `state = 'queued' and due_at <= :now
  and (worker is null or lease_until <= :now or worker in (:dead...text))`

/** Repeats the condition, because a transaction that waited for a concurrent claim must not claim the email again. */
const CLAIM = statement<Omit<EmailClaim, 'leaseMs'> & { readonly lease_until: number }, EmailRow>(`
  update emails set worker = :worker, lease_until = :lease_until, attempts = attempts + 1
  where email_id = (select email_id from emails where ${CLAIMABLE} order by due_at limit 1) and ${CLAIMABLE}
  returning ${EMAIL_COLUMNS}`)

const RENEW = statement<{ email_id: string; worker: string; lease_until: number }>(`
  update emails set lease_until = :lease_until
  where email_id = :email_id and worker = :worker and state = 'queued'`)

const ASSIGN = statement<{ email_id: string; assigned: number }>(
  "update emails set member_id = :assigned, details = '{}' where email_id = :email_id",
)

const POSTPONE = statement<{
  email_id: string
  worker: string
  error: string | null
  due_at: number
}>(`
  update emails set worker = null, lease_until = 0, error = :error, due_at = :due_at
  where email_id = :email_id and worker = :worker and state = 'queued'`)
