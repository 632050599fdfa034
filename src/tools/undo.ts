/** Taking a change back: each feature says, by an `Undoer`, how to undo the kinds of change that it records. */

import { RequestError } from '../base/request-error.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { Change } from './tool.ts'

/**
 * Takes kinds of change back. It brings what was `before` back in place of what was `after`, and refuses with
 * `changedSince` where that is no longer what is there: nobody's later work is overwritten. A change that was an undo
 * comes to it with the action of the change that was taken back, so it goes both ways: `before` null means that the
 * change made something, `after` null that it took something away.
 */
export interface Undoer {
  readonly actions: readonly string[]
  /** Returns what it did as a change of its own, in the form in which its feature records changes. */
  undo(call: UndoCall, change: RecordedChange): Promise<UndoneChange>
}

export interface UndoneChange extends Change {
  /** Of a change to many things: what it could not take back and why, a sentence each. */
  readonly leftAlone?: readonly string[]
}

export interface UndoCall {
  readonly tx: MemberTransaction
  readonly now: number
  /** Changes with a higher number in the activity came after this one was made, or was last done again. */
  readonly since: number
}

/** A change as the member's activity keeps it. */
export interface RecordedChange {
  readonly activityId: number
  readonly at: number
  readonly action: string
  readonly subjectKind: string
  readonly subjectId: string
  /** As the feature recorded it. */
  readonly before: object | null
  readonly after: object | null
  readonly actor: string
}

/** What a change left has been changed again: `what` names it, such as `c_1: title, emails`. */
export function changedSince(what: string): RequestError {
  return new RequestError('conflict', `This has been changed again since: ${what}.`, {
    hint: 'Undo the later change first (list_activity shows it), or set the values you want by hand.',
  })
}
