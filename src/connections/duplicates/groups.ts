/** Joins pairs of connections that are probably the same person into groups, with their evidence. */

import type { MatchReason } from '../matching/match-weights.ts'
import { evidenceOf, queuedValueOf } from './evidence.ts'
import type { WholePerson } from './people.ts'
import { reasonsIn, scoreOf, type Reason } from './same-person.ts'

export interface Group {
  /** Whether an import queued a pair of it for the member to decide. These groups come first. */
  readonly isQueued: boolean
  /** 0 to 1: the score of the least certain connection in the group. */
  readonly score: number
  /** Most complete first, which is the one to keep. */
  readonly connectionIds: readonly number[]
  readonly evidence: readonly Evidence[]
  /** The lowest connection ID in it. */
  readonly firstId: number
}

export interface Evidence {
  /** Matching evidence; for a queued pair, contradictions as well. */
  readonly reason: Reason | MatchReason
  readonly value: string
  readonly connectionIds: readonly number[]
}

/** Two people and the set of reasons to think that they are the same. */
export interface Pair {
  readonly people: readonly [WholePerson, WholePerson]
  reasons: number
  /** Why an import could not decide; undefined if no import queued the pair. */
  readonly queued: readonly MatchReason[] | undefined
}

interface ScoredPair extends Pair {
  readonly score: number
}

interface GroupRules {
  readonly minScore: number
  /** Pairs of different people, as `pairKeyOf` writes them. */
  readonly different: ReadonlySet<string>
}

/**
 * Joins pairs in order of score; a group has the score of the last pair that extended it. A pair is left out if it would
 * bring two different people into one group.
 */
export function groupsOf(pairs: Iterable<Pair>, { minScore, different }: GroupRules): Group[] {
  const links = [...pairs]
    .map((pair): ScoredPair => {
      const { people, reasons, queued } = pair
      return { people, reasons, queued, score: certaintyOf(pair) }
    })
    .filter(({ score, queued }) => (score >= minScore && score > 0) || queued !== undefined)
    .sort((one, other) => other.score - one.score)
  const open: OpenGroups = { groups: new Map(), others: othersOf(different) }
  for (const link of links) join(open, link)
  return [...new Set(open.groups.values())]
    .filter(({ people }) => people.length > 1)
    .map(finished)
    .sort((one, other) => groupRank(other) - groupRank(one) || one.firstId - other.firstId)
}

/** Queued pairs have a score of one half, regardless of their other evidence. */
function certaintyOf({ reasons, queued }: Pair): number {
  return queued === undefined ? scoreOf(reasons) : Math.max(scoreOf(reasons), QUEUED_SCORE)
}

const QUEUED_SCORE = 0.5

/** The position of a group in the list: queued ones first, then by score. */
export function groupRank({ isQueued, score }: Pick<Group, 'isQueued' | 'score'>): number {
  return isQueued ? score + 1 : score
}

interface OpenGroup {
  readonly people: WholePerson[]
  score: number
  isQueued: boolean
  readonly clues: Evidence[]
}

interface OpenGroups {
  /** By connection ID. */
  readonly groups: Map<number, OpenGroup>
  /** The connections that are not the same person as one, by its ID. */
  readonly others: ReadonlyMap<number, readonly number[]>
}

function othersOf(different: ReadonlySet<string>): Map<number, number[]> {
  const others = new Map<number, number[]>()
  const add = (one: number, other: number) => {
    const known = others.get(one)
    if (known) known.push(other)
    else others.set(one, [other])
  }
  for (const key of different) {
    const [one = 0, other = 0] = key.split(' ').map(Number)
    add(one, other)
    add(other, one)
  }
  return others
}

/** Moves the smaller group into the larger one, so that each connection moves rarely. */
function join(open: OpenGroups, { people, score, reasons, queued }: ScoredPair): void {
  const { groups } = open
  const [one, other] = people
  const [left, right] = [groupOf(groups, one, score), groupOf(groups, other, score)]
  const [into, from] = left.people.length < right.people.length ? [right, left] : [left, right]
  if (into !== from) {
    if (haveDifferent(open, into, from)) return
    for (const person of from.people) groups.set(person.connectionId, into)
    into.people.push(...from.people)
    into.clues.push(...from.clues)
    into.score = score
    into.isQueued ||= from.isQueued
  }
  into.isQueued ||= queued !== undefined
  const connectionIds = [one.connectionId, other.connectionId]
  for (const clue of evidenceOf(reasons, one, other)) into.clues.push({ ...clue, connectionIds })
  if (queued === undefined) return
  const known = new Set<string>(reasonsIn(reasons))
  for (const reason of queued) {
    if (known.has(reason)) continue
    into.clues.push({ reason, value: queuedValueOf(reason, one, other), connectionIds })
  }
}

function haveDifferent({ groups, others }: OpenGroups, into: OpenGroup, from: OpenGroup): boolean {
  if (others.size === 0) return false
  return from.people.some(({ connectionId }) =>
    others.get(connectionId)?.some((other) => groups.get(other) === into),
  )
}

function groupOf(groups: Map<number, OpenGroup>, person: WholePerson, score: number): OpenGroup {
  const { connectionId } = person
  const group = groups.get(connectionId) ?? {
    people: [person],
    score,
    isQueued: false,
    clues: [],
  }
  groups.set(connectionId, group)
  return group
}

function finished({ people, score, isQueued, clues }: OpenGroup): Group {
  const connectionIds = people
    .sort((one, other) => other.filled - one.filled || one.connectionId - other.connectionId)
    .map(({ connectionId }) => connectionId)
  return {
    isQueued,
    score: Math.round(score * 100) / 100,
    connectionIds,
    evidence: people.length === 2 ? clues.map(inOrder) : joined(clues),
    firstId: connectionIds.reduce((lowest, id) => Math.min(lowest, id), Infinity),
  }
}

/** Every clue of a single pair is a different one. */
function inOrder(clue: Evidence): Evidence {
  return { ...clue, connectionIds: idsIn([clue]) }
}

/** Clues with the same reason and value as one. */
function joined(clues: readonly Evidence[]): Evidence[] {
  const byValue = Map.groupBy(clues, ({ reason, value }) => `${reason} ${value}`)
  return [...byValue.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, connectionIds: idsIn([first, ...more]) }] : [],
  )
}

function idsIn(clues: readonly { readonly connectionIds: readonly number[] }[]): number[] {
  return [...new Set(clues.flatMap(({ connectionIds }) => connectionIds))].sort((a, b) => a - b)
}
