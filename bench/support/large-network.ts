/** An invented network of 100,000 people, and questions to it, for `bench/large-network.ts`. The same ones for the same seed. */

import { reserveNumbers } from '../../src/tools/network-numbers.ts'
import { createMember } from '../../src/members/member.ts'
import { NOTES } from '../../src/connections/notes/notes.ts'
import { insertDrafts } from '../../src/records/recorded-table.ts'
import { addTagsOf, tagOf } from '../../src/connections/model/tag-store.ts'
import { insertConnections } from '../../src/connections/model/connection-store.ts'
import { NO_VALUES, type Connection } from '../../src/connections/model/connection.ts'
import { recordSearchChanges } from '../../src/connections/model/search-changes.ts'
import { otherForms } from '../../src/identity/given-names.ts'
import { inventedPeople, type InventedPerson } from '../../test/support/invented.ts'
import type { Matchable } from '../../src/identity/match-person.ts'
import type { Database } from '../../src/db/database.ts'

export const PEOPLE = 100_000
/** People who are there twice in the network with groups. */
export const TWICE = 5_500

const SEED = 7
const NOW = Date.UTC(2026, 10, 21, 12)

/** One person of the network: the fields of a connection, its tags and its note. */
export interface PersonRecord {
  readonly fields: Omit<Matchable, 'birthday'>
  readonly tags: readonly string[]
  readonly note: string | undefined
}

/** Everyone, once. */
export function* records(count = PEOPLE): Generator<PersonRecord, void> {
  const people = inventedPeople(SEED)
  for (let index = 0; index < count; index += 1) yield recordOf(people.next().value)
}

/** How many of a hundred people have each field. LinkedIn gives few emails; address books give emails and phones. */
const SHARES = { profileUrl: 70, email: 45, phone: 30, location: 65, note: 20, tag: 15 }

function recordOf(person: InventedPerson): PersonRecord {
  const has = (field: keyof typeof SHARES) =>
    drawn(person.index, Object.keys(SHARES).indexOf(field)) % 100 < SHARES[field]
  const familyName = familyNameOf(person)
  const name = `${person.givenName} ${familyName}`
  const tag = TAGS[Math.floor(Math.sqrt(drawn(person.index, 7) % (TAGS.length * TAGS.length)))]
  return {
    fields: {
      name: person.name.includes(' ') ? name : person.name,
      givenName: person.givenName,
      familyName: person.name.includes(' ') ? familyName : person.familyName,
      company: person.company,
      title: person.title,
      location: has('location') ? person.location : null,
      emails: has('email') ? [person.email] : [],
      // Invented numbers repeat; these do not.
      phones: has('phone') ? [`+1 ${2_000_000_000 + person.index * 7_919}`] : [],
      profileUrl: has('profileUrl') ? person.profileUrl : null,
      connectedOn: person.connectedOn,
    },
    tags: has('tag') && tag !== undefined ? [tag] : [],
    note: has('note') ? person.about : undefined,
  }
}

/** Numbers without pattern: the bits of a person and a field, mixed. */
function drawn(index: number, field: number): number {
  let bits = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(field + 1, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3ce5)
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39)
  return (bits ^ (bits >>> 15)) >>> 0
}

/** Two in five have one of 30,000 rare family names, as in a real network. */
function familyNameOf({ index, familyName }: InventedPerson): string {
  if (drawn(index, 8) % 5 >= 2) return familyName
  const [a, b, c] = [drawn(index, 9) % 40, drawn(index, 10) % 50, drawn(index, 11) % 15]
  return `${STARTS[a] ?? ''}${MIDDLES[b] ?? ''}${ENDS[c] ?? ''}`
}

const STARTS =
  'Bal Ber Bran Cal Car Dal Del Dor El Fal Fen Gar Gor Hal Har Hol Jan Kal Kar Kor Lan Lor Mal Mar Mor Nel Nor Oster Pal Per Quin Ral Ros Sal Ster Tal Tor Val Wal Zel'.split(
    ' ',
  )
const MIDDLES =
  'a ab ad ag al am an and ang ar as at av e ed eg el em en end er es et ev i ic id ig il im in ing ir is it iv o ob od og ol om on or os ot ov u ul um'.split(
    ' ',
  )
const ENDS = 'berg dahl ek elli ford ini ko man nen owski sen ski son stein well'.split(' ')

const TAGS = Array.from({ length: 60 }, (_, index) => {
  const [first, second] = [
    ['Web Summit', 'Investor', 'School', 'Conference', 'Advisor', 'Climate', 'Family', 'Team'],
    ['', '2019', '2020', '2021', '2022', '2023', '2024', '2025'],
  ]
  return `${first?.[index % 8] ?? ''} ${second?.[Math.floor(index / 8)] ?? ''}`.trim()
})

/** Another record of the same person, as another address book has it. */
function secondOf({ fields }: PersonRecord, nth: number): PersonRecord {
  const nickname = otherForms((fields.givenName ?? '').toLowerCase()).at(0)
  const variants: Partial<PersonRecord['fields']>[] = [
    { emails: [], phones: [], profileUrl: null },
    { emails: fields.emails, phones: [], profileUrl: null, company: null, title: null },
    { emails: [], phones: fields.phones, profileUrl: null, location: null },
    {
      name: `${capitalized(nickname) ?? fields.givenName ?? ''} ${fields.familyName ?? ''}`,
      givenName: capitalized(nickname) ?? fields.givenName,
      emails: [],
      profileUrl: null,
    },
    {
      name: `${(fields.givenName ?? '').charAt(0)}. ${fields.familyName ?? ''}`,
      givenName: `${(fields.givenName ?? '').charAt(0)}.`,
      emails: [],
      profileUrl: null,
    },
  ]
  return { fields: { ...fields, ...variants[nth % variants.length] }, tags: [], note: undefined }
}

function capitalized(word: string | undefined): string | undefined {
  return word === undefined ? undefined : word.charAt(0).toUpperCase() + word.slice(1)
}

/** Every eighteenth person again. */
export function* secondRecords(): Generator<PersonRecord, void> {
  let nth = 0
  for (const record of records())
    if (drawn(nth++, 12) % Math.floor(PEOPLE / TWICE) === 0) yield secondOf(record, nth)
}

const BATCH = 1000

/** A new member; returns their number. */
export async function addMember(database: Database, username: string): Promise<number> {
  const member = await database.write((tx) => createMember(tx, { username, name: username }, NOW))
  return member.memberId
}

/** Stores these people, as an import would. */
export async function addPeople(
  database: Database,
  memberId: number,
  people: Iterable<PersonRecord>,
): Promise<void> {
  const db = database.member(memberId)
  for (const batch of batchesOf(people))
    await db.write(async (tx) => {
      const first = await reserveNumbers(tx, 'last_connection', batch.length)
      await insertConnections(
        tx,
        batch.map(({ fields }, index) => connectionOf(fields, first + index)),
      )
      await addTagsOf(
        tx,
        batch.flatMap(({ tags }, index) =>
          tags.map((tag) => ({ ...tagOf(tag), connectionId: first + index })),
        ),
      )
      await insertDrafts(
        NOTES,
        tx,
        batch.flatMap(({ note }, index) =>
          note === undefined
            ? []
            : [
                {
                  text: note,
                  connectionId: first + index,
                  happenedOn: null,
                  origin: 'import' as const,
                  createdAt: NOW,
                },
              ],
        ),
      )
      await recordSearchChanges(
        tx,
        batch.map((_, index) => first + index),
      )
    })
}

function* batchesOf(people: Iterable<PersonRecord>): Generator<PersonRecord[], void> {
  let batch: PersonRecord[] = []
  for (const one of people) {
    batch.push(one)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

function connectionOf(fields: PersonRecord['fields'], connectionId: number): Connection {
  return {
    ...NO_VALUES,
    ...fields,
    details: NO_VALUES.details,
    connectionId,
    source: 'linkedin',
    fieldSources: {},
    importJobId: null,
    version: 1,
    createdAt: NOW,
    updatedAt: NOW,
    deletedAt: null,
    mergedInto: null,
  }
}

/** Queries of one kind, each asked for once. */
export interface QueryKind {
  readonly name: string
  readonly queries: readonly string[]
}

const QUERIES = 240

/** Distinct queries of every kind, about people in proportion to how many have each name, company and so on. */
export function queryKinds(): QueryKind[] {
  const everyone = [...records()]
  const pick = (nth: number) => everyone[drawn(nth, 13) % everyone.length] as PersonRecord
  const kind = (name: string, write: (one: PersonRecord, nth: number) => string | undefined) => {
    const queries = new Set<string>()
    for (let nth = 0; queries.size < QUERIES && nth < 100 * QUERIES; nth += 1) {
      const query = write(pick(nth + 1000 * name.length), nth)?.trim()
      if (query !== undefined && query !== '') queries.add(query)
    }
    return { name, queries: [...queries] }
  }
  const city = ({ fields }: PersonRecord) => fields.location?.split(',')[0]
  const role = ({ fields }: PersonRecord) => fields.title?.replace(/^(.*? of|VP,|\S+) /, '')
  return [
    kind('full name', ({ fields }) => fields.name),
    kind('one word of a name', ({ fields }, nth) =>
      nth % 2 === 0 ? fields.familyName?.split(/[ -]/)[0] : fields.givenName?.split(/[ -]/)[0],
    ),
    kind('name with a typo', ({ fields }, nth) => misspelt(fields.name, nth)),
    kind('unknown word', (_, nth) => unknownWord(nth)),
    kind('part of a word', ({ fields }, nth) =>
      [fields.name, fields.company ?? '', fields.title ?? ''][nth % 3]
        ?.split(/[^\p{L}]+/u)
        .findLast(({ length }) => length > 4)
        ?.slice(0, 3 + (nth % 3)),
    ),
    kind('parts of two words', ({ fields }, nth) => {
      const [first, last] = [fields.givenName ?? '', fields.familyName ?? '']
      return `${first.slice(0, 2 + (nth % 3))} ${last.slice(0, 2 + (nth % 2))}`
    }),
    kind('company', ({ fields }) => fields.company ?? undefined),
    kind('title and company', ({ fields }) => `${fields.title ?? ''} ${fields.company ?? ''}`),
    kind(
      'common words',
      (one, nth) =>
        [role(one), city(one), `${role(one) ?? ''} ${city(one) ?? ''}`, one.fields.title][
          nth % 4
        ] ?? undefined,
    ),
    kind('email, phone number or URL', ({ fields }, nth) =>
      [fields.emails[0], fields.phones[0], fields.profileUrl ?? undefined].at(nth % 3),
    ),
    kind('words of a note', ({ note }, nth) =>
      note
        ?.split(' ')
        .slice(nth % 8, (nth % 8) + 3)
        .join(' '),
    ),
    kind('question: title and place', (one, nth) => {
      const [what, where] = [QUESTION_ROLES[nth % QUESTION_ROLES.length], city(one)]
      return where && what && `${['', 'who is a ', 'which '][nth % 3] ?? ''}${what} in ${where}`
    }),
    kind('question: topic, title and continent', (_, nth) => {
      const part = <T>(list: readonly T[], field: number) => list[drawn(nth, field) % list.length]
      return `${part(QUESTION_ROLES, 20) ?? ''} in ${part(TOPICS, 21) ?? ''} in ${part(REGIONS, 22) ?? ''}`
    }),
    kind(
      'question: title at a company',
      ({ fields }, nth) =>
        `${QUESTION_ROLES[nth % QUESTION_ROLES.length] ?? ''} at ${fields.company ?? ''}`,
    ),
    kind(
      'question: dates',
      (one, nth) =>
        [
          `${QUESTION_ROLES[nth % QUESTION_ROLES.length] ?? ''} I connected with in ${2011 + (nth % 15)}`,
          `people in ${city(one) ?? 'Berlin'} I met in ${2011 + (nth % 15)}`,
          `${QUESTION_ROLES[nth % QUESTION_ROLES.length] ?? ''} I haven't spoken to since ${2011 + (nth % 15)}`,
        ][nth % 3],
    ),
  ]
}

const QUESTION_ROLES =
  'engineers|PM|product managers|designers|recruiters|CFO|founders|investors|lawyers|nurses|architects|VP Engineering|data scientists|researchers|head of sales|marketing directors|CTO|software engineer|operations lead|security people'.split(
    '|',
  )
const TOPICS =
  'fintech|health|AI|climate|education|insurance|robotics|energy|games|logistics|media|food|retail|cloud|security|payments|mobility|biotech|travel|real estate'.split(
    '|',
  )
const REGIONS =
  'Europe|Asia|Africa|London|Germany|the US|France|India|Spain|South America|Berlin|Scandinavia|New York|Japan|Canada|Nigeria|Poland|Brazil|Italy|Australia'.split(
    '|',
  )

function misspelt(name: string, nth: number): string | undefined {
  const at = 1 + (drawn(nth, 14) % Math.max(1, name.length - 3))
  const [one = '', other = ''] = [name[at], name[at + 1]]
  if (name.length < 8 || one === ' ' || other === ' ') return undefined
  const [start, end] = [name.slice(0, at), name.slice(at + 2)]
  return [start + other + one + end, start + other + end, `${start}${one}x${end}`][nth % 3]
}

/** Letters that make no name, with as many mistakes as are allowed. */
function unknownWord(nth: number): string {
  const syllables = ['zq', 'xov', 'wub', 'qil', 'jyx', 'vep', 'kuz', 'fyo', 'pwi', 'gux']
  return Array.from({ length: 2 + (nth % 3) }, (_, at) => syllables[drawn(nth, 30 + at) % 10]).join(
    '',
  )
}

/** What a member types, letter by letter: the beginnings of names of this length. */
export function typedBeginnings(length: number): QueryKind {
  const beginnings = new Set<string>()
  for (const { fields } of records()) {
    if (beginnings.size === QUERIES) break
    const { name } = fields
    if (name.length > length && name[length - 1] !== ' ') beginnings.add(name.slice(0, length))
  }
  return { name: `${length} letter${length > 1 ? 's' : ''}`, queries: [...beginnings] }
}
