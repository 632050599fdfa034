/**
 * Full-text search of the directory with FTS5, over tokens of `base/tokenize.ts`. The rowid is the member's position, so
 * matches are read in page order, without scoring or sorting.
 */

import { tokenize } from '../../../base/tokenize.ts'
import { directoryPosition, MAX_WORDS } from '../../full-text.ts'
import type { DirectoryDocument, DirectorySearch, Found, TextPosition } from '../../full-text.ts'
import type { FullText, Reader, Rows, SharedTransaction } from '../../database.ts'
import { statement } from '../../statement.ts'

export const sqliteFullText: FullText = {
  entriesOf,
  indexMember,
  removeMember,
  /** FTS5 needs no other table. */
  resize: async () => 0,
  searchMembers,
}

/** Prefix of a word that occurs in a name. A column filter of FTS5 would read every posting of the word. */
const NAME_MARK = '='

/** With its own postings, including the mark: see the `prefix` option of `directory_search`. */
const MAX_INDEXED_PREFIX_LENGTH = 6

/**
 * FTS5 merges all postings of a longer prefix before the first row (90 ms for `engineer`), but reads an OR of words
 * lazily. So prefixes are expanded to words of `directory_words`, up to this many, about 20 us each.
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

/** Deletes words that no entry contains. */
const DELETE_WORD = statement<{ word: string; term: string }>(`
  delete from directory_words
  where word = :word and not exists (select 1 from directory_search where directory_search match :term)`)

async function indexMember(
  tx: SharedTransaction,
  document: DirectoryDocument,
  before = document,
): Promise<void> {
  await removeMember(tx, before)
  for (const rows of entriesOf([document])) await tx.insertMany(rows)
}

function entriesOf(documents: readonly DirectoryDocument[]): Rows[] {
  const entries: (string | number)[][] = []
  const searched: (string | number)[][] = []
  const words = new Set<string>()
  for (const document of documents) {
    const { memberId, username } = document
    const position = directoryPosition(document)
    const spelled = spelledTerms(document)
    const terms = new Set([...spelled, ...directoryTerms(tokenize(username), [])])
    entries.push([position, memberId, username, tokenize(document.name).join(' ')])
    searched.push([position, [...terms].join(' ')])
    // Without usernames: a million unique words would crowd out the ones that people search for.
    for (const word of expandable(spelled)) words.add(word)
  }
  return [
    {
      table: 'directory_entries',
      columns: ['position', 'member_id', 'username', 'name_key'],
      rows: entries,
    },
    { table: 'directory_search', columns: ['rowid', 'terms'], rows: searched },
    {
      table: 'directory_words',
      columns: ['word'],
      rows: [...words].map((word) => [word]),
      onConflict: 'ignore',
    },
  ]
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

/** Each tier runs only if the earlier ones did not fill the page. */
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

/** SQL for an FTS5 query of all terms, the last as a prefix. Terms contain no quotes. */
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

/** Includes the word itself. */
function expandedWords(label: string): string {
  return `(
    select case when count(*) between 1 and ${MAX_EXPANDED_BYTES}
      then '"' || :${label}_from || '" OR ' || group_concat('"' || word || '"', ' OR ')
      else :${label}_prefix end
    from (select word from directory_words where word >= :${label}_from and word < :${label}_to
      limit ${MAX_EXPANDED_BYTES + 1}))`
}

/** The tiers from `after` onwards, as one query that stops when the page is full. */
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
