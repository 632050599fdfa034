/** Groups of connections that may be the same person, page by page. The tool and the page ask the same here. */

import { readCursor, writeCursor } from '../../base/cursor.ts'
import { defineComputation, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { findDuplicates, type DuplicateGroup, type Evidence } from './duplicates.ts'
import type { ReportProgress } from '../../tools/tool.ts'

/** Who is at least so sure to be the same person is shown, unless asked otherwise. */
export const DEFAULT_MIN_SCORE = 0.6

/** As many of one group as are shown: the one to keep, and as many as merge_connections takes beside it. */
export const MAX_GROUP_SIZE = 21

export interface DuplicatesPage {
  /** The surest first; of each no more connections than are shown, and the evidence about them. */
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
  readonly signal: AbortSignal
}

/** @throws Refusal `rate_limited` when too many computations of this member wait already. */
export async function listDuplicates(
  db: Pick<MemberDatabase, 'memberId' | 'compute'>,
  { minScore, limit, cursor, progress, signal }: DuplicatesQuery,
): Promise<DuplicatesPage> {
  const question = [db.memberId, 'duplicates', minScore]
  const [score, first] =
    cursor === undefined ? FIRST : readCursor(question, cursor, ['number', 'number'])
  const asked = { minScore, limit, after: { score, firstId: first } }
  const page = await db.compute(COMPUTATION, asked, { signal, report: progress })
  return {
    ...page,
    cursorAfter: (index) =>
      writeCursor(question, [page.groups[index]?.score ?? 0, page.groups[index]?.firstId ?? 0]),
  }
}

/** Before every group. */
const FIRST = [Number.MAX_SAFE_INTEGER, 0] as const

type GroupPosition = Pick<DuplicateGroup, 'score' | 'firstId'>

interface GroupsQuery extends Pick<DuplicatesQuery, 'minScore' | 'limit'> {
  readonly after: GroupPosition
}

/** Runs in a thread: it reads the whole network. */
export async function findGroups(
  reader: MemberReader,
  { minScore, limit, after }: GroupsQuery,
  report: ReportProgress,
): Promise<Pick<DuplicatesPage, 'groups' | 'total' | 'hasMore'>> {
  const groups = await findDuplicates(reader, minScore, report)
  const rest = groups.filter(
    ({ score, firstId }) =>
      score < after.score || (score === after.score && firstId > after.firstId),
  )
  return {
    groups: rest.slice(0, limit).map(shownOf),
    total: groups.length,
    hasMore: rest.length > limit,
  }
}

const COMPUTATION = defineComputation(import.meta.url, { findGroups })

/** Pieces of evidence that leave the thread; more than an answer or a page has room for. */
const MAX_EVIDENCE = 200

/** A group may be as large as the network; what leaves the thread is what can be shown of it. */
function shownOf(group: DuplicateGroup): DuplicateGroup {
  const connections = group.connections.slice(0, MAX_GROUP_SIZE)
  const shown = new Set(connections.map(({ connectionId }) => connectionId))
  const evidence = group.evidence
    .map((one): Evidence => ({
      ...one,
      connectionIds: one.connectionIds.filter((id) => shown.has(id)),
    }))
    .filter(({ connectionIds }) => connectionIds.length > 0)
  return { ...group, connections, evidence: evidence.slice(0, MAX_EVIDENCE) }
}
