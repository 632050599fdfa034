/** Changes that members make on their pages: free, in one transaction, and recorded under their own name. */

import { submissionOf, submitOnce, type Submission } from '../../guards/form-submission.ts'
import { recordChange } from '../../tools/activity.ts'
import { isUnchangedSince } from '../../tools/unchanged-since.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database, MemberReader, WriteOptions } from '../../db/database.ts'
import type { SignedIn, SignedInRequest } from '../../http/browser-request.ts'
import type { WriteCall } from '../../tools/tool.ts'

/** The context of a change, made by a tool or a page. */
export type Changing = Pick<WriteCall, 'tx' | 'now' | 'record'>

interface ChangeOptions<Result> extends WriteOptions {
  /** The change is made once per form. */
  readonly submission?: Submission | undefined
  /** See `submitOnce`. */
  readonly isCurrent?: (reader: MemberReader, earlier: Result) => Promise<boolean>
}

/** Runs `change` in a transaction. What it records is an activity entry of the member. */
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

interface ChangeDeps {
  readonly database: Database
  readonly clock: Clock
}

export interface ChangeForm {
  readonly browser: SignedInRequest
  readonly body: URLSearchParams
  /** Identifies the form; see `submissionOf`. */
  readonly form: string
}

/**
 * Like `changeManually`, once per form. `change` returns the ID of its activity entry, or undefined if nothing changed.
 * A form whose change was undone or changed again is submitted as a new one.
 */
export async function changeOnce(
  { database, clock }: ChangeDeps,
  { browser, body, form }: ChangeForm,
  change: (changing: Changing) => Promise<number | undefined>,
): Promise<number | undefined> {
  const now = clock.now()
  return changeManually(database, browser.member, now, change, {
    submission: submissionOf({ browser, body, form, now }),
    isCurrent: async (reader, earlier) =>
      earlier === undefined || isUnchangedSince(reader, earlier),
  })
}
