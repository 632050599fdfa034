/** list_activity: changes to the member's data with their credentials, newest first. */

import Type from 'typebox'
import { parsePublicId, publicIdPattern } from '../base/public-id.ts'
import { rfc3339 } from '../base/clock.ts'
import { readActivityPage, type ActivityItem } from './activity-page.ts'
import { publicActivityId } from './activity.ts'
import { freeText } from './free-text.ts'
import { CURSOR, PAGE_END, pageLimit, pageOf } from './result-page.ts'
import { summarizeChange } from './change-summary.ts'
import { defineReadTool } from './tool.ts'

const ActivityEntry = Type.Object(
  {
    activity_id: Type.String(),
    at: Type.String(),
    by: Type.String(),
    action: Type.String(),
    subject_kind: Type.String(),
    subject_id: Type.String(),
    changes: Type.Array(
      Type.Object(
        {
          field: Type.String(),
          before: Type.Optional(freeText('note', Type.String())),
          after: Type.Optional(freeText('note', Type.String())),
        },
        { additionalProperties: false },
      ),
      { description: 'Long values are truncated' },
    ),
    more_changes: Type.Optional(Type.Integer()),
    undoes: Type.Optional(Type.String()),
    undone_by: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

export const listActivityTool = defineReadTool({
  name: 'list_activity',
  title: 'List activity',
  description: 'Lists changes for undo, newest first, with old and new values and who made them.',
  credits: 0,
  input: Type.Object(
    {
      limit: pageLimit(),
      cursor: Type.Optional(CURSOR),
      connection_id: Type.Optional(
        Type.String({
          pattern: publicIdPattern('c'),
          description: 'c_… from search_connections',
          examples: ['c_12'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    { activity: Type.Array(ActivityEntry), ...PAGE_END },
    { additionalProperties: false },
  ),
  async run({ db }, { limit = 20, cursor, connection_id }) {
    const connectionId = connection_id === undefined ? undefined : parsePublicId('c', connection_id)
    const page = await readActivityPage(db, limit, { cursor, connectionId })
    const { items: activity, end } = pageOf({ ...page, entries: page.changes.map(entryOf) })
    return { activity, ...end }
  },
})

/** Maximum length of an entry's summary. */
const MAX_FIELDS = 12

function entryOf(change: ActivityItem): Type.Static<typeof ActivityEntry> {
  const { undoes, undoneBy, jobChange } = change
  const changes = [
    ...(jobChange ? summarizeChange(jobChange.before, jobChange.after) : []),
    ...summarizeChange(change.before, change.after),
  ]
  const more = changes.length - MAX_FIELDS
  return {
    activity_id: publicActivityId(change.activityId),
    at: rfc3339(change.at),
    by: change.actor,
    action: change.action,
    subject_kind: change.subjectKind,
    subject_id: change.subjectId,
    changes: changes.slice(0, MAX_FIELDS),
    ...(more > 0 && { more_changes: more }),
    ...(undoes !== null && { undoes: publicActivityId(undoes) }),
    ...(undoneBy !== undefined && { undone_by: publicActivityId(undoneBy) }),
  }
}
