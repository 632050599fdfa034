/** A page of a member's activity, newest first, with what is taken back at present. */

import { readCursor, writeCursor } from '../base/cursor.ts'
import { listChanges, undoneChanges, type ListedChange } from './activity.ts'
import type { MemberReader } from '../db/database.ts'

export interface ShownChange extends ListedChange {
  /** The number of the undo that took it back. */
  readonly undoneBy: number | undefined
}

export interface ActivityPage {
  readonly changes: readonly ShownChange[]
  readonly hasMore: boolean
  /** The cursor of the page that begins behind one of its changes. */
  cursorAfter(index: number): string
}

export interface ActivityQuery {
  readonly cursor?: string | undefined
  /** Only what concerns this one. */
  readonly connectionId?: number | undefined
}

export async function readActivityPage(
  reader: MemberReader,
  limit: number,
  { cursor, connectionId }: ActivityQuery = {},
): Promise<ActivityPage> {
  const question = [reader.memberId, 'activity', connectionId ?? null]
  const [before] = cursor === undefined ? [LAST] : readCursor(question, cursor, ['number'])
  const changes = await listChanges(reader, before, limit + 1, connectionId)
  const undone = await undoneChanges(reader)
  return {
    changes: changes
      .slice(0, limit)
      .map((change) => Object.assign(change, { undoneBy: undone.get(change.activityId) })),
    hasMore: changes.length > limit,
    cursorAfter: (index) => writeCursor(question, [changes[index]?.activityId ?? 0]),
  }
}

/** Above every number of a change. */
const LAST = Number.MAX_SAFE_INTEGER
