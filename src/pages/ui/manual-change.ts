/** Changes that members make on their pages: free, in one transaction, and recorded under their own name. */

import { submitOnce, type Submission } from '../../guards/form-submission.ts'
import { recordChange } from '../../tools/activity.ts'
import type { Database, MemberReader, WriteOptions } from '../../db/database.ts'
import type { SignedIn } from '../../http/browser-request.ts'
import type { WriteCall } from '../../tools/tool.ts'

/** The context of a change, made by a tool or a page. */
export type Changing = Pick<WriteCall, 'tx' | 'now' | 'record'>

interface ChangeOptions<Result> extends WriteOptions {
  /** The change is made once per form. */
  readonly submission?: Submission | undefined
  /** See `submitOnce`. */
  readonly isCurrent?: (reader: MemberReader, earlier: Result) => Promise<boolean>
}

export async function changeManually<Result>(
  database: Database,
  { memberId, name }: SignedIn,
  now: number,
  change: (changing: Changing) => Promise<Result>,
  { submission, isCurrent = async () => true, ...options }: ChangeOptions<Result> = {},
): Promise<Result> {
  const by = { credentialId: null, actor: name, now }
  return database.member(memberId).write(
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
