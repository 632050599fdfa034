/** Whether what a change created is still as the change left it. */

import { memberStatement } from '../../db/statement.ts'
import type { MemberReader } from '../../db/database.ts'

/** Whether no later change concerns the subject of this one. */
export async function isUnchangedSince(reader: MemberReader, activityId: number): Promise<boolean> {
  return (await reader.get(LATER, { activity_id: activityId })) === undefined
}

/** By the primary key, from the change on. */
const LATER = memberStatement<{ activity_id: number }, { activity_id: number }>()(`
  select later.activity_id
  from activity made
  join activity later on later.member_id = made.member_id and later.activity_id > made.activity_id
    and later.subject_kind = made.subject_kind and later.subject_id = made.subject_id
  where made.member_id = :member_id and made.activity_id = :activity_id
  limit 1`)
