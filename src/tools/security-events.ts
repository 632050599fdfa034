/**
 * Security events: changes to who can access the account. They are in the activity log, cannot be undone, and the member
 * is notified of the important ones by email.
 */

import { phrase } from '../languages/message.ts'
import { statement } from '../db/statement.ts'
import { queueEmail } from '../outbox/outbox.ts'
import { ACCOUNT_KIND, type AdminAction, type SecurityEventName } from './activity-action.ts'
import { recordChange } from './activity.ts'
import type { MemberTransaction } from '../db/database.ts'

interface SecurityEvent {
  readonly event: SecurityEventName | AdminAction
  /** The member by default. */
  readonly actor?: string
  /** A description that the member recognizes, such as the name of a token. Never a secret. */
  readonly details?: Readonly<Record<string, string | number>>
  /** Whether the member is notified; by default for the events in `NOTIFIED`. */
  readonly notify?: boolean
  /** The address that was verified before the event, if the event changes it. */
  readonly formerEmail?: string
}

/** Notices cannot be switched off: an attacker who took over an account would do that first. */
const NOTIFIED: ReadonlySet<SecurityEventName | AdminAction> = new Set([
  'password_changed',
  'password_reset',
  'email_changed',
  'passkey_added',
  'token_created',
  'device_created',
  'device_paused',
  'agent_connected',
  'identity_linked',
])

/** The actor of changes made with the `weft` command. */
export const COMMAND_LINE = phrase('The command line')

/** Call it in the transaction of the change. */
export async function recordSecurityEvent(
  tx: MemberTransaction,
  { event, actor, details, notify = NOTIFIED.has(event), formerEmail }: SecurityEvent,
  now: number,
): Promise<void> {
  const member = await tx.shared.get(MEMBER, { id: tx.memberId })
  if (!member) throw new Error(`member ${tx.memberId} not found`)
  const by = { credentialId: null, actor: actor ?? member.name, now }
  await recordChange(tx, by, {
    action: `${ACCOUNT_KIND}.${event}`,
    subjectKind: ACCOUNT_KIND,
    subjectId: member.username,
    before: null,
    after: details ?? null,
  })
  const recipient = formerEmail ?? member.verified_email
  if (!notify || recipient === null) return
  await queueEmail(
    tx.shared,
    {
      kind: 'security_notice',
      memberId: tx.memberId,
      recipient,
      details: { event, ...details },
    },
    now,
  )
}

/** By the primary key. Notices go only to a verified address, because any other may belong to a stranger. */
const MEMBER = statement<
  { id: number },
  { username: string; name: string; verified_email: string | null }
>(`
  select username, name, case when verified_email = email then verified_email end as verified_email
  from members where member_id = :id`)
