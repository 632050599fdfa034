/**
 * The duplicates of a network, kept in memory until the network changes: finding them compares everyone, but pages and
 * repeated calls need only some groups. They are one text per group, so that a thread hands over thousands in one piece.
 */

import {
  defineComputation,
  defineMemory,
  type MemberDatabase,
  type MemberReader,
} from '../../db/database.ts'
import { readNetworkState, type NetworkState } from '../../tools/call-state.ts'
import { findDuplicates } from './duplicates.ts'
import { groupRank, type Evidence, type Group } from './groups.ts'
import type { ReportProgress } from '../../tools/tool.ts'

/** Connections kept per group: the one to keep and as many as merge_connections accepts. */
export const MAX_GROUP_SIZE = 21

/** The position of a group in the list. */
interface GroupPosition {
  readonly rank: number
  readonly firstId: number
}

/** All groups of a network with at least a score, in order. */
interface KeptGroups {
  /** `search_version` of the network, which decisions about duplicates increment, too. */
  readonly version: number
  readonly minScore: number
  readonly ranks: Float64Array
  readonly firstIds: Uint32Array
  /** JSON of each `Group`, one after the other. */
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

const KEPT = defineMemory<KeptGroups>('duplicate-groups', { isSpare: true })

interface GroupsQuery {
  readonly minScore: number
  /** The network when the call began; otherwise it is read. */
  readonly network?: NetworkState | undefined
  readonly signal: AbortSignal
  readonly report?: ReportProgress | undefined
}

/** @throws {RequestError} `rate_limited` when too many computations of this member are queued. */
export async function currentGroups(
  db: MemberReader & Pick<MemberDatabase, 'compute' | 'memory'>,
  { minScore, network, signal, report }: GroupsQuery,
): Promise<KeptGroups> {
  const { search_version: version } = network ?? (await readNetworkState(db))
  const kept = db.memory.read(KEPT)
  if (kept && kept.version >= version && kept.minScore === minScore) return kept
  const groups = await db.compute(COMPUTATION, { minScore }, { signal, report })
  const { bytes, ends, ranks, firstIds } = groups
  const size = bytes.byteLength + ends.byteLength + ranks.byteLength + firstIds.byteLength
  db.memory.keep(KEPT, groups, size)
  return groups
}

/** The first group after a position. */
export function firstAfter(
  { ranks, firstIds }: KeptGroups,
  { rank, firstId }: GroupPosition,
): number {
  let at = 0
  while (at < ranks.length && !isAfter(ranks[at] ?? 0, firstIds[at] ?? 0)) at += 1
  return at

  function isAfter(otherRank: number, otherId: number): boolean {
    return otherRank < rank || (otherRank === rank && otherId > firstId)
  }
}

/** `count` groups from `from` on; fewer at the end. */
export function readGroups({ bytes, ends }: KeptGroups, from: number, count: number): Group[] {
  return Array.from(ends.subarray(from, from + count), (end, index) => {
    const start = ends[from + index - 1] ?? 0
    // Written by `groupsInThread`.
    return JSON.parse(Buffer.from(bytes.subarray(start, end)).toString('utf8')) as Group
  })
}

/** Runs in a worker thread, because it reads much of the network. The version is read first: later changes are found again. */
export async function groupsInThread(
  reader: MemberReader,
  { minScore }: Pick<KeptGroups, 'minScore'>,
  report: ReportProgress,
): Promise<KeptGroups> {
  const { search_version: version } = await readNetworkState(reader)
  const groups = await findDuplicates(reader, minScore, report)
  const texts = groups.map((group) => JSON.stringify(keptOf(group)))
  let end = 0
  return {
    version,
    minScore,
    ranks: Float64Array.from(groups, groupRank),
    firstIds: Uint32Array.from(groups, ({ firstId }) => firstId),
    bytes: new TextEncoder().encode(texts.join('')),
    ends: Uint32Array.from(texts, (text) => (end += Buffer.byteLength(text))),
  }
}

const COMPUTATION = defineComputation(import.meta.url, { groupsInThread })

/** Pieces of evidence kept per group; more than an answer or a page can show. */
const MAX_EVIDENCE = 200

/** Limits a group, which may be as large as the network, to what can be shown. */
function keptOf(group: Group): Group {
  if (group.connectionIds.length <= MAX_GROUP_SIZE && group.evidence.length <= MAX_EVIDENCE)
    return group
  const connectionIds = group.connectionIds.slice(0, MAX_GROUP_SIZE)
  const shown = new Set(connectionIds)
  const about = group.evidence
    .map((one): Evidence => ({
      ...one,
      connectionIds: one.connectionIds.filter((id) => shown.has(id)),
    }))
    .filter((one) => one.connectionIds.length > 0)
  return { ...group, connectionIds, evidence: about.slice(0, MAX_EVIDENCE) }
}
