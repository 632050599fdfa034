/** undo: reverts a change, including an undo. */

import Type from 'typebox'
import { rfc3339 } from '../base/clock.ts'
import { ActivityId, publicActivityId, activityNumber } from './activity.ts'
import { defineWriteTool, type Tool } from './tool.ts'
import { undoChange } from './undo-change.ts'
import type { Undoer } from './undo.ts'

interface UndoDeps {
  readonly undoers: readonly Undoer[]
}

export function undoTool({ undoers }: UndoDeps): Tool {
  return defineWriteTool({
    name: 'undo',
    title: 'Undo a change',
    description:
      'Undoes one change, including whole imports and merges: the one with activity_id (see list_activity), or the latest ' +
      'that is not undone yet. Fails with conflict if the data was changed again since. Undoing an undo redoes the change. ' +
      'Returns the undone change and, for an import, the later edits that were kept.',
    effect: 'write',
    idempotent: false,
    bulk: true,
    credits: 0,
    input: Type.Object({ activity_id: Type.Optional(ActivityId) }, { additionalProperties: false }),
    output: Type.Object(
      {
        activity_id: Type.String({ description: 'ID of the undo itself' }),
        undone: Type.Object(
          {
            activity_id: Type.String(),
            action: Type.String(),
            subject_kind: Type.String(),
            subject_id: Type.String(),
            actor: Type.String(),
            at: Type.String(),
          },
          { additionalProperties: false },
        ),
        left_alone_count: Type.Optional(Type.Integer()),
        left_alone: Type.Optional(
          Type.Array(Type.String(), { description: 'Later edits that were kept: the first 20' }),
        ),
      },
      { additionalProperties: false },
    ),
    async run(call, { activity_id }) {
      const requested = activity_id === undefined ? undefined : activityNumber(activity_id)
      const { undoId, change, skipped } = await undoChange(call, undoers, requested)
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
        ...(skipped.length > 0 && {
          left_alone_count: skipped.length,
          left_alone: skipped.slice(0, MAX_SKIPPED_LISTED),
        }),
      }
    },
  })
}

const MAX_SKIPPED_LISTED = 20
