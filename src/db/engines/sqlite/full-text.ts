/**
 * Full-text search with SQLite's FTS5. Tokens come from `base/tokenize.ts`, so FTS5 gets plain normalized tokens and the
 * results do not depend on its own rules.
 *
 * - Matches are read in rowid order, which is the page order, without scoring or sorting.
 * - The directory's rowid is the member's position: rank first.
 * - A connection's rowid and all its terms start with its member: a search reads only that member's postings, however many
 *   others exist, and cannot match another member's.
 */

import { tokenize } from '../../../base/tokenize.ts'
import { directoryPosition, MAX_WORDS } from '../../full-text.ts'
import type {
  ConnectionDocument,
  ConnectionSearch,
  DirectoryDocument,
  DirectorySearch,
  Found,
  TextPosition,
} from '../../full-text.ts'
import type {
  MemberTransaction,
  Reader,
  SharedTransaction,
  FullText,
  SearchReader,
} from '../../database.ts'
import { memberStatement, statement, type MemberStatement } from '../../statement.ts'

export const sqliteFullText: FullText = {
  indexMember,
  removeMember,
  searchMembers,
  indexConnections,
  removeConnections,
  searchConnections,
  tidyConnections,
}

// The directory

/**
 * Words of a name are indexed twice: plain, for a search anywhere, and with this prefix, which no word contains, for a
 * search in names. An FTS5 column filter would read every posting of `engineer` to find the few in names.
 */
const NAME_MARK = '='

/** The longest prefix, including the mark, with its own postings in `directory_search`: see its `prefix` option. */
const MAX_INDEXED_PREFIX_LENGTH = 6

/**
 * For a longer prefix, FTS5 merges all postings before the first row (0.4 us each: 90 ms for `engineer`). It reads an OR of
 * whole words lazily, so the prefix is expanded to the words of `directory_words`. Beyond this many words, about 20 us
 * each, most are rare, and merging is cheaper.
 */
const MAX_EXPANDED_BYTES = 128

const ENTRY_OF_MEMBER = statement<{ member_id: number }, { position: number }>(
  'select position from directory_entries where member_id = :member_id',
)
const DELETE_ENTRY = statement<{ position: number }>(
  'delete from directory_entries where position = :position',
)
const DELETE_TERMS = statement<{ position: number }>(
  'delete from directory_search where rowid = :position',
)

/** Removes words that no entry contains any more. */
const DELETE_WORD = statement<{ word: string; term: string }>(`
  delete from directory_words
  where word = :word and not exists (select 1 from directory_search where directory_search match :term)`)

async function indexMember(
  tx: SharedTransaction,
  document: DirectoryDocument,
  before = document,
): Promise<void> {
  await removeMember(tx, before)
  const position = directoryPosition(document)
  const name = tokenize(document.name)
  const spelled = spelledTerms(document)
  const username = tokenize(document.username)
  const terms = new Set([...spelled, ...directoryTerms(username, [])])
  await tx.insertMany({
    table: 'directory_entries',
    columns: ['position', 'member_id', 'username', 'name_key'],
    rows: [[position, document.memberId, document.username, name.join(' ')]],
  })
  await tx.insertMany({
    table: 'directory_search',
    columns: ['rowid', 'terms'],
    rows: [[position, [...terms].join(' ')]],
  })
  // Without usernames: a million unique words would crowd out the ones that people search for.
  await tx.insertMany({
    table: 'directory_words',
    columns: ['word'],
    rows: expandable(spelled).map((term) => [term]),
    onConflict: 'ignore',
  })
}

/** Tokens of everything except the username. */
function spelledTerms({ name, text }: DirectoryDocument): string[] {
  return directoryTerms(tokenize(name), tokenize(text))
}

function expandable(terms: readonly string[]): string[] {
  return terms.filter(({ length }) => length > MAX_INDEXED_PREFIX_LENGTH)
}

function directoryTerms(name: readonly string[], text: readonly string[]): string[] {
  return [...new Set([...name.map((word) => NAME_MARK + word), ...name, ...text])]
}

async function removeMember(tx: SharedTransaction, before: DirectoryDocument): Promise<void> {
  const entry = await tx.get(ENTRY_OF_MEMBER, { member_id: before.memberId })
  if (!entry) return
  await tx.run(DELETE_ENTRY, entry)
  await tx.run(DELETE_TERMS, entry)
  for (const word of expandable(spelledTerms(before)))
    await tx.run(DELETE_WORD, { word, term: `"${word}"` })
}

async function searchMembers<Row>(
  reader: Reader,
  columns: string,
  search: DirectorySearch,
): Promise<Found<Row>[]> {
  const asked = search.words.slice(0, MAX_WORDS)
  const params = { limit: search.limit, place: search.after?.place ?? -1 }
  if (asked.length === 0) {
    return reader.all(statement<typeof params, Found<Row>>(wholeDirectory(columns)), params)
  }
  const anywhere = everyWord('anywhere', asked)
  const inName = everyWord(
    'in_name',
    asked.map((word) => NAME_MARK + word),
  )
  const text = directoryTiers(columns, search.after, anywhere.sql, inName.sql)
  return reader.all(statement<object, Found<Row>>(text), {
    ...params,
    ...anywhere.params,
    ...inName.params,
    username: asked.join('-'),
    name: asked.join(' '),
  })
}

function wholeDirectory(columns: string): string {
  return `
    select 0 as tier, e.position as place, ${columns}
    from directory_entries e join members m on m.member_id = e.member_id
    where e.position > :place order by e.position limit :limit`
}

/** Each tier runs only if the earlier ones did not fill the page: UNION ALL with one LIMIT runs in order. */
function directoryTiers(
  columns: string,
  after: TextPosition | null,
  anywhere: string,
  inName: string,
): string {
  const tiers = [
    `select e.position, e.member_id from members m join directory_entries e on e.member_id = m.member_id
     where m.username = :username`,
    `select e.position, e.member_id from directory_entries e
     where e.name_key = :name and e.username <> :username`,
    `select e.position, e.member_id from directory_search s join directory_entries e on e.position = s.rowid
     where directory_search match ${inName} and e.name_key <> :name and e.username <> :username`,
    `select e.position, e.member_id from directory_search s join directory_entries e on e.position = s.rowid
     where directory_search match '(' || ${anywhere} || ') NOT (' || ${inName} || ')'`,
  ]
  return `
    select found.tier, found.position as place, ${columns}
    from (${unionOfTiers(tiers, ['e.position', 'e.position', 's.rowid', 's.rowid'], after)}) found
    cross join members m on m.member_id = found.member_id
    order by found.tier, found.position`
}

/** SQL for an FTS5 query that requires each term, the last as a prefix. Terms contain no quotes. */
function everyWord(
  label: 'anywhere' | 'in_name',
  terms: readonly string[],
): { sql: string; params: Record<string, string | number> } {
  const quoted = terms.map((term) => `"${term}"`)
  const last = terms.at(-1) ?? ''
  const prefix = `${quoted.at(-1) ?? ''} *`
  const whole = quoted
    .slice(0, -1)
    .map((term) => `${term} AND `)
    .join('')
  if (Array.from(last).length <= MAX_INDEXED_PREFIX_LENGTH)
    return { sql: `:${label}`, params: { [label]: whole + prefix } }
  return {
    sql: `(:${label} || '(' || ${expandedWords(label)} || ')')`,
    params: {
      [label]: whole,
      [`${label}_prefix`]: prefix,
      [`${label}_from`]: last,
      [`${label}_to`]: last + LAST_CHARACTER,
    },
  }
}

/** Sorts after every letter and digit in UTF-8 and UTF-16. */
const LAST_CHARACTER = '\u{10ffff}'

/** Includes the word itself, which may be a complete username. */
function expandedWords(label: string): string {
  return `(
    select case when count(*) between 1 and ${MAX_EXPANDED_BYTES}
      then '"' || :${label}_from || '" OR ' || group_concat('"' || word || '"', ' OR ')
      else :${label}_prefix end
    from (select word from directory_words where word >= :${label}_from and word < :${label}_to
      limit ${MAX_EXPANDED_BYTES + 1}))`
}

// Connections

/** Six base-36 digits identify a member. A rowid is member * 2^25 + connection, 53 bits in total. */
const MEMBER_DIGITS = 6

const INDEX_CONNECTION = memberStatement<Terms & { connection_id: number }>()(`
  insert or replace into connection_search (rowid, name, company, title, location, tags, notes)
  values (:member_id * 33554432 + :connection_id, :name, :company, :title, :location, :tags, :notes)`)
const REMOVE_CONNECTION = memberStatement<{ connection_id: number }>()(
  'delete from connection_search where rowid = :member_id * 33554432 + :connection_id',
)

type Terms = Record<'name' | 'company' | 'title' | 'location' | 'tags' | 'notes', string>

async function indexConnections(
  tx: MemberTransaction,
  documents: readonly ConnectionDocument[],
): Promise<void> {
  const mark = memberMark(tx.memberId)
  const terms = (text: string | null) =>
    text === null ? '' : marked(mark, tokenize(text)).join(' ')
  // Companies, titles and locations repeat across connections, so their tokens are cached.
  const known = new Map<string, string>()
  const repeated = (text: string | null) => {
    if (text === null) return ''
    let made = known.get(text)
    if (made === undefined) known.set(text, (made = terms(text)))
    return made
  }
  for (const document of documents) {
    await tx.run(INDEX_CONNECTION, {
      connection_id: document.connectionId,
      name: terms(document.name),
      company: repeated(document.company),
      title: repeated(document.title),
      location: repeated(document.location),
      tags: terms(document.tags.join(' ')),
      notes: terms(document.notes.join(' ')),
    })
  }
}

async function removeConnections(
  tx: MemberTransaction,
  connectionIds: readonly number[],
): Promise<void> {
  for (const connection_id of connectionIds) await tx.run(REMOVE_CONNECTION, { connection_id })
}

/** Tier by tier until the page is full; most searches end in the first or second tier. */
async function searchConnections<Row>(
  reader: SearchReader,
  columns: string,
  search: ConnectionSearch,
): Promise<Found<Row>[]> {
  const network = await reader.get(NETWORK_SIZE, {})
  const where = (network?.last_connection ?? 0) <= SMALL_NETWORK ? reader : reader.heavy
  const params = {
    ...(search.connectedAfter === undefined ? {} : { connected_after: search.connectedAfter }),
    ...(search.tag === undefined ? {} : { tag: search.tag }),
  }
  const matches = connectionMatches(memberMark(reader.memberId), search)
  if (!matches) {
    const page = { ...params, place: search.after?.place ?? -1, limit: search.limit }
    return where.all(bound<Row>(unmatchedConnections(columns, search)), page)
  }
  const query = bound<Row>(matchedConnections(columns, search))
  const found: Found<Row>[] = []
  for (const [tier, match] of matches.entries()) {
    if (search.after && tier < search.after.tier) continue
    const place = search.after?.tier === tier ? search.after.place : -1
    const limit = search.limit - found.length
    found.push(...(await where.all(query, { ...params, tier, match, place, limit })))
    if (found.length >= search.limit) break
  }
  return found
}

/** Every statement built here contains :member_id. The types cannot verify a concatenated text. */
function bound<Row>(text: string): MemberStatement<object, Found<Row>> {
  return { text, private: true }
}

/**
 * Up to this many connections, a search takes less time than a round trip to a thread (measured: 0.1 to 0.3 ms, and about a
 * millisecond for the longest search). Calls that run together then also commit together.
 */
const SMALL_NETWORK = 20_000

const NETWORK_SIZE = memberStatement<object, { last_connection: number }>()(
  'select last_connection from networks where member_id = :member_id',
)

/** The MATCH expression of each tier in order; undefined if there are no search conditions. */
function connectionMatches(mark: string, search: ConnectionSearch): string[] | undefined {
  const filters = (['company', 'title', 'location'] as const).flatMap((column) => {
    const asked = search[column]
    return asked && asked.length > 0 ? [`({${column}} : (${allOf(marked(mark, asked))}))`] : []
  })
  const asked = marked(mark, search.words.slice(0, MAX_WORDS))
  if (asked.length === 0) return filters.length > 0 ? [filters.join(' AND ')] : undefined
  const every = `(${allOf(asked)})`
  const inName = `({name} : ${every})`
  const inHeading = `({name company title} : ${every})`
  const tiers = [inName, `(${inHeading} NOT ${inName})`, `(${every} NOT ${inHeading})`]
  return tiers.map((tier) => [tier, ...filters].join(' AND '))
}

/** CROSS JOIN keeps SQLite from scanning all connections and looking each one up in the matches. */
function matchedConnections(columns: string, search: ConnectionSearch): string {
  return `
    select :tier as tier, c.connection_id as place, ${columns} from connection_search s
    cross join connections c on c.member_id = :member_id and c.connection_id = s.rowid - :member_id * 33554432
    where connection_search match :match and s.rowid > :member_id * 33554432 + :place and ${connectionFilters(search)}
    order by s.rowid limit :limit`
}

function unmatchedConnections(columns: string, search: ConnectionSearch): string {
  return `
    select 0 as tier, c.connection_id as place, ${columns} from connections c
    where c.member_id = :member_id and c.connection_id > :place and ${connectionFilters(search)}
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

/** Prefix of all terms of a member. Unique, and never a prefix of another member's. */
function memberMark(memberId: number): string {
  return memberId.toString(36).padStart(MEMBER_DIGITS, '0')
}

function marked(mark: string, asked: readonly string[]): string[] {
  return asked.map((word) => mark + word)
}

/** Maximum pages per maintenance step: a few milliseconds of the writer. */
const TIDY_PAGES = 64

/** These statements have no member: they read and write no member's rows. */
const TIDY: MemberStatement<{ pages: number }, never> = {
  text: "insert into connection_search (connection_search, rank) values ('merge', :pages)",
  private: true,
}
const CHANGES: MemberStatement<object, { changes: number }> = {
  text: 'select total_changes() as changes',
  private: true,
}

/**
 * Bulk inserts leave an FTS5 index in several segments, and a search reads each of them. One step merges some segments
 * (https://sqlite.org/fts5.html#the_merge_command); a step without work changes fewer than two rows.
 */
async function tidyConnections(tx: MemberTransaction): Promise<boolean> {
  const before = await tx.get(CHANGES, {})
  await tx.run(TIDY, { pages: TIDY_PAGES })
  const after = await tx.get(CHANGES, {})
  return (after?.changes ?? 0) - (before?.changes ?? 0) >= 2
}

// Both

/** An FTS5 query that requires each word, the last as a prefix. Words contain only letters and digits. */
function allOf(asked: readonly string[]): string {
  const quoted = asked.map((word) => `"${word}"`)
  return `${quoted.join(' AND ')} *`
}

/** The tiers from `after` onwards, each in position order, as one query that stops when the page is full. */
function unionOfTiers(
  tiers: readonly string[],
  places: readonly string[],
  after: TextPosition | null,
): string {
  const ahead = tiers.flatMap((tier, index) => {
    if (after && index < after.tier) return []
    const place = places[index] ?? ''
    const beyond = after && index === after.tier ? `and ${place} > :place` : ''
    return [
      `select ${index} as tier, t.* from (${tier} ${beyond} order by ${place} limit :limit) t`,
    ]
  })
  return `${ahead.join(' union all ')} limit :limit`
}
