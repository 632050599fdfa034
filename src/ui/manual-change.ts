/** Changes that members make on their pages: free, in one transaction, and recorded under their own name. */

import { submitOnce } from '../forms/submission.ts'
import { recordChange } from '../tools/activity.ts'
import { memberStatement } from '../db/statement.ts'
import type { MemberReader, WriteOptions } from '../db/database.ts'
import type { FormRequest } from '../forms/page-route.ts'
import type { Changing } from '../tools/tool.ts'

/** The request of the form. With a submission, the change is made once per form. */
export type ChangeRequest = Pick<FormRequest, 'browser' | 'db' | 'now'> &
  Partial<Pick<FormRequest, 'submission'>>

interface ChangeOptions<Result> extends WriteOptions {
  /** See `submitOnce`. */
  readonly isCurrent?: (reader: MemberReader, earlier: Result) => Promise<boolean>
}

/** Runs `change` in a transaction. What it records is an activity entry of the member. */
export async function changeManually<Result>(
  { browser, db, now, submission }: ChangeRequest,
  change: (changing: Changing) => Promise<Result>,
  { isCurrent = async () => true, ...options }: ChangeOptions<Result> = {},
): Promise<Result> {
  const by = { credentialId: null, actor: browser.member.name, now }
  return db.write(
    (tx) =>
      submitOnce(
        tx,
        submission,
        () => change({ tx, now, record: (recorded) => recordChange(tx, by, recorded) }),
        (earlier) => isCurrent(tx, earlier),
      ),
    options,
  )
}

/**
 * Like `changeManually`. `change` returns the ID of its activity entry, or undefined if nothing changed. A form whose
 * change was undone or changed again is submitted as a new one.
 */
export function changeOnce(
  request: ChangeRequest,
  change: (changing: Changing) => Promise<number | undefined>,
): Promise<number | undefined> {
  return changeManually(request, change, {
    isCurrent: async (reader, earlier) =>
      earlier === undefined || isUnchangedSince(reader, earlier),
  })
}

/** Whether no later change concerns the subject of this one. */
async function isUnchangedSince(reader: MemberReader, activityId: number): Promise<boolean> {
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
