/** A page of a member's activity, newest first, with the changes that are currently undone. */

import { phrase } from '../../languages/message.ts'
import { readCursor, writeCursor } from '../../base/cursor.ts'
import { parsePublicId } from '../../base/public-id.ts'
import { memberStatement } from '../../db/statement.ts'
import { filterKey, type ActivityFilter } from './activity-filter.ts'
import { listChanges, type ListedChange } from './read-activity.ts'
import { undoneChanges } from './undone-changes.ts'
import type { MemberReader } from '../../db/database.ts'

export interface ActivityItem extends ListedChange {
  /** Number of the undo that reverted this change. */
  readonly undoneBy: number | undefined
}

interface ActivityPage {
  readonly changes: readonly ActivityItem[]
  readonly hasMore: boolean
  /** Cursor of the page after the change at this index. */
  cursorAfter(index: number): string
}

interface ActivityQuery extends ActivityFilter {
  readonly cursor?: string | undefined
}

export async function readActivityPage(
  reader: MemberReader,
  limit: number,
  { cursor, ...filter }: ActivityQuery = {},
): Promise<ActivityPage> {
  const query = [reader.memberId, 'activity', ...filterKey(filter)]
  const [before] = cursor === undefined ? [LAST] : readCursor(query, cursor, ['number'])
  const changes = await listChanges(reader, before, limit + 1, filter)
  const undone = await undoneChanges(reader)
  const listed = await withoutDeletedNotes(reader, changes.slice(0, limit))
  return {
    changes: listed.map((change) =>
      Object.assign(change, { undoneBy: undone.get(change.activityId) }),
    ),
    hasMore: changes.length > limit,
    cursorAfter: (index) => writeCursor(query, [changes[index]?.activityId ?? 0]),
  }
}

/** Greater than any change number. */
const LAST = Number.MAX_SAFE_INTEGER

/** Hides the texts of notes that are deleted. An undo reads the change itself, so it restores the text. */
async function withoutDeletedNotes(
  reader: MemberReader,
  changes: readonly ListedChange[],
): Promise<ListedChange[]> {
  const ids = changes.flatMap((change) => noteOf(change) ?? [])
  if (ids.length === 0) return [...changes]
  const kept = new Set((await reader.all(KEPT_NOTES, { ids })).map(({ note_id }) => note_id))
  return changes.map((change) => {
    const note = noteOf(change)
    if (note === undefined || kept.has(note)) return change
    return { ...change, before: redacted(change.before), after: redacted(change.after) }
  })
}

function noteOf({ subjectKind, subjectId }: ListedChange): number | undefined {
  return subjectKind === 'note' ? parsePublicId('n', subjectId) : undefined
}

function redacted(state: object | null): object | null {
  return state && 'text' in state ? { ...state, text: DELETED_TEXT } : state
}

/** In place of the text of a deleted note. */
export const DELETED_TEXT = phrase('(deleted)')

/** By primary key. */
const KEPT_NOTES = memberStatement<{ ids: readonly number[] }, { note_id: number }>()(`
  select note_id from notes
  where member_id = :member_id and note_id in (:ids...bigint) and deleted_at is null`)
