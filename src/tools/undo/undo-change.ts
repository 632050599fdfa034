/** Undoes one change of a member's activity, for the undo tool and the button on the page. */

import { t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { ERASED, publicActivityId } from '../activity.ts'
import { MAX_CHANGES } from '../activity-retention.ts'
import {
  findChange,
  findLatestChange,
  listAgentChanges,
  listLaterChanges,
  type ChangesByAgent,
  type ListedChange,
} from '../activity-log/read-activity.ts'
import { listUndos, rootsOf, undoneChanges } from '../activity-log/undone-changes.ts'
import { summarizeChange } from '../activity-log/change-summary.ts'
import { assertMayUndo } from '../allowed-tools.ts'
import { UNDO_ACTION, type ActivityAction } from '../activity-action.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'
import type { Caller } from '../../http/caller.ts'
import type { Changing, PreparedUndo, WriteCall } from '../tool.ts'
import type { Undoer } from '../undo.ts'

type UndoCall = Changing & Undoing

export interface Undone {
  /** Number of the undo in the activity log. */
  readonly undoId: number
  readonly change: ListedChange
  /** One sentence for each part that was changed later and was kept. */
  readonly skipped: readonly string[]
}

/** What to undo: one change, or the latest one by a credential. */
export type UndoTarget = { readonly activityId: number } | { readonly latestBy: string }

interface PrepareOptions extends Undoing {
  readonly db: Pick<MemberDatabase, keyof MemberReader | 'write'>
  readonly now: number
}

interface Undoing {
  /** The agent, whose limits apply; undefined for the member. */
  readonly caller?: Pick<Caller, 'limits'>
}

/**
 * Does most of a large undo in several short transactions, so that other writes run in between. Its result is for
 * `undoChange`, without which the undo is not complete. Undefined if one transaction is enough.
 *
 * @throws {RequestError} `not_found` when the change does not exist; `conflict` when it is already undone; `forbidden`
 *   when the agent may not make such changes.
 */
export async function prepareUndo(
  { db, now, caller }: PrepareOptions,
  undoers: readonly Undoer[],
  target: UndoTarget,
): Promise<PreparedUndo | undefined> {
  const change = await requireChange(db, target)
  if (isErased(change)) return undefined
  const { activityId } = change
  const { action, since } = await historyOf(db, change)
  if (caller) assertMayUndo(caller.limits, action, publicActivityId(activityId))
  const undoer = undoers.find(({ actions }) => actions.includes(action))
  const prepared = await undoer?.prepare?.(
    {
      reader: db,
      now,
      since,
      write: (work) =>
        db.write(
          async (tx) => {
            await requireChange(tx, { activityId })
            return work(tx)
          },
          { bulk: true },
        ),
    },
    { ...change, action },
  )
  return prepared && { ...prepared, activityId }
}

/**
 * Undoes one change.
 *
 * @throws {RequestError} `not_found` when the change is unknown.
 * @throws {RequestError} `conflict` when the data was changed again since; the message names the later change.
 * @throws {RequestError} `forbidden` when the agent may not make such changes.
 */
export async function undoChange(
  { tx, now, record, prepared, caller }: UndoCall & Pick<WriteCall, 'prepared'>,
  undoers: readonly Undoer[],
  target: UndoTarget,
): Promise<Undone> {
  const change = await requireChange(tx, prepared ?? target)
  if (isErased(change))
    throw new RequestError(
      'conflict',
      t('{activityId} cannot be undone, because it concerns a permanently deleted person.', {
        activityId: publicActivityId(change.activityId),
      }),
    )
  const { action, since } = await historyOf(tx, change)
  if (caller) assertMayUndo(caller.limits, action, publicActivityId(change.activityId))
  const undoer = undoers.find(({ actions }) => actions.includes(action))
  if (!undoer)
    throw new RequestError('conflict', t('Changes of type {action} cannot be undone.', { action }))
  const call = { tx, now, since, prepared }
  const { skipped = [], ...undone } = await undoer
    .undo(call, { ...change, action })
    .catch(async (error: unknown) => {
      throw await withLaterChange(tx, change, error)
    })
  const { subjectKind, subjectId, before, after } = change
  const swapped = { subjectKind, subjectId, before: after, after: before, connections: [] }
  const undoId = await record({
    ...swapped,
    ...undone,
    action: UNDO_ACTION,
    undoes: change.activityId,
  })
  return { undoId, change, skipped }
}

/** A conflict also names the change that it is with. */
async function withLaterChange(
  reader: MemberReader,
  change: ListedChange,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof RequestError) || error.code !== 'conflict') return error
  const later = await findConflicting(reader, change)
  if (!later) return error
  const id = publicActivityId(later.activityId)
  return new RequestError(
    'conflict',
    t('{message} Later change: {id} by {actor}.', {
      message: error.message,
      id,
      actor: later.actor,
    }),
    {
      ...error.details,
      hint: t('Undo {id} first (see list_activity), or set the values manually.', { id }),
      members: { conflicts_with: id },
    },
  )
}

/** The first later change in effect to the same fields of the same connection or other subject, if any. */
async function findConflicting(
  reader: MemberReader,
  change: ListedChange,
): Promise<ListedChange | undefined> {
  const later = await listLaterChanges(reader, change)
  const undone = await undoneChanges(reader)
  const fields = changedFields(change)
  return later
    .filter(({ activityId }) => !undone.has(activityId))
    .find((other) => {
      const others = changedFields(other)
      return !fields || !others || fields.some((field) => others.includes(field))
    })
}

/** Undefined if the change created, removed or changed whole subjects. */
function changedFields({ before, after }: ListedChange): readonly string[] | undefined {
  if (!before || !after || 'connections' in before) return undefined
  return summarizeChange(before, after).map(({ field }) => field)
}

/** Changes that one call can undo. Each undo reads the list of undos. */
export const MAX_UNDONE = 100

/**
 * Undoes the changes of an agent, newest first: all of them or none.
 *
 * @throws {RequestError} `not_found` when there are none.
 * @throws {RequestError} `conflict` when there are too many, or one was changed again since.
 */
export async function undoSince(
  call: UndoCall,
  undoers: readonly Undoer[],
  selected: ChangesByAgent,
): Promise<Undone[]> {
  const already = await undoneChanges(call.tx)
  const activityIds = (await listAgentChanges(call.tx, selected)).filter((id) => !already.has(id))
  if (activityIds.length === 0) throw nothingToUndo()
  if (activityIds.length > MAX_UNDONE) throw tooMany(activityIds)
  return undoEach(call, undoers, activityIds)
}

/**
 * Undoes changes in this order: all of them or none.
 *
 * @throws {RequestError} `conflict` when one was changed again since.
 */
export async function undoEach(
  call: UndoCall,
  undoers: readonly Undoer[],
  activityIds: readonly number[],
): Promise<Undone[]> {
  const undone: Undone[] = []
  for (const activityId of activityIds)
    undone.push(await undoChange(call, undoers, { activityId }).catch(noneUndone(activityId)))
  return undone
}

function noneUndone(activityId: number): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RequestError) || error.code !== 'conflict') throw error
    const message = t('No changes were undone, because of {activityId}. {message}', {
      activityId: publicActivityId(activityId),
      message: error.message,
    })
    throw new RequestError('conflict', message, error.details)
  }
}

function nothingToUndo(): RequestError {
  return new RequestError('not_found', t('There are no changes of this agent to undo.'), {
    hint: t('Undo a change of the member or another agent by its activity_id, from list_activity.'),
  })
}

function tooMany(activityIds: readonly number[]): RequestError {
  const from = publicActivityId(activityIds[MAX_UNDONE - 1] ?? 0)
  return new RequestError(
    'conflict',
    t('There are {length} changes to undo. The maximum per call is {maxUndone}.', {
      length: activityIds.length,
      maxUndone: MAX_UNDONE,
    }),
    { hint: t('Call undo with since {from} first.', { from }) },
  )
}

/** Whether the subject of the change was permanently deleted. */
export function isErased({ before, after }: ListedChange): boolean {
  return [before, after].some((part) => part !== null && ERASED in part)
}

async function requireChange(reader: MemberReader, target: UndoTarget): Promise<ListedChange> {
  const undone = await undoneChanges(reader)
  if ('latestBy' in target) {
    const latest = await findLatestChange(reader, undone, target.latestBy)
    if (latest) return latest
    throw nothingToUndo()
  }
  const { activityId } = target
  const publicId = publicActivityId(activityId)
  const change = await findChange(reader, activityId)
  if (!change)
    throw new RequestError(
      'not_found',
      t('The activity log has no change {publicId}.', { publicId }),
      {
        hint: t('Find the activity_id with list_activity.'),
      },
    )
  const undo = undone.get(activityId)
  if (undo !== undefined)
    throw new RequestError('conflict', t('{publicId} is already undone.', { publicId }), {
      hint: t('To redo it, undo {undo}.', { undo: publicActivityId(undo) }),
    })
  return change
}

function tooOld(activityId: number): RequestError {
  return new RequestError(
    'conflict',
    t(
      '{activityId} cannot be undone, because the original change is no longer in the activity log.',
      { activityId: publicActivityId(activityId) },
    ),
    {
      hint: t('The activity log keeps the latest {maxChanges} changes.', {
        maxChanges: MAX_CHANGES,
      }),
    },
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
