/** Undo: each feature provides an `Undoer` for the kinds of change it records. */

import { RequestError } from '../base/request-error.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'
import type { ActivityAction } from './activity-action.ts'
import type { Change, PreparedUndo } from './tool.ts'

/**
 * Undoes some kinds of change: replaces the `after` state with the `before` state. Throws `changedSince` if the current
 * state is no longer `after`, so that later edits are never overwritten. An undo is itself undone with the action of the
 * original change and its states swapped: `before` null means that the change created something, `after` null that it
 * removed something.
 */
export interface Undoer {
  readonly actions: readonly ActivityAction[]
  /**
   * For changes that may be too large for one transaction: does most of the undo in several. They commit one by one, so
   * repeating an interrupted undo must continue it. Undefined if the change is small.
   */
  prepare?(
    call: PrepareCall,
    change: RecordedChange,
  ): Promise<Omit<PreparedUndo, 'activityId'> | undefined>
  /** Returns what it did. The entry of the undo is the change with its states swapped, unless this says otherwise. */
  undo(call: UndoCall, change: RecordedChange): Promise<UndoneChange>
}

interface UndoneChange extends Partial<Change> {
  /** For a change to many items: one sentence for each item that could not be undone, with the reason. */
  readonly skipped?: readonly string[]
}

interface UndoTime {
  readonly now: number
  /** Changes with a higher number came after this change was made or last redone. */
  readonly since: number
}

interface UndoCall extends UndoTime {
  readonly tx: MemberTransaction
  /** The result of `prepare`, if it ran. */
  readonly prepared?: PreparedUndo | undefined
}

interface PrepareCall extends UndoTime {
  readonly reader: MemberReader
  /** A transaction of its own. Throws if the change has been undone in the meantime. */
  readonly write: <T>(work: (tx: MemberTransaction) => Promise<T>) => Promise<T>
}

/** A change as stored in the activity log. */
export interface RecordedChange extends Omit<Change, 'connections' | 'undoes'> {
  readonly activityId: number
  readonly at: number
  readonly actor: string
}

/** The error for data that was changed again: `what` names it, such as `c_1: title, emails`. */
export function changedSince(what: string): RequestError {
  return new RequestError('conflict', `This has changed since: ${what}.`, {
    hint: 'Undo the later change first (see list_activity), or set the values manually.',
  })
}
