/** undo: reverts a change, including an undo. */

import * as Type from '../base/type.ts'
import { rfc3339 } from '../base/clock.ts'
import { KeyedSemaphore } from '../base/concurrency/keyed-semaphore.ts'
import { RequestError } from '../base/request-error.ts'
import { ActivityId, publicActivityId, activityNumber } from './activity.ts'
import { defineWriteTool, type Tool, type ToolCall } from './tool.ts'
import { prepareUndo, undoChange, undoSince, type Undone, type UndoTarget } from './undo-change.ts'
import type { Undoer } from './undo.ts'

const UndoneChange = Type.Object(
  {
    activity_id: Type.String(),
    action: Type.String(),
    subject_kind: Type.String(),
    subject_id: Type.String(),
    actor: Type.String(),
    at: Type.String(),
  },
  { additionalProperties: false },
)

interface UndoDeps {
  readonly undoers: readonly Undoer[]
  /** Shared with the undo buttons of the pages. */
  readonly turns?: KeyedSemaphore<number>
}

/** As for computations: see decisions/0023. */
const MAX_WAITING_PER_MEMBER = 16

/** Lets each member undo one change at a time in this process; up to `waitingPerKey` more calls wait. */
export function undoTurns(waitingPerKey = MAX_WAITING_PER_MEMBER): KeyedSemaphore<number> {
  return new KeyedSemaphore({
    permits: Number.MAX_SAFE_INTEGER,
    permitsPerKey: 1,
    waitingPerKey,
  })
}

/** `undoers` are those of all features; `turns` is for this tool alone by default. */
export function undoTool({ undoers, turns = undoTurns() }: UndoDeps): Tool {
  return defineWriteTool({
    name: 'undo',
    title: 'Undo a change',
    description:
      'Undoes a change, or your own last one without activity_id. Fails if the data changed since. ' +
      'Undoing an undo redoes. Returns what was undone.',
    effect: 'write',
    idempotent: false,
    bulk: true,
    turns,
    credits: 0,
    input: Type.Object(
      {
        activity_id: Type.Optional(ActivityId),
        since: Type.Optional({
          ...ActivityId,
          description: 'Or all your own changes from this ID on',
        }),
      },
      { additionalProperties: false },
    ),
    output: Type.Object(
      {
        activity_id: Type.String({
          description: 'ID of the undo itself; of the last one with since',
        }),
        undone: UndoneChange,
        also_undone: Type.Optional(
          Type.Array(Type.String(), { description: 'With since: IDs of the other undone changes' }),
        ),
        left_alone_count: Type.Optional(Type.Integer()),
        left_alone: Type.Optional(
          Type.Array(Type.String(), { description: 'Later edits that were kept: the first 20' }),
        ),
      },
      { additionalProperties: false },
    ),
    // With `since` all or none is undone, in one transaction.
    prepare: async (call, { activity_id, since }) =>
      since === undefined ? prepareUndo(call, undoers, targetOf(call, activity_id)) : undefined,
    async run(call, { activity_id, since }) {
      const credentialId = call.caller.credential.id
      if (since === undefined)
        return answerOf([await undoChange(call, undoers, targetOf(call, activity_id))])
      if (activity_id !== undefined)
        throw new RequestError('invalid_request', 'Provide activity_id or since, not both.', {
          errors: [{ pointer: '/since', detail: 'is not allowed with activity_id' }],
        })
      return answerOf(
        await undoSince(call, undoers, { since: activityNumber(since), credentialId }),
      )
    },
  })
}

function targetOf({ caller }: ToolCall, activityId: string | undefined): UndoTarget {
  return activityId === undefined
    ? { latestBy: caller.credential.id }
    : { activityId: activityNumber(activityId) }
}

/** The last undo in full, and the IDs of the others. */
function answerOf(undos: readonly Undone[]) {
  const last = undos.at(-1)
  if (!last) throw new Error('nothing was undone')
  const { undoId, change } = last
  const others = undos.slice(0, -1)
  const skipped = undos.flatMap((undo) => undo.skipped)
  return {
    activity_id: publicActivityId(undoId),
    undone: {
      activity_id: publicActivityId(change.activityId),
      action: change.action,
      subject_kind: change.subjectKind,
      subject_id: change.subjectId,
      actor: change.actor,
      at: rfc3339(change.at),
    },
    ...(others.length > 0 && {
      also_undone: others.map((undo) => publicActivityId(undo.change.activityId)),
    }),
    ...(skipped.length > 0 && {
      left_alone_count: skipped.length,
      left_alone: skipped.slice(0, MAX_SKIPPED_LISTED),
    }),
  }
}

const MAX_SKIPPED_LISTED = 20
