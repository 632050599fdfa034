/**
 * Full-text search on PostgreSQL. The words are made in `base/words` and stored as a tsvector without any dictionary,
 * so the results are those of the other engine.
 *
 * - Matches are walked in the order of the page, tier by tier: nothing is scored. Append runs its branches in order and
 *   stops with the limit; the connections for searches allow no parallel plan that would not.
 * - The directory has a GIN index: for a rare word the planner reads its postings, for a frequent one it walks the
 *   positions, and both end early. It needs the words to choose, so searches are planned each time.
 * - Connections have none. Row-level security comes before every operator that could leak what it sees, and `@@` is one:
 *   an index on terms would never be used (CREATE POLICY; leakproof in CREATE FUNCTION). What is read is the member's
 *   own part of the primary key, some 0.25 us a connection: 2 to 4 ms of 10,000, whatever is asked.
 */

import { words } from '../../../base/words.ts'
import { directoryPosition, MOST_WORDS } from '../../full-text.ts'
import type {
  ConnectionDocument,
  ConnectionSearch,
  DirectoryDocument,
  DirectorySearch,
  Found,
  FullText,
  SearchReader,
  TextPosition,
} from '../../full-text.ts'
import type { MemberTransaction, Reader, SharedTransaction } from '../../database.ts'
import { memberStatement, statement, type MemberStatement } from '../../statement.ts'

/** A tsvector holds a mebibyte; words beyond this many bytes are those of some hundred pages of notes. */
const MOST_BYTES = 900_000

export const postgresFullText: FullText = {
  indexMember,
  removeMember,
  searchMembers,
  indexConnections,
  removeConnections,
  searchConnections,
  // Nothing is left over by bulk inserts: the terms stand in the rows.
  tidyConnections: () => Promise.resolve(false),
}

// The directory

/** A word of a name is stored twice: bare, for a search anywhere, and with this mark, for a search in names. */
const NAME_MARK = '='

const REMOVE_MEMBER = statement<{ member_id: number }>(
  'delete from directory_entries where member_id = :member_id',
)

async function indexMember(tx: SharedTransaction, document: DirectoryDocument): Promise<void> {
  const name = words(document.name)
  const named = [...name, ...words(document.username)]
  const terms = new Set([
    ...named.map((word) => NAME_MARK + word),
    ...named,
    ...words(document.text),
  ])
  const position = directoryPosition(document)
  await Promise.all([
    removeMember(tx, document),
    tx.insertMany({
      table: 'directory_entries',
      columns: ['position', 'member_id', 'username', 'name_key', 'terms'],
      rows: [
        [
          position,
          document.memberId,
          document.username,
          name.join(' '),
          vector([...terms].map(quoted)),
        ],
      ],
    }),
  ])
}

async function removeMember(tx: SharedTransaction, { memberId }: DirectoryDocument): Promise<void> {
  await tx.run(REMOVE_MEMBER, { member_id: memberId })
}

async function searchMembers<Row>(
  reader: Reader,
  columns: string,
  search: DirectorySearch,
): Promise<Found<Row>[]> {
  const asked = search.words.slice(0, MOST_WORDS)
  const page = { limit: search.limit, place: search.after?.place ?? -1 }
  if (asked.length === 0)
    return reader.all(statement<typeof page, Found<Row>>(wholeDirectory(columns)), page)
  const inName = allOf(asked.map((word) => NAME_MARK + word))
  const params = {
    limit: search.limit,
    username: asked.join('-'),
    name: asked.join(' '),
    in_name: inName,
    anywhere: `${allOf(asked)} & !(${inName})`,
    ...(search.after && { place: search.after.place }),
  }
  if (search.after && search.after.tier >= DIRECTORY_TIERS) return []
  const text = directoryTiers(columns, search.after)
  return reader.all(statement<object, Found<Row>>(text), params)
}

function wholeDirectory(columns: string): string {
  return `
    select 0 as tier, e.position as place, ${columns}
    from directory_entries e join members m on m.member_id = e.member_id
    where e.position > :place order by e.position limit :limit`
}

const DIRECTORY_TIERS = 4

function directoryTiers(columns: string, after: TextPosition | null): string {
  const tiers = [
    `select e.position as place, e.member_id from members m
     join directory_entries e on e.member_id = m.member_id where m.username = :username`,
    `select e.position as place, e.member_id from directory_entries e
     where e.name_key = :name and e.username <> :username`,
    `select e.position as place, e.member_id from directory_entries e
     where e.terms @@ cast(:in_name as tsquery) and e.name_key <> :name and e.username <> :username`,
    `select e.position as place, e.member_id from directory_entries e
     where e.terms @@ cast(:anywhere as tsquery)`,
  ]
  return `
    select found.tier, found.place, ${columns}
    from (${unionOfTiers(tiers, 'e.position', after)}) found
    join members m on m.member_id = found.member_id
    order by found.tier, found.place`
}

// Connections

/** A word of a location stands in it twice: among all words, and behind this mark, for the filter by location. */
const LOCATION_MARK = '@'

const REMOVE_CONNECTIONS = memberStatement<{ ids: readonly number[] }>()(
  'delete from connection_search where member_id = :member_id and connection_id in (:ids...bigint)',
)

async function indexConnections(
  tx: MemberTransaction,
  documents: readonly ConnectionDocument[],
): Promise<void> {
  await tx.insertMany({
    table: 'connection_search',
    columns: ['connection_id', 'terms'],
    rows: documents.map((document) => [document.connectionId, vector(termsOf(document))]),
    onConflict: 'replace',
  })
}

async function removeConnections(tx: MemberTransaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.run(REMOVE_CONNECTIONS, { ids })
}

/** Each word with a position for every place it stands in: 1A the name, 2B the company, 3C the title, 4D the rest. */
function termsOf(document: ConnectionDocument): string[] {
  const places = new Map<string, string[]>()
  const add = (text: string | null, place: string, mark = '') => {
    for (const word of new Set(text === null ? [] : words(text))) {
      const there = places.get(mark + word)
      if (!there) places.set(mark + word, [place])
      else if (!there.includes(place)) there.push(place)
    }
  }
  add(document.name, '1A')
  add(document.company, '2B')
  add(document.title, '3C')
  add(document.location, '4D')
  add(document.location, '4D', LOCATION_MARK)
  for (const text of [...document.tags, ...document.notes]) add(text, '4D')
  return [...places].map(([word, at]) => `${quoted(word)}:${at.join(',')}`)
}

async function searchConnections<Row>(
  reader: SearchReader,
  columns: string,
  search: ConnectionSearch,
): Promise<Found<Row>[]> {
  const { words: asked, after, limit } = search
  const match = connectionMatch(search)
  const params = {
    limit,
    ...(search.connectedAfter !== undefined && { connected_after: search.connectedAfter }),
    ...(search.tag !== undefined && { tag: search.tag }),
    ...(after &&
      (match === '' ? { place: after.place } : { tier: after.tier, place: after.place })),
    ...(match !== '' && { match }),
    ...(asked.length > 0 && {
      in_name: allOf(asked.slice(0, MOST_WORDS), 'A'),
      in_heading: allOf(asked.slice(0, MOST_WORDS), 'ABC'),
    }),
  }
  const text =
    match === '' ? unmatchedConnections(columns, search) : matchedConnections(columns, search)
  if (match === '' && after && after.tier > 0) return []
  // Every text built here names :member_id; the types cannot see into a text that is put together.
  const statementOfMember: MemberStatement<object, Found<Row>> = { text, private: true }
  return reader.heavy.all(statementOfMember, params)
}

/** The tsquery of all that is asked, wherever it stands; empty when nothing is to be matched. */
function connectionMatch(search: ConnectionSearch): string {
  return [
    filter(search.words.slice(0, MOST_WORDS)),
    filter(search.company, 'B'),
    filter(search.title, 'C'),
    filter(search.location?.map((word) => LOCATION_MARK + word)),
  ]
    .flat()
    .join(' & ')
}

function filter(asked: readonly string[] | undefined, weights = ''): string[] {
  return asked && asked.length > 0 ? [allOf(asked, weights)] : []
}

/**
 * One walk over the member's terms finds and sorts what matches. The connections are then looked up one by one until
 * the page is full: OFFSET 0 keeps the planner from joining them all.
 */
function matchedConnections(columns: string, search: ConnectionSearch): string {
  const tier =
    search.words.length === 0
      ? '0'
      : `case when s.terms @@ cast(:in_name as tsquery) then 0
              when s.terms @@ cast(:in_heading as tsquery) then 1 else 2 end`
  return `
    select found.tier, found.place, ${columns}
    from (
      select ${tier} as tier, s.connection_id as place from connection_search s
      where s.member_id = :member_id and s.terms @@ cast(:match as tsquery)
      order by 1, 2
    ) found
    cross join lateral (
      select * from connections c
      where c.member_id = :member_id and c.connection_id = found.place and ${connectionFilters(search)}
      offset 0
    ) c
    ${search.after ? 'where (found.tier, found.place) > (cast(:tier as bigint), cast(:place as bigint))' : ''}
    order by found.tier, found.place limit :limit`
}

function unmatchedConnections(columns: string, search: ConnectionSearch): string {
  const beyond = search.after ? 'and c.connection_id > :place' : ''
  return `
    select 0 as tier, c.connection_id as place, ${columns} from connections c
    where c.member_id = :member_id ${beyond} and ${connectionFilters(search)}
    order by c.connection_id limit :limit`
}

function connectionFilters(search: ConnectionSearch): string {
  const day = search.connectedAfter === undefined ? '' : 'and c.connected_on >= :connected_after'
  const tag =
    search.tag === undefined
      ? ''
      : `and exists (select 1 from connection_tags t
           where t.member_id = :member_id and t.tag_key = :tag and t.connection_id = c.connection_id)`
  return `c.deleted_at is null ${day} ${tag}`
}

// Both

/** A tsquery for: each of these words, the last as a beginning; with weights, in those places alone. */
function allOf(asked: readonly string[], weights = ''): string {
  const last = asked.length - 1
  return `(${asked
    .map((word, index) => {
      const how = (index === last ? '*' : '') + weights
      return how === '' ? quoted(word) : `${quoted(word)}:${how}`
    })
    .join(' & ')})`
}

/** Words hold letters and digits alone, so nothing in them ends the quotes. */
function quoted(word: string): string {
  return `'${word}'`
}

/** The text of a tsvector, cut where it would not be stored. */
function vector(terms: readonly string[]): string {
  const text = terms.join(' ')
  if (text.length * 3 < MOST_BYTES || Buffer.byteLength(text) < MOST_BYTES) return text
  let bytes = 0
  const kept = terms.filter((term) => (bytes += Buffer.byteLength(term) + 1) < MOST_BYTES)
  return kept.join(' ')
}

/** The tiers that are still ahead of `after`, each in the order of its place, as one query that stops when it is full. */
function unionOfTiers(tiers: readonly string[], place: string, after: TextPosition | null): string {
  const ahead = tiers.flatMap((tier, index) => {
    if (after && index < after.tier) return []
    const beyond = after && index === after.tier ? `and ${place} > :place` : ''
    return [
      `(select ${index} as tier, t.* from (${tier} ${beyond} order by ${place} limit :limit) t)`,
    ]
  })
  return `${ahead.join(' union all ')} limit :limit`
}
