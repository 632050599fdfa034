/** Undoes one change of a member's activity, for the undo tool and the button on the page. */

import { RequestError } from '../base/request-error.ts'
import {
  ERASED,
  MAX_CHANGES,
  findChange,
  findLatestChange,
  listUndos,
  publicActivityId,
  rootsOf,
  undoneChanges,
  type ListedChange,
} from './activity.ts'
import { UNDO_ACTION, type ActivityAction } from './activity-action.ts'
import type { MemberReader } from '../db/database.ts'
import type { WriteCall } from './tool.ts'
import type { Undoer } from './undo.ts'

interface Undone {
  /** Number of the undo in the activity log. */
  readonly undoId: number
  readonly change: ListedChange
  /** One sentence for each part that was changed later and was kept. */
  readonly skipped: readonly string[]
}

/**
 * Without an `activityId`, undoes the latest change that is not undone yet. @throws {RequestError} `not_found`, or
 * `conflict` if the data was changed again since.
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
      `${publicActivityId(change.activityId)} cannot be undone, because it concerns a permanently deleted connection.`,
    )
  const { action, since } = await historyOf(tx, change)
  const undoer = undoers.find(({ actions }) => actions.includes(action))
  if (!undoer) throw new RequestError('conflict', `Changes of type ${action} cannot be undone.`)
  const { skipped = [], ...undone } = await undoer.undo({ tx, now, since }, { ...change, action })
  const undoId = await record({ ...undone, action: UNDO_ACTION, undoes: change.activityId })
  return { undoId, change, skipped }
}

/** Whether the subject of the change was permanently deleted. */
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
    throw new RequestError('not_found', 'There are no changes to undo.')
  }
  const publicId = publicActivityId(activityId)
  const change = await findChange(reader, activityId)
  if (!change)
    throw new RequestError('not_found', `The activity log has no change ${publicId}.`, {
      hint: 'Find the activity_id with list_activity.',
    })
  const undo = undone.get(activityId)
  if (undo !== undefined)
    throw new RequestError('conflict', `${publicId} is already undone.`, {
      hint: `To redo it, undo ${publicActivityId(undo)}.`,
    })
  return change
}

function tooOld(activityId: number): RequestError {
  return new RequestError(
    'conflict',
    `${publicActivityId(activityId)} cannot be undone, because the original change is no longer in the activity log.`,
    { hint: `The activity log keeps the latest ${MAX_CHANGES} changes.` },
  )
}

/** Finds the original change of a chain of undos, and the latest undo in the chain. */
async function historyOf(
  reader: MemberReader,
  change: ListedChange,
): Promise<{ action: ActivityAction; since: number }> {
  const undos = await listUndos(reader)
  const rootOf = rootsOf(undos)
  const rootId = rootOf(change.activityId)
  const root = rootId === change.activityId ? change : await findChange(reader, rootId)
  if (!root) throw tooOld(change.activityId)
  const last = undos.find(({ activity_id }) => rootOf(activity_id) === rootId)
  return { action: root.action, since: last?.activity_id ?? rootId }
}
