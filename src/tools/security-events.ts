/** Security events in the activity log: changes to who can access the account. They cannot be undone. */

import { statement } from '../db/statement.ts'
import { ACCOUNT_KIND, type SecurityEventName } from './activity-action.ts'
import { manualActor, recordChange } from './activity.ts'
import type { MemberTransaction } from '../db/database.ts'

interface SecurityEvent {
  readonly event: SecurityEventName
  /** The member by default. */
  readonly actor?: string
  /** What the member recognizes, such as the name of a token. Never a secret. */
  readonly details?: Readonly<Record<string, string | number>>
}

/** The actor of changes made with the `weft` command. */
export const COMMAND_LINE = 'The command line'

/** Call it in the transaction of the change. */
export async function recordSecurityEvent(
  tx: MemberTransaction,
  { event, actor, details }: SecurityEvent,
  now: number,
): Promise<void> {
  const member = await tx.shared.get(MEMBER, { id: tx.memberId })
  if (!member) throw new Error(`member ${tx.memberId} not found`)
  const by = { credentialId: null, actor: actor ?? manualActor(member.name), now }
  await recordChange(tx, by, {
    action: `${ACCOUNT_KIND}.${event}`,
    subjectKind: ACCOUNT_KIND,
    subjectId: member.username,
    before: null,
    after: details ?? null,
  })
}

/** By the primary key. */
const MEMBER = statement<{ id: number }, { username: string; name: string }>(
  'select username, name from members where member_id = :id',
)
