/**
 * The duplicates of a network, kept in memory until the network changes: finding them compares everyone, but pages and
 * repeated calls need only some groups.
 */

import {
  defineComputation,
  defineMemory,
  type MemberDatabase,
  type MemberReader,
} from '../../db/database.ts'
import { readNetworkState, type NetworkState } from '../../tools/network-state.ts'
import { findDuplicates } from './duplicates.ts'
import { groupRank, type Evidence, type Group } from './duplicate-groups.ts'
import { MIN_CERTAIN_SCORE } from '../../identity/match-weights.ts'
import type { ReportProgress } from '../../tools/tool.ts'

/** Connections kept per group: the one to keep and as many as one merge accepts. */
export const MAX_GROUP_SIZE = 21

/** All groups of a network with at least a score, in order. */
interface KeptGroups {
  /** `search_version` of the network, which decisions about duplicates increment, too. */
  readonly version: number
  readonly minScore: number
  readonly groups: readonly KeptGroup[]
}

/** Its position in the list, and the JSON of the `Group`. */
type KeptGroup = readonly [rank: number, firstId: number, json: string]

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
  const found = await db.compute(COMPUTATION, { minScore }, { signal, report })
  const bytes = found.groups.reduce((sum, [, , json]) => sum + json.length + GROUP_BYTES, 0)
  db.memory.keep(KEPT, found, bytes)
  return found
}

/**
 * How many groups the network had when they were found last; undefined if they were not. Finding them compares everyone, so
 * later changes count only once the groups are asked for.
 */
export function lastKnownGroups({ memory }: Pick<MemberDatabase, 'memory'>): number | undefined {
  return memory.read(KEPT)?.groups.length
}

/** Memory of the array and its numbers. */
const GROUP_BYTES = 100

/** Only the groups that are certain, or only the groups that the member has to decide. */
export function groupsOfCertainty(all: KeptGroups, isCertain: boolean): KeptGroups {
  const isWanted = ([rank]: KeptGroup) => (rank >= MIN_CERTAIN_SCORE && rank <= 1) === isCertain
  return { ...all, groups: all.groups.filter(isWanted) }
}

/** Up to `count` groups after the one with this rank and ID. */
export function groupsAfter(
  { groups }: KeptGroups,
  [rank, firstId]: readonly [rank: number, firstId: number],
  count: number,
): { readonly groups: readonly Group[]; readonly from: number; readonly hasMore: boolean } {
  const from = groups.findIndex(
    ([otherRank, otherId]) => otherRank < rank || (otherRank === rank && otherId > firstId),
  )
  const some = from < 0 ? [] : groups.slice(from, from + count)
  return {
    // Written by `groupsInThread`.
    groups: some.map(([, , json]) => JSON.parse(json) as Group),
    from: Math.max(from, 0),
    hasMore: from >= 0 && from + count < groups.length,
  }
}

/** Runs in a worker thread, because it reads much of the network. The version is read first: later changes are found again. */
export async function groupsInThread(
  reader: MemberReader,
  { minScore }: Pick<KeptGroups, 'minScore'>,
  report: ReportProgress,
): Promise<KeptGroups> {
  const { search_version: version } = await readNetworkState(reader)
  const groups = await findDuplicates(reader, minScore, report)
  return {
    version,
    minScore,
    groups: groups.map((group) => [groupRank(group), group.firstId, JSON.stringify(keptOf(group))]),
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
