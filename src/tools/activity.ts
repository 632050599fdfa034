/** The member's activity log: every change with its credential, before and after. Written in the change's transaction. */

import { dropOldest, MAX_CHANGES } from './activity-retention.ts'
import { reserveNumbers } from './network-numbers.ts'
import * as Type from '../base/type.ts'
import { formatPublicId, parsePublicId, publicIdPattern } from '../base/public-id.ts'
import { insertRow, insertRows } from '../db/insert-row.ts'
import { memberStatement } from '../db/statement.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { Change } from './tool.ts'

/**
 * Who made a change, and when. The actor is a name that people recognize: that of the agent, or of the member who made
 * the change without one.
 */
interface ChangedBy {
  readonly credentialId: string | null
  readonly actor: string
  readonly now: number
}

/** Marks the remainder of a change whose subject was permanently deleted. It cannot be undone. */
export const ERASED = 'forgotten'

export const ActivityId = Type.String({
  pattern: publicIdPattern('a'),
  description: 'a_… from list_activity',
  examples: ['a_999999'],
})

/** Such as `a_12`. */
export function publicActivityId(activityId: number): string {
  return formatPublicId('a', activityId)
}

/** The change's number in the member's activity; 0, which no change has, if the text is not an activity ID. */
export function activityNumber(publicId: string | null): number {
  return parsePublicId('a', publicId) ?? 0
}

/** Records a change and returns its number. */
export async function recordChange(
  tx: MemberTransaction,
  by: ChangedBy,
  change: Change,
): Promise<number> {
  const activityId = await reserveNumbers(tx, 'last_activity')
  await insertRow(tx, 'activity', {
    activity_id: activityId,
    at: by.now,
    action: change.action,
    subject_kind: change.subjectKind,
    subject_id: change.subjectId,
    credential_id: by.credentialId,
    actor: by.actor,
    before: change.before && JSON.stringify(change.before),
    after: change.after && JSON.stringify(change.after),
    undoes: change.undoes ?? null,
  })
  const concerned = [...new Set(change.connections)]
  await insertRows(
    tx,
    'activity_connections',
    concerned.map((connection_id) => ({ connection_id, activity_id: activityId })),
  )
  await dropOldest(tx, activityId - MAX_CHANGES)
  return activityId
}

/** Updates the result of a change that takes several transactions. */
export async function amendChange(
  tx: MemberTransaction,
  activityId: number,
  after: object,
): Promise<void> {
  await tx.run(AMEND, { activity_id: activityId, after: JSON.stringify(after) })
}

const AMEND = memberStatement<{ activity_id: number; after: string }>()(
  'update activity set after = :after where member_id = :member_id and activity_id = :activity_id',
)
