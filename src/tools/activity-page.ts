/** A page of a member's activity, newest first, with the changes that are currently undone. */

import { readCursor, writeCursor } from '../base/cursor.ts'
import { listChanges, undoneChanges, type ListedChange } from './read-activity.ts'
import type { MemberReader } from '../db/database.ts'

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

interface ActivityQuery {
  readonly cursor?: string | undefined
  /** Only changes that affect this connection. */
  readonly connectionId?: number | undefined
}

export async function readActivityPage(
  reader: MemberReader,
  limit: number,
  { cursor, connectionId }: ActivityQuery = {},
): Promise<ActivityPage> {
  const query = [reader.memberId, 'activity', connectionId ?? null]
  const [before] = cursor === undefined ? [LAST] : readCursor(query, cursor, ['number'])
  const changes = await listChanges(reader, before, limit + 1, connectionId)
  const undone = await undoneChanges(reader)
  return {
    changes: changes
      .slice(0, limit)
      .map((change) => Object.assign(change, { undoneBy: undone.get(change.activityId) })),
    hasMore: changes.length > limit,
    cursorAfter: (index) => writeCursor(query, [changes[index]?.activityId ?? 0]),
  }
}

/** Greater than any change number. */
const LAST = Number.MAX_SAFE_INTEGER
