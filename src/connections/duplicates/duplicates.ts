/**
 * Finds connections that may be the same person, with evidence. Compares only connections that share something: a
 * stored key, a phone number, the words of a name, or a company and a word of the name. The work therefore grows
 * linearly with the network, not with its square.
 */

import { setImmediate } from 'node:timers/promises'
import { nameKey } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { LIST_FIELDS, TEXT_FIELDS, type Connection } from '../model/connection.ts'
import { fullForm } from '../../names/given-names.ts'
import { phoneKey } from '../../names/phone-number.ts'
import type { ReportProgress } from '../../tools/tool.ts'
import {
  matchEvidence,
  unabbreviatedWords,
  personOf,
  scoreOf,
  wordsOf,
  type MatchEvidence,
  type Person,
  type Reason,
} from './same-person.ts'
import { decideMatch, type MatchReason } from '../matching/decide-match.ts'
import { differentPairs, openReviews, pairKeyOf } from '../matching/match-reviews.ts'
import { findConnections } from '../model/connection-store.ts'
import type { MemberReader } from '../../db/database.ts'

export interface DuplicateGroup {
  /** Whether an import queued a pair of it for the member to decide. These groups come first. */
  readonly isQueued: boolean
  /** 0 to 1: the certainty of the least certain connection in it. */
  readonly score: number
  /** Most complete first, which is the one to keep. */
  readonly connections: readonly Connection[]
  readonly evidence: readonly Evidence[]
  /** The lowest connection ID in it. */
  readonly firstId: number
}

export interface Evidence {
  /** What agrees; for a queued pair also what does not. */
  readonly reason: Reason | MatchReason
  readonly value: string
  readonly connectionIds: readonly number[]
}

/** All groups with at least `minScore`, highest first. Takes seconds for a large network, so it reports progress. */
export async function findDuplicates(
  reader: MemberReader,
  minScore: number,
  progress: ReportProgress = () => {},
): Promise<DuplicateGroup[]> {
  const everyone = await readNames(reader)
  progress(1, STAGES, `${everyone.length} connections read`)
  const { buckets: namesakes, common } = await bucketsByName(everyone)
  progress(2, STAGES, 'names compared')
  const reviews = await openReviews(reader)
  const buckets = [
    ...reviews.map(({ firstId, secondId }) => [firstId, secondId]),
    ...(await sharedKeys(reader)),
    ...(await bucketsByPhone(everyone)),
    ...namesakes,
    ...(await bucketsByShortenedName(everyone)),
  ]
  progress(3, STAGES, 'emails, phone numbers and shortened names compared')
  const people = await readPeople(reader, buckets)
  const isCommon = (words: readonly string[]) => common.has(words.join(' '))
  const queued = new Map(
    reviews.map(({ firstId, secondId, reasons }) => [pairKeyOf(firstId, secondId), reasons]),
  )
  const decided = await differentPairs(reader)
  const pairs = await compareAll(buckets, people, { isCommon, queued, decided })
  progress(4, STAGES, `${pairs.size} pairs scored`)
  dropAmbiguous(pairs)
  return groupsOf(pairs.values(), people, minScore)
}

/** Progress steps. */
const STAGES = 4

/** Items processed before yielding to other work. */
const STEP = 1000
/** Larger buckets are not evidence: a switchboard number, the most common name in a large company. */
const MAX_BUCKET_SIZE = 20
/** A name that more people in the network share is not evidence without a company. */
const MAX_NAMESAKES = 5

/** IDs of connections that share something. */
type Bucket = readonly number[]

function isInformative({ length }: Bucket): boolean {
  return length > 1 && length <= MAX_BUCKET_SIZE
}

/** The fields of every connection that decide which ones to compare. */
interface Named {
  readonly id: number
  readonly words: readonly string[]
  /** Normalized; empty for none. */
  readonly company: string
  readonly phones: readonly string[]
}

async function readNames(reader: MemberReader): Promise<Named[]> {
  const everyone: Named[] = []
  for (let after = 0; ;) {
    const rows = await reader.all(NAMES_AND_PHONES, { after, limit: STEP })
    for (const { connection_id, name_key, company, phones } of rows)
      everyone.push({
        id: connection_id,
        words: wordsOf(name_key),
        company: company === null ? '' : nameKey(company),
        phones: phones === '[]' ? NO_PHONES : significantPhones(JSON.parse(phones) as string[]),
      })
    after = rows.at(-1)?.connection_id ?? after
    if (rows.length < STEP) return everyone
  }
}

const NO_PHONES: readonly string[] = []

function significantPhones(phones: readonly string[]): string[] {
  return [...new Set(phones.map(phoneKey))].filter((digits) => digits !== '')
}

/** Connections that share a key that imports match by: email, profile URL, or name and company. */
async function sharedKeys(reader: MemberReader): Promise<Bucket[]> {
  const byKey = Map.groupBy(await reader.all(SHARED_KEYS, {}), ({ key }) => key)
  return [...byKey.values()].map((holders) => holders.map(({ connection_id }) => connection_id))
}

async function bucketsByPhone(everyone: readonly Named[]): Promise<Bucket[]> {
  const byPhone = new Map<string, number[]>()
  for await (const { id, phones } of inSteps(everyone))
    for (const phone of phones) put(byPhone, phone, id)
  return [...byPhone.values()].filter(isInformative)
}

interface Namesakes {
  readonly buckets: readonly Bucket[]
  /** Names that many people share, as full words. */
  readonly common: ReadonlySet<string>
}

/** Connections with the same name; for common names only those at the same company. */
async function bucketsByName(everyone: readonly Named[]): Promise<Namesakes> {
  const byName = new Map<string, Named[]>()
  for await (const one of inSteps(everyone))
    if (one.words.length > 1) put(byName, unabbreviatedWords(one.words).join(' '), one)
  const buckets: Bucket[] = []
  const common = new Set<string>()
  for await (const [name, bearers] of inSteps(byName)) {
    const isCommon = bearers.length > MAX_NAMESAKES
    if (isCommon) common.add(name)
    const groups = isCommon ? Map.groupBy(bearers, ({ company }) => company).values() : [bearers]
    for (const group of groups) if (isInformative(group.map(idOf))) buckets.push(group.map(idOf))
  }
  return { buckets, common }
}

/** Names with initials or middle names, together with names at the same company that may be their full form. */
async function bucketsByShortenedName(everyone: readonly Named[]): Promise<Bucket[]> {
  const shortened = new Map<string, number[]>()
  for await (const one of inSteps(everyone))
    for (const key of shortenedKeys(one)) put(shortened, key, one.id)
  const companies = new Set([...shortened.keys()].map((key) => key.slice(0, key.indexOf('|'))))
  for await (const one of inSteps(everyone)) {
    if (!companies.has(one.company)) continue
    for (const key of fullNameKeys(one)) {
      const bucket = shortened.get(key)
      if (bucket && !bucket.includes(one.id) && bucket.length <= MAX_BUCKET_SIZE)
        bucket.push(one.id)
    }
  }
  return [...shortened.values()].filter(isInformative)
}

/** Pairs of whole words, or the only whole word with each initial. */
function shortenedKeys({ words, company }: Named): Set<string> {
  const initials = words.filter(isInitial)
  if (company === '' || words.length < 2 || (words.length === 2 && initials.length === 0))
    return new Set()
  const [first = '', ...others] = wholeWords(words)
  return new Set(
    others.length > 0
      ? pairsOf(company, [first, ...others])
      : initials.map((initial) => `${company}|${first}|${initial}`),
  )
}

/** The keys that a shortened form of this name can have. */
function fullNameKeys({ words, company }: Named): string[] {
  const whole = wholeWords(words)
  const withInitials = whole.flatMap((word) =>
    words.filter((other) => other !== word).map((other) => `${company}|${word}|${other[0]}`),
  )
  return [...withInitials, ...pairsOf(company, whole)]
}

/** Words of a name that are compared. */
const MAX_WORDS = 4

function wholeWords(words: readonly string[]): string[] {
  return words
    .filter((word) => !isInitial(word))
    .slice(0, MAX_WORDS)
    .map(fullForm)
}

function pairsOf(company: string, words: readonly string[]): string[] {
  return words.flatMap((word, index) =>
    words
      .slice(index + 1)
      .map((other) => `${company}|${word < other ? `${word}|${other}` : `${other}|${word}`}`),
  )
}

function isInitial(word: string): boolean {
  return word.length === 1
}

function idOf({ id }: Named): number {
  return id
}

function put<Value>(values: Map<string, Value[]>, key: string, value: Value): void {
  const present = values.get(key)
  if (present) present.push(value)
  else values.set(key, [value])
}

/** Iterates and regularly yields to other work. */
async function* inSteps<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  let done = 0
  for (const value of values) {
    yield value
    done += 1
    if (done % STEP === 0) await setImmediate()
  }
}

async function readPeople(
  reader: MemberReader,
  buckets: readonly Bucket[],
): Promise<Map<number, Person>> {
  const ids = [...new Set(buckets.flat())]
  const people = new Map<number, Person>()
  for (let at = 0; at < ids.length; at += STEP)
    for (const connection of await findConnections(reader, ids.slice(at, at + STEP)))
      if (connection.deletedAt === null) people.set(connection.connectionId, personOf(connection))
  return people
}

/** Two people and the evidence that they are the same. */
interface Pair {
  readonly people: readonly [Person, Person]
  readonly clues: MatchEvidence[]
  /** Why an import could not decide about it; undefined when none asked. */
  readonly queued: readonly MatchReason[] | undefined
}

interface ScoredPair extends Pair {
  readonly score: number
}

interface Comparison {
  readonly isCommon: (words: readonly string[]) => boolean
  /** Pairs that an import queued, with the reasons. */
  readonly queued: ReadonlyMap<string, readonly MatchReason[]>
  /** Pairs that the member said are two people. */
  readonly decided: ReadonlySet<string>
}

/** Compares all pairs of a bucket, but only neighbors in a large one, which can only come from a shared key. */
async function compareAll(
  buckets: readonly Bucket[],
  people: ReadonlyMap<number, Person>,
  { isCommon, queued, decided }: Comparison,
): Promise<Map<string, Pair>> {
  const pairs = new Map<string, Pair>()
  for await (const bucket of inSteps(buckets)) {
    const reach = bucket.length > MAX_BUCKET_SIZE ? 1 : bucket.length
    for (const [index, id] of bucket.entries())
      for (const otherId of bucket.slice(index + 1, index + 1 + reach)) {
        const [one, other] = [people.get(id), people.get(otherId)]
        if (!one || !other) continue
        const key = pairKey(one, other)
        if (pairs.has(key) || decided.has(key)) continue
        if (!queued.has(key) && areTwoPeople(one, other)) continue
        const clues = matchEvidence(one, other, isCommon)
        pairs.set(key, { people: [one, other], clues, queued: queued.get(key) })
      }
  }
  return pairs
}

/** Spouses, twins, father and son: what they share is no evidence. */
function areTwoPeople({ connection: one }: Person, { connection: other }: Person): boolean {
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
  people: ReadonlyMap<number, Person>,
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

/** Queued pairs are as likely as not, whatever their other evidence. */
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

function finished(group: Group, people: ReadonlyMap<number, Person>): DuplicateGroup {
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

/** Scans by primary key, in its order. Keys of contacts (h, s) do not identify people. */
const SHARED_KEYS = memberStatement<object, { key: string; connection_id: number }>()(`
  select k.key, k.connection_id from connection_keys k
  join connections c on c.member_id = :member_id and c.connection_id = k.connection_id
  where k.member_id = :member_id and c.deleted_at is null and k.key in (
    select key from connection_keys
    where member_id = :member_id and (key < 'h' or key > 'i') and (key < 's' or key > 't')
    group by key having count(*) > 1)
  order by k.key, k.connection_id`)

interface NameRow {
  readonly connection_id: number
  readonly name_key: string
  readonly company: string | null
  readonly phones: string
}

/** By primary key. */
const NAMES_AND_PHONES = memberStatement<{ after: number; limit: number }, NameRow>()(`
  select connection_id, name_key, company, phones from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null
  order by connection_id limit :limit`)
