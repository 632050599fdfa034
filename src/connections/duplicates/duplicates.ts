/**
 * Finds connections that may be the same person, with evidence. Pairs that share a value are compared in two steps:
 * first by a few columns that are read for all connections, then, if the pair is likely, by all data of both.
 */

import { LIST_FIELDS, TEXT_FIELDS, type Connection } from '../model/connection.ts'
import { findConnections } from '../model/connection-store.ts'
import { decideMatch, type MatchReason } from '../matching/decide-match.ts'
import { differentPairs, openReviews, pairKeyOf } from '../matching/match-reviews.ts'
import { MAX_BUCKET_SIZE, type Bucket } from './buckets.ts'
import { comparableOf, findBuckets, readCandidates, type Candidate } from './candidate-buckets.ts'
import {
  matchEvidence,
  personOf,
  scoreOf,
  type MatchEvidence,
  type Person,
  type Reason,
} from './same-person.ts'
import type { ReportProgress } from '../../tools/tool.ts'
import type { MemberReader } from '../../db/database.ts'

export interface DuplicateGroup {
  /** Whether an import queued a pair of it for the member to decide. These groups come first. */
  readonly isQueued: boolean
  /** 0 to 1: the score of the least certain connection in the group. */
  readonly score: number
  /** Most complete first, which is the one to keep. */
  readonly connections: readonly Connection[]
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

/** All groups with at least `minScore`, highest first. Runs in a thread and reports progress. */
export async function findDuplicates(
  reader: MemberReader,
  minScore: number,
  progress: ReportProgress = () => {},
): Promise<DuplicateGroup[]> {
  const everyone = await readCandidates(reader)
  progress(1, STAGES, `${everyone.size} connections read`)
  const { buckets, common } = await findBuckets(reader, everyone)
  progress(2, STAGES, 'names, emails and phone numbers compared')
  const reviews = await openReviews(reader)
  const comparison = {
    isCommon: (words: readonly string[]) => common.has(words.join(' ')),
    queued: new Map(
      reviews.map(({ firstId, secondId, reasons }) => [pairKeyOf(firstId, secondId), reasons]),
    ),
    decided: await differentPairs(reader),
  }
  const queued = reviews.map(({ firstId, secondId }) => [firstId, secondId])
  const minCompared = Math.min(minScore, MIN_SAME_PERSON_SCORE)
  const likely = likelyPairs([...queued, ...buckets], everyone, { ...comparison, minCompared })
  const people = await readPeople(reader, likely.flat())
  progress(3, STAGES, `${likely.length} pairs found`)
  const pairs = compareAll(likely, people, comparison)
  progress(4, STAGES, `${pairs.size} pairs scored`)
  dropAmbiguous(pairs)
  return groupsOf(pairs.values(), people, minScore)
}

/** Progress steps. */
const STAGES = 4

/** Rows read at a time. */
const PAGE = 1000

async function readPeople(
  reader: MemberReader,
  ids: Iterable<number>,
): Promise<Map<number, WholePerson>> {
  const people = new Map<number, WholePerson>()
  const all = [...new Set(ids)]
  for (let at = 0; at < all.length; at += PAGE)
    for (const connection of await findConnections(reader, all.slice(at, at + PAGE)))
      if (connection.deletedAt === null)
        people.set(connection.connectionId, { ...personOf(connection), connection })
  return people
}

interface WholePerson extends Person {
  readonly connection: Connection
}

/** Two people and the evidence that they are the same. */
interface Pair {
  readonly people: readonly [Person, Person]
  readonly clues: MatchEvidence[]
  /** Why an import could not decide; undefined if no import queued the pair. */
  readonly queued: readonly MatchReason[] | undefined
}

interface ScoredPair extends Pair {
  readonly score: number
}

interface Comparison {
  readonly isCommon: (words: readonly string[]) => boolean
  /** Pairs that an import queued, with the reasons. */
  readonly queued: ReadonlyMap<string, readonly MatchReason[]>
  /** Pairs that the member marked as two people. */
  readonly decided: ReadonlySet<string>
}

type PairIds = readonly [number, number]

/**
 * The pairs of all buckets that are likely enough by the columns read for everyone, each once. In a large bucket, which
 * can only come from a shared key, only neighbors are compared.
 */
function likelyPairs(
  buckets: readonly Bucket[],
  everyone: ReadonlyMap<number, Candidate>,
  { isCommon, queued, decided, minCompared }: Comparison & { readonly minCompared: number },
): PairIds[] {
  const pairs = new Map<string, PairIds>()
  const personWith = personReader(everyone)
  for (const bucket of buckets) {
    const reach = bucket.length > MAX_BUCKET_SIZE ? 1 : bucket.length
    for (const [index, id] of bucket.entries())
      for (const otherId of bucket.slice(index + 1, index + 1 + reach)) {
        const [one, other] = [personWith(id), personWith(otherId)]
        if (!one || !other) continue
        const score = scoreOf(matchEvidence(one, other, isCommon))
        const isLikely = score > 0 && score >= minCompared
        if (!isLikely && queued.size === 0) continue
        const key = pairKeyOf(id, otherId)
        if (pairs.has(key) || decided.has(key)) continue
        if (isLikely || queued.has(key)) pairs.set(key, [id, otherId])
      }
  }
  return [...pairs.values()]
}

/** Prepares each person on the first comparison. */
function personReader(
  everyone: ReadonlyMap<number, Candidate>,
): (id: number) => Person | undefined {
  const people = new Map<number, Person>()
  return (id) => {
    const known = people.get(id)
    const candidate = known ? undefined : everyone.get(id)
    if (!candidate) return known
    const person = personOf(comparableOf(candidate))
    people.set(id, person)
    return person
  }
}

function compareAll(
  likely: readonly PairIds[],
  people: ReadonlyMap<number, WholePerson>,
  { isCommon, queued }: Comparison,
): Map<string, Pair> {
  const pairs = new Map<string, Pair>()
  for (const [id, otherId] of likely) {
    const [one, other] = [people.get(id), people.get(otherId)]
    if (!one || !other) continue
    const key = pairKeyOf(id, otherId)
    if (!queued.has(key) && areTwoPeople(one, other)) continue
    const clues = matchEvidence(one, other, isCommon)
    pairs.set(key, { people: [one, other], clues, queued: queued.get(key) })
  }
  return pairs
}

/** Spouses, twins, father and son: shared values are not evidence. */
function areTwoPeople(
  { connection: one }: WholePerson,
  { connection: other }: WholePerson,
): boolean {
  if (one.profileUrl !== null && one.profileUrl === other.profileUrl) return false
  return decideMatch(one, other).reasons.some((reason) => CONTRADICTIONS.has(reason))
}

const CONTRADICTIONS: ReadonlySet<MatchReason> = new Set([
  'other_given_name',
  'other_generation',
  'other_number',
  'other_birthday',
])

function pairKey({ connection: one }: Person, { connection: other }: Person): string {
  return pairKeyOf(one.connectionId, other.connectionId)
}

/** Evidence that can match several different people. */
const AMBIGUOUS_REASONS: ReadonlySet<Reason> = new Set([
  'initials_and_company',
  'same_name_company_unknown',
])
/** Pairs with a lower score may be different people. */
const MIN_SAME_PERSON_SCORE = 0.6

/** If A. Lee may be either Ann or Amy, who are different people, the initial is evidence for neither. */
function dropAmbiguous(pairs: ReadonlyMap<string, Pair>): void {
  const vague = [...pairs.values()].filter(({ clues }) => clues.some(isAmbiguousClue))
  const candidates = new Map<Person, Person[]>()
  for (const { people } of vague)
    for (const [one, other] of [people, people.toReversed()]) {
      if (!one || !other) continue
      const matches = candidates.get(one)
      if (matches) matches.push(other)
      else candidates.set(one, [other])
    }
  const isAmbiguous = (one: Person) => {
    const others = candidates.get(one) ?? []
    return others.some((other, index) =>
      others.slice(index + 1).some((third) => {
        const pair = pairs.get(pairKey(other, third))
        return !pair || scoreOf(pair.clues) < MIN_SAME_PERSON_SCORE
      }),
    )
  }
  const ambiguous = new Set([...candidates.keys()].filter(isAmbiguous))
  for (const { people, clues } of vague)
    if (people.some((one) => ambiguous.has(one)))
      clues.splice(0, clues.length, ...clues.filter((clue) => !isAmbiguousClue(clue)))
}

function isAmbiguousClue({ reason }: MatchEvidence): boolean {
  return AMBIGUOUS_REASONS.has(reason)
}

/** Joins pairs in order of score; a group has the score of the last pair that extended it. */
function groupsOf(
  pairs: Iterable<Pair>,
  people: ReadonlyMap<number, WholePerson>,
  minScore: number,
): DuplicateGroup[] {
  const links = [...pairs]
    .map((pair): ScoredPair => {
      const { people: two, clues, queued } = pair
      return { people: two, clues, queued, score: certaintyOf(pair) }
    })
    .filter(({ score, queued }) => (score >= minScore && score > 0) || queued !== undefined)
    .sort((one, other) => other.score - one.score)
  const groups = new Map<number, Group>()
  for (const link of links) {
    const [one, other] = link.people.map(({ connection: { connectionId } }) => connectionId)
    if (one !== undefined && other !== undefined) join(groups, one, other, link)
  }
  return [...new Set(groups.values())]
    .map((group) => finished(group, people))
    .sort((one, other) => groupRank(other) - groupRank(one) || one.firstId - other.firstId)
}

/** Queued pairs have a score of one half, regardless of their other evidence. */
function certaintyOf({ clues, queued }: Pair): number {
  return queued === undefined ? scoreOf(clues) : Math.max(scoreOf(clues), QUEUED_SCORE)
}

const QUEUED_SCORE = 0.5

/** The position of a group in the list: queued ones first, then by score. */
export function groupRank({ isQueued, score }: Pick<DuplicateGroup, 'isQueued' | 'score'>): number {
  return isQueued ? score + 1 : score
}

interface Group {
  readonly members: number[]
  score: number
  isQueued: boolean
  readonly clues: Evidence[]
}

/** Moves the smaller group into the larger one, so that each connection moves rarely. */
function join(
  groups: Map<number, Group>,
  one: number,
  other: number,
  { score, clues, queued, people }: ScoredPair,
): void {
  const [left, right] = [groupOf(groups, one, score), groupOf(groups, other, score)]
  const [into, from] = left.members.length < right.members.length ? [right, left] : [left, right]
  if (into !== from) {
    for (const member of from.members) groups.set(member, into)
    into.members.push(...from.members)
    into.clues.push(...from.clues)
    into.score = score
    into.isQueued ||= from.isQueued
  }
  into.isQueued ||= queued !== undefined
  const known = new Set<string>(clues.map(({ reason }) => reason))
  const added = (queued ?? []).filter((reason) => !known.has(reason))
  const value = people.map(({ connection }) => connection.name).join(' / ')
  for (const clue of [...clues, ...added.map((reason) => ({ reason, value }))])
    into.clues.push({ ...clue, connectionIds: [one, other] })
}

function groupOf(groups: Map<number, Group>, member: number, score: number): Group {
  const group = groups.get(member) ?? { members: [member], score, isQueued: false, clues: [] }
  groups.set(member, group)
  return group
}

function finished(group: Group, people: ReadonlyMap<number, WholePerson>): DuplicateGroup {
  const connections = group.members
    .flatMap((id) => people.get(id)?.connection ?? [])
    .sort((one, other) => filled(other) - filled(one) || one.connectionId - other.connectionId)
  const byValue = Map.groupBy(group.clues, ({ reason, value }) => `${reason} ${value}`)
  const evidence = [...byValue.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, connectionIds: idsIn([first, ...more]) }] : [],
  )
  return {
    isQueued: group.isQueued,
    score: Math.round(group.score * 100) / 100,
    connections,
    evidence,
    firstId: Math.min(...group.members),
  }
}

function idsIn(clues: readonly { readonly connectionIds: readonly number[] }[]): number[] {
  return [...new Set(clues.flatMap(({ connectionIds }) => connectionIds))].sort((a, b) => a - b)
}

/** Number of filled values. */
function filled(connection: Connection): number {
  return (
    TEXT_FIELDS.filter((field) => connection[field] !== null).length +
    LIST_FIELDS.reduce((sum, field) => sum + connection[field].length, 0)
  )
}
