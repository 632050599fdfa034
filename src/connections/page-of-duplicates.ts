/** Groups of connections that may be the same person, page by page. The tool and the page ask the same here. */

import { readCursor, writeCursor } from '../base/cursor.ts'
import { findDuplicates, type DuplicateGroup } from './duplicates.ts'
import type { ReportProgress } from '../tools/tool.ts'
import type { MemberDatabase, MemberReader } from '../db/database.ts'

/** Who is at least so sure to be the same person is shown, unless asked otherwise. */
export const USUAL_MIN_SCORE = 0.6

/** As many of one group as are shown: the one to keep, and as many as merge_connections takes beside it. */
export const MOST_OF_GROUP = 21

export interface DuplicatesPage {
  /** The surest first. */
  readonly groups: readonly DuplicateGroup[]
  /** Of all pages. */
  readonly total: number
  readonly hasMore: boolean
  /** The cursor of the page that begins behind one of its groups. */
  cursorAfter(index: number): string
}

export interface DuplicatesQuery {
  readonly minScore: number
  readonly limit: number
  readonly cursor?: string | undefined
  readonly progress?: ReportProgress | undefined
}

export async function listDuplicates(
  db: MemberReader & Pick<MemberDatabase, 'heavy'>,
  { minScore, limit, cursor, progress }: DuplicatesQuery,
): Promise<DuplicatesPage> {
  const question = [db.memberId, 'duplicates', minScore]
  const [score, first] =
    cursor === undefined ? FIRST : readCursor(question, cursor, ['number', 'number'])
  const groups = await findDuplicates(db.heavy, minScore, progress)
  const rest = groups.filter(
    (group) => group.score < score || (group.score === score && group.firstId > first),
  )
  return {
    groups: rest.slice(0, limit),
    total: groups.length,
    hasMore: rest.length > limit,
    cursorAfter: (index) =>
      writeCursor(question, [rest[index]?.score ?? 0, rest[index]?.firstId ?? 0]),
  }
}

/** Before every group. */
const FIRST = [Number.MAX_SAFE_INTEGER, 0] as const
