/**
 * Chooses the connections of a network to compare: those that share a stored key, a phone number, the words of a name,
 * or a company and a word of the name. It reads only the required columns, and work and memory grow linearly with the
 * network instead of quadratically.
 */

import { nameKey } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { phoneKey } from '../../names/phone-number.ts'
import { isInformative, type Bucket } from './buckets.ts'
import { unabbreviatedWords, wordsOf, type Comparable } from './same-person.ts'
import { shortenedNameBuckets } from './shortened-names.ts'
import type { MemberReader } from '../../db/database.ts'

/** A name that more people share is evidence only together with a company. */
const MAX_NAMESAKES = 5

/** The columns of a connection that decide which ones to compare and whether the comparison is worthwhile. */
export interface Candidate {
  readonly id: number
  readonly nameKey: string
  readonly words: readonly string[]
  /** Normalized; empty for none. */
  readonly company: string
  readonly row: CandidateRow
}

/** Everyone who is not deleted, by ID. */
export async function readCandidates(reader: MemberReader): Promise<Map<number, Candidate>> {
  const everyone = new Map<number, Candidate>()
  const companies = new Map<string, string>()
  for (let after = 0; ;) {
    const rows = await reader.all(CANDIDATES, { after, limit: PAGE })
    for (const row of rows) {
      const { connection_id: id, name_key, company } = row
      everyone.set(id, {
        id,
        nameKey: name_key,
        words: wordsOf(name_key),
        company: company === null ? '' : remembered(companies, company, nameKey),
        row,
      })
    }
    after = rows.at(-1)?.connection_id ?? after
    if (rows.length < PAGE) return everyone
  }
}

/** Rows per read. */
const PAGE = 1000

function remembered<T>(known: Map<string, T>, text: string, derive: (text: string) => T): T {
  let value = known.get(text)
  if (value === undefined) known.set(text, (value = derive(text)))
  return value
}

/** What can be compared without reading the whole connection. The name is normalized. */
export function comparableOf({ id, nameKey: name, row }: Candidate): Comparable {
  const { company, location, emails, phones, profile_url } = row
  return {
    connectionId: id,
    name,
    company,
    location,
    emails: listOf(emails),
    phones: listOf(phones),
    profileUrl: profile_url,
  }
}

function listOf(json: string): readonly string[] {
  return json === '[]' ? NONE : (JSON.parse(json) as string[])
}

const NONE: readonly string[] = []

interface Candidates {
  readonly buckets: readonly Bucket[]
  /** Names that many people share, as full words. */
  readonly common: ReadonlySet<string>
}

export async function findBuckets(
  reader: MemberReader,
  everyone: ReadonlyMap<number, Candidate>,
): Promise<Candidates> {
  const { buckets: namesakes, common } = namesakeBuckets(everyone.values())
  const buckets = [
    ...(await sharedKeys(reader, everyone)),
    ...phoneBuckets(everyone.values()),
    ...namesakes,
    ...shortenedNameBuckets(everyone.values()),
  ]
  return { buckets, common }
}

/** Connections that share a key that imports match by: email, profile URL, or name and company. */
async function sharedKeys(
  reader: MemberReader,
  everyone: ReadonlyMap<number, Candidate>,
): Promise<Bucket[]> {
  const rows = await reader.all(SHARED_KEYS, {})
  const present = rows.filter(({ connection_id: id }) => everyone.has(id))
  const byKey = Map.groupBy(present, ({ key }) => key)
  return [...byKey.values()].map((holders) => holders.map(({ connection_id }) => connection_id))
}

function phoneBuckets(everyone: Iterable<Candidate>): Bucket[] {
  return [...shared(phonesOf(everyone)).values()]
    .filter(isInformative)
    .map((holders) => holders.map(({ id }) => id))
}

function* phonesOf(everyone: Iterable<Candidate>): Generator<[phone: string, one: Candidate]> {
  for (const one of everyone)
    if (one.row.phones !== '[]')
      for (const phone of new Set(listOf(one.row.phones).map(phoneKey)))
        if (phone !== '') yield [phone, one]
}

/** Connections with the same name; for common names only those at the same company. */
function namesakeBuckets(everyone: Iterable<Candidate>): Candidates {
  const buckets: Bucket[] = []
  const common = new Set<string>()
  for (const [name, bearers] of shared(fullNames(everyone))) {
    const isCommon = bearers.length > MAX_NAMESAKES
    if (isCommon) common.add(name)
    const groups = isCommon ? Map.groupBy(bearers, ({ company }) => company).values() : [bearers]
    for (const group of groups) if (group.length > 1) buckets.push(group.map(({ id }) => id))
  }
  return { buckets: buckets.filter(isInformative), common }
}

function* fullNames(everyone: Iterable<Candidate>): Generator<[name: string, one: Candidate]> {
  for (const one of everyone)
    if (one.words.length > 1) yield [unabbreviatedWords(one.words).join(' '), one]
}

/** The values of each key that occurs more than once. Most keys occur once and need no list. */
function shared<Value extends object>(
  entries: Iterable<readonly [key: string, value: Value]>,
): Map<string, Value[]> {
  const first = new Map<string, Value>()
  const several = new Map<string, Value[]>()
  for (const [key, value] of entries) {
    const before = first.get(key)
    if (before === undefined) first.set(key, value)
    else if (several.has(key)) several.get(key)?.push(value)
    else several.set(key, [before, value])
  }
  return several
}

/** Scans by primary key, in its order. Keys of contacts (h, s) do not identify people. */
const SHARED_KEYS = memberStatement<object, { key: string; connection_id: number }>()(`
  select k.key, k.connection_id from connection_keys k
  where k.member_id = :member_id and k.key in (
    select key from connection_keys
    where member_id = :member_id and (key < 'h' or key > 'i') and (key < 's' or key > 't')
    group by key having count(*) > 1)
  order by k.key, k.connection_id`)

interface CandidateRow {
  readonly connection_id: number
  readonly name_key: string
  readonly company: string | null
  readonly location: string | null
  /** JSON */
  readonly emails: string
  /** JSON */
  readonly phones: string
  readonly profile_url: string | null
}

/** By primary key. */
const CANDIDATES = memberStatement<{ after: number; limit: number }, CandidateRow>()(`
  select connection_id, name_key, company, location, emails, phones, profile_url from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null
  order by connection_id limit :limit`)
