/** The member's activity: every change, by which credential, before and after. Written with the change itself. */

import { memberStatement } from '../db/statement.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { Change } from './tool.ts'

/** Who made a change and when; the actor is a name a person recognises. */
export interface ChangedBy {
  readonly credentialId: string | null
  readonly actor: string
  readonly now: number
}

export async function recordChange(
  tx: MemberTransaction,
  by: ChangedBy,
  change: Change,
): Promise<void> {
  const numbered = await tx.get(NEXT, {})
  if (!numbered) throw new Error(`member ${tx.memberId} has no network`)
  await tx.run(INSERT, {
    activity_id: numbered.last_activity,
    at: by.now,
    action: change.action,
    subject_kind: change.subjectKind,
    subject_id: change.subjectId,
    credential_id: by.credentialId,
    actor: by.actor,
    before: change.before && JSON.stringify(change.before),
    after: change.after && JSON.stringify(change.after),
  })
}

const NEXT = memberStatement<object, { last_activity: number }>()(`
  update networks set last_activity = last_activity + 1 where member_id = :member_id returning last_activity`)

const INSERT = memberStatement<{
  activity_id: number
  at: number
  action: string
  subject_kind: string
  subject_id: string
  credential_id: string | null
  actor: string
  before: string | null
  after: string | null
}>()(`
  insert into activity (member_id, activity_id, at, action, subject_kind, subject_id, credential_id, actor, before, after)
  values (:member_id, :activity_id, :at, :action, :subject_kind, :subject_id, :credential_id, :actor, :before, :after)`)
