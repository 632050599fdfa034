/** Finds the connection that matches a record, among those that share a key with it. */

import { areTwoPeople, decideMatch, type MatchDecision } from './decide-match.ts'
import { MIN_SAME_SCORE, type MatchReason } from './match-weights.ts'
import type { Matchable } from './match-person.ts'

interface Candidate<T> {
  readonly candidate: T
  readonly fields: Matchable
  /** Connections that were merged into it, as they were before. */
  readonly merged?: readonly Matchable[] | undefined
  readonly isDeleted: boolean
  /** Whether both are rows of one file. */
  readonly isSameFile: boolean
  readonly isSameSource: boolean
  /** Whether the candidate once had exactly this name and company and now has others. */
  readonly isFormer: boolean
  /** Whether the record has values, beyond those that are compared, that the candidate lacks. */
  readonly hasMore?: () => boolean
}

export interface Match<T> {
  readonly candidate: T
  readonly decision: MatchDecision
}

export interface FoundMatch<T> {
  /** The same person; a deleted connection only if no other matches. */
  readonly same?: Match<T>
  /** Perhaps the same person; only if no candidate is certain. Never a deleted one. */
  readonly unsure?: Match<T>
  /** Someone else who is, or may be, the person who matches: the record suggests that both are one. */
  readonly also?: Match<T>
}

/**
 * Finds the candidate who matches. If several are equally likely, the first matches if they share an address and may be one
 * person, and none otherwise: A. Lee may be Ann or Amy Lee, who share a mailbox.
 */
export function findMatch<T>(
  person: Matchable,
  candidates: readonly Candidate<T>[],
): FoundMatch<T> {
  const matches = candidates.map((one) => ({ ...one, decision: decideAbout(person, one) }))
  const same = matches.filter(({ decision }) => decision.outcome === 'same')
  const living = same.filter(({ isDeleted }) => !isDeleted)
  const [best, second] = byScore(living.length > 0 ? living : same)
  const [unsure] = byScore(
    matches.filter(({ decision, isDeleted }) => decision.outcome === 'unsure' && !isDeleted),
  )
  if (!best) return unsure ? { unsure } : {}
  if (second !== undefined && isUndecided(best, second))
    return best.isDeleted ? {} : { unsure: best }
  const also = [second, unsure].find((one) => one?.isDeleted === false && mayBeOne(best, one))
  return { same: best, ...(also && { also }) }
}

type Decided<T> = Candidate<T> & Match<T>

/** Whether nothing shows which of two candidates the person is. */
function isUndecided<T>(best: Decided<T>, second: Decided<T>): boolean {
  const lead = best.decision.score - second.decision.score
  if (lead < MIN_LEAD && areTwoPeople(best.fields, second.fields)) return true
  return lead === 0 && !best.decision.reasons.some((reason) => ANCHORS.has(reason))
}

/** Less than a phone number or a company counts. */
const MIN_LEAD = 2

/** Whether a record of the one suggests that the other is the same person. */
function mayBeOne<T>(
  { fields: one }: Decided<T>,
  { fields: other, decision }: Decided<T>,
): boolean {
  if (areTwoPeople(one, other)) return false
  if (decision.outcome === 'same') return true
  return one.profileUrl === null || other.profileUrl === null || one.profileUrl === other.profileUrl
}

/** Evidence that distinguishes two namesakes at one company. */
const ANCHORS: ReadonlySet<MatchReason> = new Set([
  'identical',
  'same_email',
  'same_phone',
  'same_profile_url',
])

/** Highest first; stable. */
function byScore<Entry extends { readonly decision: MatchDecision }>(matches: Entry[]): Entry[] {
  return matches.sort((one, other) => other.decision.score - one.decision.score)
}

/** The best of the decisions about the candidate and about those who were merged into it. */
function decideAbout<T>(person: Matchable, candidate: Candidate<T>): MatchDecision {
  const decision = decide(person, candidate)
  if (!candidate.merged || decision.outcome === 'same') return decision
  const others = candidate.merged.map((fields) => decide(person, { ...candidate, fields }))
  return others.find(({ outcome }) => outcome === 'same') ?? decision
}

function decide<T>(
  person: Matchable,
  { fields, isSameFile, isSameSource, isFormer, hasMore }: Candidate<T>,
): MatchDecision {
  if (isFormer) {
    const { name, givenName, familyName, company } = person
    return decideMatch(person, { ...fields, name, givenName, familyName, company }, { isSameFile })
  }
  if (!isSameFile && hasNothingNew(person, fields) && hasMore?.() !== true) return NOTHING_NEW
  return decideMatch(person, fields, { isSameFile, isSameSource })
}

const NOTHING_NEW: MatchDecision = {
  outcome: 'same',
  score: 2 * MIN_SAME_SCORE,
  reasons: ['identical'],
}

/** Whether the connection already has every value of the record, so that merging loses nothing. */
function hasNothingNew(record: Matchable, connection: Matchable): boolean {
  return (
    record.name === connection.name &&
    record.company === connection.company &&
    hasSameTitles(record, connection) &&
    CONTAINED.every((field) => record[field] === null || record[field] === connection[field]) &&
    record.emails.every((email) => connection.emails.includes(email)) &&
    record.phones.every((phone) => connection.phones.includes(phone))
  )
}

/** Mr and Mrs, and Sr. and Jr., can share everything else. */
function hasSameTitles({ details: one }: Matchable, { details: other }: Matchable): boolean {
  if (one === undefined || other === undefined) return true
  return TITLES.every(
    (title) =>
      one[title] === undefined || other[title] === undefined || one[title] === other[title],
  )
}

const TITLES = ['namePrefix', 'nameSuffix'] as const

const CONTAINED = [
  'givenName',
  'familyName',
  'title',
  'location',
  'profileUrl',
  'birthday',
  'connectedOn',
] as const
