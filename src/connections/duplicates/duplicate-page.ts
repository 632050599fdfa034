/** Groups of connections that may be the same person, page by page, for the tool and the web page. */

import { readCursor, writeCursor } from '../../base/cursor.ts'
import { defineComputation, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { findDuplicates, groupRank, type DuplicateGroup, type Evidence } from './duplicates.ts'
import type { ReportProgress } from '../../tools/tool.ts'

/** Default minimum score of groups to show. */
export const DEFAULT_MIN_SCORE = 0.6

/** Connections shown per group: the one to keep and as many as merge_connections accepts. */
export const MAX_GROUP_SIZE = 21

export interface DuplicatesPage {
  /** Queued ones first, then by score. Each has at most `MAX_GROUP_SIZE` connections, with the evidence about them. */
  readonly groups: readonly DuplicateGroup[]
  /** Groups on all pages. */
  readonly total: number
  readonly hasMore: boolean
  /** The cursor of the page that starts after the group at `index`. */
  cursorAfter(index: number): string
}

interface DuplicatesQuery {
  readonly minScore: number
  readonly limit: number
  readonly cursor?: string | undefined
  readonly progress?: ReportProgress | undefined
  readonly signal: AbortSignal
}

/** @throws {RequestError} `rate_limited` when too many computations of this member are queued. */
export async function listDuplicates(
  db: Pick<MemberDatabase, 'memberId' | 'compute'>,
  { minScore, limit, cursor, progress, signal }: DuplicatesQuery,
): Promise<DuplicatesPage> {
  const question = [db.memberId, 'duplicates', minScore]
  const [rank, first] =
    cursor === undefined ? FIRST : readCursor(question, cursor, ['number', 'number'])
  const query = { minScore, limit, after: { rank, firstId: first } }
  const page = await db.compute(COMPUTATION, query, { signal, report: progress })
  return {
    ...page,
    cursorAfter(index) {
      const group = page.groups[index]
      return writeCursor(question, group ? [groupRank(group), group.firstId] : [0, 0])
    },
  }
}

/** The position before every group. */
const FIRST = [Number.MAX_SAFE_INTEGER, 0] as const

interface GroupPosition {
  readonly rank: number
  readonly firstId: number
}

interface GroupsQuery extends Pick<DuplicatesQuery, 'minScore' | 'limit'> {
  readonly after: GroupPosition
}

/** Runs in a worker thread, because it reads the whole network. */
export async function findGroups(
  reader: MemberReader,
  { minScore, limit, after }: GroupsQuery,
  report: ReportProgress,
): Promise<Pick<DuplicatesPage, 'groups' | 'total' | 'hasMore'>> {
  const groups = await findDuplicates(reader, minScore, report)
  const rest = groups.filter(
    (group) =>
      groupRank(group) < after.rank ||
      (groupRank(group) === after.rank && group.firstId > after.firstId),
  )
  return {
    groups: rest.slice(0, limit).map(truncateGroup),
    total: groups.length,
    hasMore: rest.length > limit,
  }
}

const COMPUTATION = defineComputation(import.meta.url, { findGroups })

/** Pieces of evidence per group returned from the thread; more than an answer or a page can show. */
const MAX_EVIDENCE = 200

/** Limits a group, which may be as large as the network, to what can be shown. */
function truncateGroup(group: DuplicateGroup): DuplicateGroup {
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
