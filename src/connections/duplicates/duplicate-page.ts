/** Groups of connections that may be the same person, page by page, for the tool and the web page. */

import { readCursor, writeCursor, type Page } from '../../base/cursor.ts'
import { findConnections } from '../model/connection-store.ts'
import { groupRank, type Group } from './duplicate-groups.ts'
import { MIN_REVIEW_SCORE } from '../../identity/match-weights.ts'
import { currentGroups, groupsAfter, groupsOfCertainty } from './kept-groups.ts'
import type { Connection } from '../model/connection.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'
import type { NetworkState } from '../../tools/network-state.ts'
import type { ReportProgress } from '../../tools/tool.ts'

/** Default minimum score of groups to show: everything that an import would merge or queue. */
export const DEFAULT_MIN_SCORE = MIN_REVIEW_SCORE

export interface DuplicateGroup extends Omit<Group, 'connectionIds'> {
  /** Most complete first, which is the one to keep. */
  readonly connections: readonly Connection[]
}

export interface DuplicatesPage extends Omit<Page<DuplicateGroup>, 'entries'> {
  /** Queued ones first, then by score. Each has at most `MAX_GROUP_SIZE` connections, with the evidence about them. */
  readonly groups: readonly DuplicateGroup[]
  /** Groups on all pages. */
  readonly total: number
  /** How many of these are on earlier pages. */
  readonly before: number
  /** How many groups are certain, on any page. */
  readonly certain: number
}

interface DuplicatesQuery {
  readonly minScore: number
  /** Only certain groups, or only the others; all by default. */
  readonly isCertain?: boolean | undefined
  readonly limit: number
  readonly cursor?: string | undefined
  /** The network when the call began; otherwise it is read. */
  readonly network?: NetworkState | undefined
  readonly progress?: ReportProgress | undefined
  readonly signal: AbortSignal
}

/** @throws {RequestError} `rate_limited` when too many computations of this member are queued. */
export async function listDuplicates(
  db: MemberReader & Pick<MemberDatabase, 'compute' | 'memory'>,
  { minScore, isCertain, limit, cursor, network, progress, signal }: DuplicatesQuery,
): Promise<DuplicatesPage> {
  const question = [db.memberId, 'duplicates', minScore]
  const after = cursor === undefined ? FIRST : readCursor(question, cursor, ['number', 'number'])
  const every = await currentGroups(db, { minScore, network, signal, report: progress })
  const certain = groupsOfCertainty(every, true)
  const others = isCertain === false ? groupsOfCertainty(every, false) : every
  const all = isCertain === true ? certain : others
  const kept = groupsAfter(all, after, limit)
  const groups = await withConnections(db, kept.groups)
  return {
    groups,
    total: all.groups.length,
    before: kept.from,
    certain: certain.groups.length,
    hasMore: kept.hasMore,
    cursorAfter(index) {
      // All groups of the page may have been left out.
      const group = groups[index] ?? kept.groups.at(-1)
      return writeCursor(question, group ? [groupRank(group), group.firstId] : [0, 0])
    },
  }
}

/** The position before every group. */
const FIRST = [Number.MAX_SAFE_INTEGER, 0] as const

/** A group is left out if its connections were deleted at this moment. */
async function withConnections(
  db: MemberReader,
  groups: readonly Group[],
): Promise<DuplicateGroup[]> {
  const found = await findConnections(
    db,
    groups.flatMap(({ connectionIds }) => connectionIds),
  )
  const byId = new Map(found.map((connection) => [connection.connectionId, connection]))
  return groups.flatMap(({ connectionIds, ...group }) => {
    const connections = connectionIds.flatMap((id) => byId.get(id) ?? [])
    const present = connections.filter(({ deletedAt }) => deletedAt === null)
    return present.length < 2 ? [] : [{ ...group, connections: present }]
  })
}
