/** list_activity: what was changed in the member's data, by which credential, newest first. */

import Type from 'typebox'
import { rfc3339 } from '../base/clock.ts'
import { readCursor, writeCursor } from '../base/cursor.ts'
import { memberStatement } from '../db/statement.ts'
import { publicActivityId, undoneChanges } from './activity.ts'
import { CURSOR, PAGE_END, pageOf } from './answer-page.ts'
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
          before: Type.Optional(Type.String()),
          after: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
      { description: 'Long values are cut' },
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
  description:
    "Lists every change to this member's data, newest first: what was changed, from what to what in short, by which " +
    'credential and when, and whether it was undone. Free, changes nothing. undo takes an entry back by its activity_id.',
  credits: 0,
  input: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
      cursor: Type.Optional(CURSOR),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    { activity: Type.Array(ActivityEntry), ...PAGE_END },
    { additionalProperties: false },
  ),
  async run({ db }, { limit = 20, cursor }) {
    const question = [db.memberId, 'activity']
    const [before] = cursor === undefined ? [LAST] : readCursor(question, cursor, ['number'])
    const rows = await db.all(NEWEST, { before, limit: limit + 1 })
    const undone = await undoneChanges(db)
    const { shown, end } = pageOf({
      entries: rows.slice(0, limit).map((row) => entryOf(row, undone.get(row.activity_id))),
      hasMore: rows.length > limit,
      cursorAfter: (index) => writeCursor(question, [rows[index]?.activity_id ?? 0]),
    })
    return { activity: shown, ...end }
  },
})

/** Of one entry. */
const MOST_FIELDS = 12

function entryOf(
  row: ActivityRow,
  undoneBy: number | undefined,
): Type.Static<typeof ActivityEntry> {
  const changes = summarizeChange(parsed(row.before), parsed(row.after))
  const more = changes.length - MOST_FIELDS
  return {
    activity_id: publicActivityId(row.activity_id),
    at: rfc3339(row.at),
    by: row.actor,
    action: row.action,
    subject_kind: row.subject_kind,
    subject_id: row.subject_id,
    changes: changes.slice(0, MOST_FIELDS),
    ...(more > 0 && { more_changes: more }),
    ...(row.undoes !== null && { undoes: publicActivityId(row.undoes) }),
    ...(undoneBy !== undefined && { undone_by: publicActivityId(undoneBy) }),
  }
}

/** Above every number of an entry. */
const LAST = Number.MAX_SAFE_INTEGER

interface ActivityRow {
  readonly activity_id: number
  readonly at: number
  readonly action: string
  readonly subject_kind: string
  readonly subject_id: string
  readonly actor: string
  readonly before: string | null
  readonly after: string | null
  readonly undoes: number | null
}

function parsed(json: string | null): object | null {
  return json === null ? null : (JSON.parse(json) as object)
}

/** By primary key, backwards. */
const NEWEST = memberStatement<{ before: number; limit: number }, ActivityRow>()(`
  select activity_id, at, action, subject_kind, subject_id, actor, before, after, undoes from activity
  where member_id = :member_id and activity_id < :before order by activity_id desc limit :limit`)
