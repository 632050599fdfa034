/**
 * Chooses the connections of a network to compare: those that share a stored key, a phone number, the words of a name,
 * or a company and a word of the name. Work and memory grow linearly with the network instead of quadratically.
 */

import { memberStatement } from '../../db/statement.ts'
import { isInformative, type Bucket } from './buckets.ts'
import { EMPTY_VALUE } from './name-words.ts'
import { shortenedNameBuckets } from './shortened-names.ts'
import type { MemberReader } from '../../db/database.ts'
import type { People } from './people.ts'
import type { Person } from './same-person.ts'

/** A name that more people share is evidence only together with a company. */
const MAX_NAMESAKES = 5

interface Candidates {
  readonly buckets: readonly Bucket[]
  /** Numbers of names that many people share. */
  readonly common: ReadonlySet<number>
}

export async function findBuckets(
  reader: MemberReader,
  { everyone, names }: People,
): Promise<Candidates> {
  const people = [...everyone.values()]
  const { buckets: namesakes, common } = namesakeBuckets(people)
  const buckets = [
    ...(await sharedKeys(reader, everyone)),
    ...phoneBuckets(people),
    ...namesakes,
    ...shortenedNameBuckets(people, names),
  ]
  return { buckets, common }
}

/** Connections that share a key that imports match by: email, profile URL, or name and company. */
async function sharedKeys(
  reader: MemberReader,
  everyone: ReadonlyMap<number, Person>,
): Promise<Bucket[]> {
  const rows = await reader.all(SHARED_KEYS, {})
  return rows.map(({ ids }) =>
    ids
      .split(',')
      .map(Number)
      .sort((one, other) => one - other)
      .flatMap((id) => everyone.get(id) ?? []),
  )
}

function phoneBuckets(people: readonly Person[]): Bucket[] {
  const holders = sharedValues<string>()
  for (const person of people)
    for (const { key } of person.phones) if (key !== '') holders.add(key, person)
  return [...holders.shared.values()].filter(isInformative)
}

/** Connections with the same name; for common names only those at the same company. */
function namesakeBuckets(people: readonly Person[]): Candidates {
  const named = people.filter(({ words }) => words.length > 1)
  const repeated = repeatedNumbers(Float64Array.from(named, ({ nameNumber }) => nameNumber))
  const bearers = sharedValues<number>()
  for (const person of named)
    if (repeated.has(person.nameNumber)) bearers.add(person.nameNumber, person)
  const buckets: Person[][] = []
  const common = new Set<number>()
  for (const [name, namesakes] of bearers.shared) {
    if (namesakes.length <= MAX_NAMESAKES) buckets.push(namesakes)
    else {
      common.add(name)
      buckets.push(...Map.groupBy(namesakes, companyOf).values())
    }
  }
  return { buckets: buckets.filter(isInformative), common }
}

/** Sorting is faster than a map of numbers most of which occur once. */
function repeatedNumbers(numbers: Float64Array): Set<number> {
  const repeated = new Set<number>()
  const sorted = numbers.sort()
  for (let at = 1; at < sorted.length; at += 1) {
    const number = sorted[at] ?? 0
    if (number === sorted[at - 1]) repeated.add(number)
  }
  return repeated
}

/** People without a company are together. */
function companyOf({ companyNumber }: Person): number {
  return Math.max(EMPTY_VALUE, companyNumber)
}

interface SharedValues<Key> {
  add(key: Key, person: Person): void
  /** The people with each key that several have. */
  readonly shared: ReadonlyMap<Key, Person[]>
}

/** Most keys occur once and need no list. */
function sharedValues<Key>(): SharedValues<Key> {
  const first = new Map<Key, Person>()
  const shared = new Map<Key, Person[]>()
  return {
    shared,
    add(key, person) {
      const before = first.get(key)
      const known = before && shared.get(key)
      if (known) known.push(person)
      else if (before) shared.set(key, [before, person])
      else first.set(key, person)
    },
  }
}

/**
 * One scan of the member's keys. A subquery with the shared keys could be repeated for every row on PostgreSQL, as long as
 * a large import has no statistics yet. Keys of contacts (h, s) do not identify people.
 */
const SHARED_KEYS = memberStatement<object, { ids: string }>()(`
  select string_agg(cast(connection_id as text), ',') as ids from connection_keys
  where member_id = :member_id and (key < 'h' or key > 'i') and (key < 's' or key > 't')
  group by key having count(*) > 1 order by key`)
