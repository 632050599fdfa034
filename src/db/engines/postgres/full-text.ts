/**
 * Full-text search on PostgreSQL. The words are made in `base/words` and stored as a tsvector without any dictionary,
 * so the results are those of the other engine.
 *
 * - Matches are walked in the order of the page, tier by tier: nothing is scored. Append runs its branches in order and
 *   stops with the limit; the connections for searches allow no parallel plan that would not.
 * - The directory has a GIN index. A bounded walk over the positions fills the page for frequent words, and the index
 *   finds rare ones. The planner does not choose: it knows nothing of a prefix that is rare, and walked all members.
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
  { words: list, after, limit }: DirectorySearch,
): Promise<Found<Row>[]> {
  const asked = list.slice(0, MOST_WORDS)
  if (asked.length === 0) {
    const page = { limit, place: after?.place ?? -1 }
    return reader.all(statement<typeof page, Found<Row>>(wholeDirectory(columns)), page)
  }
  const search: WordSearch<Row> = { reader, columns, params: paramsOf(asked) }
  const found: Found<Row>[] = []
  for (const [tier, searchTier] of DIRECTORY_TIERS.entries()) {
    if (found.length >= limit) break
    if (after && tier < after.tier) continue
    const place = after?.tier === tier ? after.place : -1
    found.push(...(await searchTier(search, { tier, place, limit: limit - found.length })))
  }
  return found
}

interface WordSearch<Row> {
  readonly reader: Reader
  readonly columns: string
  readonly params: ReturnType<typeof paramsOf>
  readonly row?: Row
}

interface TierPage {
  readonly tier: number
  /** The page begins behind it. */
  readonly place: number
  readonly limit: number
}

type SearchTier = <Row>(search: WordSearch<Row>, page: TierPage) => Promise<Found<Row>[]>

function paramsOf(asked: readonly string[]) {
  return {
    username: asked.join('-'),
    name: asked.join(' '),
    in_name: allOf(asked.map((word) => NAME_MARK + word)),
    anywhere: allOf(asked),
  }
}

function wholeDirectory(columns: string): string {
  return `
    select 0 as tier, e.position as place, ${columns}
    from directory_entries e join members m on m.member_id = e.member_id
    where e.position > :place order by e.position limit :limit`
}

const NOT_EXACT = 'e.name_key <> :name and e.username <> :username'
const IN_NAME = 'e.terms @@ cast(:in_name as tsquery)'

const DIRECTORY_TIERS: readonly SearchTier[] = [
  (search, page) => ask(search, page, exactly('u.username = :username')),
  (search, page) => ask(search, page, exactly('e.name_key = :name and e.username <> :username')),
  (search, page) => searchWords(search, page, { match: IN_NAME, and: NOT_EXACT }),
  (search, page) =>
    searchWords(search, page, {
      match: 'e.terms @@ cast(:anywhere as tsquery)',
      and: `not ${IN_NAME}`,
    }),
]

interface WordCondition {
  /** What the GIN index answers. */
  readonly match: string
  readonly and: string
}

/**
 * A short walk in the order of the page fills it for frequent words, some 1 us an entry. Otherwise what it found tells
 * whether a longer one is likely to, or whether the word is so rare that all who have it are quickly found by the index
 * and sorted. Each step is bounded: words of members who stand together at the beginning end the long walk, too.
 *
 * The planner does not choose between the two. It takes a beginning that nobody has for one that 0.5% have, and would
 * walk all members to fill the page.
 */
async function searchWords<Row>(
  search: WordSearch<Row>,
  page: TierPage,
  condition: WordCondition,
): Promise<Found<Row>[]> {
  const near = await ask(search, { ...page, walked: SHORT_WALK }, walk(condition))
  if (near.length >= page.limit) return near
  const isFrequent = near.length >= FREQUENT
  const walked = isFrequent ? LONG_WALK : SHORT_WALK
  const found = isFrequent ? await ask(search, { ...page, walked }, walk(condition)) : near
  const rest = { ...page, walked, limit: page.limit - found.length }
  return rest.limit <= 0 ? found : [...found, ...(await ask(search, rest, rare(condition)))]
}

/** Entries of the directory. */
const SHORT_WALK = 1_000
const LONG_WALK = 20_000
/** Hits of a short walk from which on a long one is tried: 0.2% of the members have such a word. */
const FREQUENT = 2

async function ask<Row>(
  { reader, columns, params }: WordSearch<Row>,
  page: TierPage & { readonly walked?: number },
  from: string,
): Promise<Found<Row>[]> {
  const text = `
    select cast(:tier as integer) as tier, found.position as place, ${columns}
    from (${from} limit :limit) found
    join members m on m.member_id = found.member_id
    order by found.position`
  return reader.all(statement<object, Found<Row>>(text), { ...params, ...page })
}

/** Usernames have their index in `members`. */
function exactly(condition: string): string {
  return `
    select e.position, e.member_id
    from directory_entries e join members u on u.member_id = e.member_id
    where ${condition} and e.position > :place order by e.position`
}

/** The next entries in the order of the page; LIMIT keeps the walk apart from what is looked for in it. */
function walk({ match, and }: WordCondition): string {
  return `
    select e.position, e.member_id from (${nextEntries('*')}) e
    where ${match} and ${and} order by e.position`
}

function nextEntries(what: string): string {
  return `select ${what} from directory_entries where position > :place order by position limit :walked`
}

/** Behind a walk, by the GIN index alone: in a CTE of its own nothing asks for the order of the page. */
function rare({ match, and }: WordCondition): string {
  return `
    with e as materialized (select * from directory_entries e where ${match})
    select e.position, e.member_id from e
    where e.position > (select max(position) from (${nextEntries('position')}) walked) and ${and}
    order by e.position`
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
