/** One change of a member's activity taken back: what the tool does, and the button beside a change. */

import { RequestError } from '../base/request-error.ts'
import {
  ERASED,
  MAX_CHANGES,
  findChange,
  findLatestChange,
  listUndos,
  publicActivityId,
  rootsOf,
  UNDO_ACTION,
  undoneChanges,
  type ListedChange,
} from './activity.ts'
import type { MemberReader } from '../db/database.ts'
import type { WriteCall } from './tool.ts'
import type { Undoer } from './undo.ts'

export interface Undone {
  /** The number in the activity that the undo itself has. */
  readonly undoId: number
  readonly change: ListedChange
  /** What was changed since and stays as it is, a sentence each. */
  readonly leftAlone: readonly string[]
}

/**
 * Without an `activityId`, the latest change that is not taken back. Refuses `not_found`, and `conflict` where something
 * was changed again since.
 */
export async function undoChange(
  { tx, now, record }: Pick<WriteCall, 'tx' | 'now' | 'record'>,
  undoers: readonly Undoer[],
  activityId?: number,
): Promise<Undone> {
  const change = await requireChange(tx, activityId)
  if (isErased(change))
    throw new RequestError(
      'conflict',
      `${publicActivityId(change.activityId)} cannot be undone: it was about somebody who is deleted for good.`,
    )
  const { action, since } = await historyOf(tx, change)
  const undoer = undoers.find(({ actions }) => actions.includes(action))
  if (!undoer)
    throw new RequestError('conflict', `A change of the kind ${action} cannot be undone.`)
  const { leftAlone = [], ...undone } = await undoer.undo({ tx, now, since }, { ...change, action })
  const undoId = await record({ ...undone, action: UNDO_ACTION, undoes: change.activityId })
  return { undoId, change, leftAlone }
}

/** Whether it told of somebody who is gone for good. */
export function isErased({ before, after }: ListedChange): boolean {
  return [before, after].some((part) => part !== null && ERASED in part)
}

async function requireChange(
  reader: MemberReader,
  activityId: number | undefined,
): Promise<ListedChange> {
  const undone = await undoneChanges(reader)
  if (activityId === undefined) {
    const latest = await findLatestChange(reader, undone)
    if (latest) return latest
    throw new RequestError('not_found', 'There is no change left to undo.')
  }
  const publicId = publicActivityId(activityId)
  const change = await findChange(reader, activityId)
  if (!change)
    throw new RequestError(
      'not_found',
      `There is no change ${publicId} in this member's activity.`,
      {
        hint: 'Find its activity_id with list_activity.',
      },
    )
  const undo = undone.get(activityId)
  if (undo !== undefined)
    throw new RequestError('conflict', `${publicId} is taken back already.`, {
      hint: `To do it again, undo ${publicActivityId(undo)}.`,
    })
  return change
}

function tooOld(activityId: number): RequestError {
  return new RequestError(
    'conflict',
    `${publicActivityId(activityId)} cannot be undone: it goes back to a change that is no longer kept.`,
    { hint: `The activity log keeps the latest ${MAX_CHANGES} changes.` },
  )
}

/** The change that undos were about in the end, and the last of them. */
async function historyOf(
  reader: MemberReader,
  change: ListedChange,
): Promise<{ action: string; since: number }> {
  const undos = await listUndos(reader)
  const rootOf = rootsOf(undos)
  const rootId = rootOf(change.activityId)
  const root = rootId === change.activityId ? change : await findChange(reader, rootId)
  if (!root) throw tooOld(change.activityId)
  const last = undos.find(({ activity_id }) => rootOf(activity_id) === rootId)
  return { action: root.action, since: last?.activity_id ?? rootId }
}
