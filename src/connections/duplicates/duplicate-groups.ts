/** Joins pairs of connections that are probably the same person into groups, with their evidence. */

import { listsBy } from '../../base/lists-by.ts'
import {
  MIN_SAME_SCORE,
  minUnsureScore,
  WEIGHTS,
  MIN_CERTAIN_SCORE,
  MIN_REVIEW_SCORE,
  MAX_REVIEW_SCORE,
  type MatchReason,
} from '../../identity/match-weights.ts'
import { sharedValue } from './shared-values.ts'
import { areTwoPeople, decideMatch, type MatchDecision } from '../../identity/decide-match.ts'
import { isRuledOut } from '../../identity/rule-out.ts'
import type { ComparedPerson } from './compared-people.ts'
import type { Matchable } from '../../identity/match-person.ts'

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
  /** For or against a match. */
  readonly reason: MatchReason
  readonly value: string
  readonly connectionIds: readonly number[]
}

/** Two people who are or may be the same. */
export interface Pair {
  readonly people: readonly [ComparedPerson, ComparedPerson]
  readonly decision: MatchDecision
  /** Whether an import queued the pair. */
  readonly isQueued: boolean
}

interface GroupRules {
  readonly minScore: number
  /** Pairs that the member marked as different people, as `pairKeyOf` writes them. */
  readonly different: ReadonlySet<string>
}

/**
 * Joins pairs in order of score; a group has the score of the last pair that extended it. A pair is left out if it would
 * bring two different people into one group.
 */
export function groupsOf(pairs: Iterable<Pair>, { minScore, different }: GroupRules): Group[] {
  const links = [...pairs]
    .map(({ people, decision, isQueued }): ScoredPair => ({
      people,
      decision,
      isQueued,
      score: certaintyOf(decision),
    }))
    .filter(({ score, isQueued }) => score >= minScore || isQueued)
    .sort((one, other) => other.score - one.score)
  const open: OpenGroups = { groups: new Map(), others: othersOf(different) }
  for (const link of links) join(open, link)
  return [...new Set(open.groups.values())]
    .filter(({ people }) => people.length > 1)
    .map(finished)
    .sort((one, other) => groupRank(other) - groupRank(one) || one.firstId - other.firstId)
}

type Decided = Pick<ComparedPerson, keyof Matchable | 'importJobId'>

/** The decision of an import; undefined if the two are certainly different people. */
export function decide(one: Decided, other: Decided): MatchDecision | undefined {
  const isSameFile = one.importJobId !== null && one.importJobId === other.importJobId
  if (isRuledOut(one, other, isSameFile)) return undefined
  const decision = decideMatch(one, other, { isSameFile })
  return decision.outcome === 'different' ? undefined : decision
}

/** 0 to 1: the outcome decides the range, the weight of the evidence the place in it. */
export function certaintyOf({ outcome, score }: MatchDecision): number {
  return outcome === 'same'
    ? scaled(score, [MIN_SAME_SCORE, WEIGHTS.identical], [MIN_CERTAIN_SCORE, 1])
    : scaled(
        score,
        [minUnsureScore(false), WEIGHTS.identical],
        [MIN_REVIEW_SCORE, MAX_REVIEW_SCORE],
      )
}

type Range = readonly [min: number, max: number]

/** Linear, and limited to the range `to`. */
function scaled(value: number, [min, max]: Range, [lowest, highest]: Range): number {
  const share = (value - min) / (max - min)
  return lowest + (highest - lowest) * Math.min(1, Math.max(0, share))
}

/** The position of a group in the list: queued ones first, then by score. */
export function groupRank({ isQueued, score }: Pick<Group, 'isQueued' | 'score'>): number {
  return isQueued ? score + 1 : score
}

interface OpenGroup {
  readonly people: ComparedPerson[]
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
  const pairs = [...different].map((key) => key.split(' ').map(Number))
  return listsBy(
    pairs.flatMap(([one = 0, other = 0]) => [
      [one, other],
      [other, one],
    ]),
  )
}

interface ScoredPair extends Pair {
  readonly score: number
}

/** Moves the smaller group into the larger one, so that each connection moves rarely. */
function join(open: OpenGroups, { people, score, decision, isQueued }: ScoredPair): void {
  const { groups } = open
  const [one, other] = people
  const [left, right] = [groupOf(groups, one, score), groupOf(groups, other, score)]
  const [into, from] = left.people.length < right.people.length ? [right, left] : [left, right]
  if (into !== from) {
    if (haveDifferent(open, into, from) || haveTwoPeople([into, from], people)) return
    for (const person of from.people) groups.set(person.connectionId, into)
    into.people.push(...from.people)
    into.clues.push(...from.clues)
    into.score = score
    into.isQueued ||= from.isQueued
  }
  into.isQueued ||= isQueued
  const connectionIds = [one.connectionId, other.connectionId]
  for (const reason of decision.reasons)
    into.clues.push({ reason, value: sharedValue(reason, one, other), connectionIds })
}

function haveDifferent({ groups, others }: OpenGroups, into: OpenGroup, from: OpenGroup): boolean {
  if (others.size === 0) return false
  return from.people.some(({ connectionId }) =>
    others.get(connectionId)?.some((other) => groups.get(other) === into),
  )
}

/** People of each group who are checked for contradictions, because a group can be as large as the network. */
export const MAX_CHECKED = 20

/** Whether the groups have two people whose names or birthdays contradict each other, besides the pair that joins them. */
function haveTwoPeople(
  [into, from]: readonly [OpenGroup, OpenGroup],
  joining: ScoredPair['people'],
): boolean {
  const others = into.people.slice(0, MAX_CHECKED)
  return from.people
    .slice(0, MAX_CHECKED)
    .some((one) =>
      others.some(
        (other) =>
          !(joining.includes(one) && joining.includes(other)) &&
          (one.profileUrl === null || one.profileUrl !== other.profileUrl) &&
          areTwoPeople(one, other),
      ),
    )
}

function groupOf(groups: Map<number, OpenGroup>, person: ComparedPerson, score: number): OpenGroup {
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

function joined(clues: readonly Evidence[]): Evidence[] {
  const byValue = Map.groupBy(clues, ({ reason, value }) => `${reason} ${value}`)
  return [...byValue.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, connectionIds: idsIn([first, ...more]) }] : [],
  )
}

function idsIn(clues: readonly { readonly connectionIds: readonly number[] }[]): number[] {
  return [...new Set(clues.flatMap(({ connectionIds }) => connectionIds))].sort((a, b) => a - b)
}
