/**
 * The search index of the directory: an entry for each public profile, and the terms by which it is found. Matches come in
 * tiers, best first, with a fixed order in each tier, so that a page can stop early without scoring all matches
 * (decisions/0022).
 */

import { tokenize } from '../base/tokenize.ts'
import { statement } from '../db/statement.ts'
import { RANKS_OF_EMPTY } from './directory-rank.ts'
import type { Reader, SharedTransaction } from '../db/database.ts'

export interface DirectoryDocument {
  readonly memberId: number
  /** 0 to 4095, higher is better; independent of the query. */
  readonly rank: number
  readonly username: string
  readonly name: string
  /** All other searchable text: headline, organization, title, location, skills. */
  readonly text: string
  /** Terms that are found only as a whole: see directory-filters.ts. */
  readonly filters: readonly string[]
}

/** Tiers of a search: the username; the full name; all words in the name; all words anywhere. */
export interface DirectorySearch {
  /** Tokens of `base/tokenize.ts`, of which the last may be a prefix. None lists everyone. */
  readonly words: readonly string[]
  /** Terms of `filters` that an entry must have. */
  readonly filters?: readonly string[]
  /** Only entries that have more than a name. */
  readonly isComplete?: boolean
  readonly after: TextPosition | null
  readonly limit: number
}

/** Where a page ended: the tier and the position in it. */
export interface TextPosition {
  readonly tier: number
  readonly place: number
}

export type PositionedRow<Row> = Row & TextPosition

/** Further words of a query are ignored. */
const MAX_WORDS = 16

const MAX_RANK = 4095
/** Member numbers fit below the 12 bits of the rank: exact in a JavaScript number. */
const RANK_STEP = 2 ** 28

/** Marks a term of a name or username. */
const NAME_MARK = '='

/** Sorts after every letter and digit. */
const LAST_CHARACTER = '\u{10ffff}'

/** Entries that a search reads in page order, about 1 us each. Words that do not fill a page from them are rare. */
const MAX_SCANNED = 500

/** Matches of a word that are counted to find the rarest one. */
const MAX_COUNTED = 5_000

/** Adds entries for members without one. */
export async function addEntries(
  tx: SharedTransaction,
  documents: readonly DirectoryDocument[],
): Promise<void> {
  const entries: (string | number)[][] = []
  const terms: [term: string, position: number][] = []
  for (const document of documents) {
    const position = positionOf(document)
    const own = termsOf(document)
    const nameKey = tokenize(document.name).join(' ')
    entries.push([position, document.memberId, document.username, nameKey, ` ${own.join(' ')} `])
    for (const term of own) terms.push([term, position])
  }
  await tx.insertMany({ table: 'directory_entries', columns: ENTRY_COLUMNS, rows: entries })
  await tx.insertMany({ table: 'directory_terms', columns: ['term', 'position'], rows: terms })
}

/** Removes the entry of a member, if there is one. */
export async function removeEntry(tx: SharedTransaction, memberId: number): Promise<void> {
  const entry = await tx.get(ENTRY, { id: memberId })
  if (!entry) return
  const { position } = entry
  await tx.run(DELETE_TERMS, { position, terms: entry.terms.trim().split(' ') })
  await tx.run(DELETE_ENTRY, { position })
}

/** Returns a page. `columns` refer to `members m`. */
export async function searchEntries<Row>(
  reader: Reader,
  columns: string,
  { words, filters = [], isComplete = false, after, limit }: DirectorySearch,
): Promise<PositionedRow<Row>[]> {
  const asked = words.slice(0, MAX_WORDS)
  const page = { limit, place: after?.place ?? -1 }
  const [inName, anywhere] = [termsAsked(asked, filters, NAME_MARK), termsAsked(asked, filters)]
  if (anywhere.length === 0) {
    const end = isComplete ? END_OF_COMPLETE : Number.MAX_SAFE_INTEGER
    return reader.all(statement<object, PositionedRow<Row>>(wholeDirectory(columns)), {
      ...page,
      end,
    })
  }
  const rarest = await findRarest(reader, anywhere)
  const tiers = tiersOf(asked.length, anywhere.length, after)
  return reader.all(statement<object, PositionedRow<Row>>(pageOf(columns, tiers)), {
    ...page,
    username: asked.join('-'),
    name: asked.join(' '),
    ...paramsOf('in_name', inName, rarest),
    ...paramsOf('anywhere', anywhere, rarest),
  })
}

/** The condition on `directory_entries e` for all matches of a search, in any tier. */
export function matchOf({
  words,
  filters = [],
  isComplete = false,
}: Omit<DirectorySearch, 'after' | 'limit'>): { condition: string; params: object } {
  const anywhere = termsAsked(words.slice(0, MAX_WORDS), filters)
  if (anywhere.length > 0)
    return {
      condition: allOf('anywhere', anywhere.length),
      params: patternsOf('anywhere', anywhere),
    }
  const end = isComplete ? END_OF_COMPLETE : Number.MAX_SAFE_INTEGER
  return { condition: 'e.position < :end', params: { end } }
}

/** A term that an entry must have. */
interface AskedTerm {
  readonly term: string
  readonly isPrefix: boolean
}

function termsAsked(words: readonly string[], filters: readonly string[], mark = ''): AskedTerm[] {
  return [
    ...words.map((word, index) => ({ term: mark + word, isPrefix: index === words.length - 1 })),
    ...filters.map((term) => ({ term, isPrefix: false })),
  ]
}

/** Where entries without anything but a name begin. */
const END_OF_COMPLETE = (MAX_RANK + 1 - RANKS_OF_EMPTY) * RANK_STEP

/** Higher rank first, then lower number. */
function positionOf({ rank, memberId }: DirectoryDocument): number {
  return (MAX_RANK - rank) * RANK_STEP + memberId
}

function termsOf({ name, username, text, filters }: DirectoryDocument): string[] {
  const named = [...tokenize(name), ...tokenize(username)]
  return [
    ...new Set([...named.map((word) => NAME_MARK + word), ...named, ...tokenize(text), ...filters]),
  ]
}

/** The first and the last term that match a word. */
function rangeOf({ term, isPrefix }: AskedTerm): [from: string, to: string] {
  return [term, isPrefix ? term + LAST_CHARACTER : term]
}

/** The index of the term with the fewest matches. */
async function findRarest(reader: Reader, terms: readonly AskedTerm[]): Promise<number> {
  if (terms.length === 1) return 0
  const counts = terms.map(
    (_, index) => `(select count(*) from (
      select 1 as one from directory_terms where term >= :from_${index} and term <= :to_${index}
      limit ${MAX_COUNTED}) c) as word_${index}`,
  )
  const params = terms.flatMap((term, index) => {
    const [from, to] = rangeOf(term)
    return [
      [`from_${index}`, from],
      [`to_${index}`, to],
    ]
  })
  const row = await reader.get(
    statement<object, Record<string, number>>(`select ${counts.join(', ')}`),
    Object.fromEntries(params) as object,
  )
  const found = terms.map((_, index) => row?.[`word_${index}`] ?? 0)
  return found.indexOf(Math.min(...found))
}

/** Patterns for all terms, and the range of those that match the rarest one. */
function paramsOf(
  label: string,
  terms: readonly AskedTerm[],
  rarest: number,
): Record<string, string> {
  const [from, to] = rangeOf(terms[rarest] ?? NO_TERM)
  return { ...patternsOf(label, terms), [`${label}_from`]: from, [`${label}_to`]: to }
}

const NO_TERM: AskedTerm = { term: '', isPrefix: false }

function patternsOf(label: string, terms: readonly AskedTerm[]): Record<string, string> {
  return Object.fromEntries(
    terms.map(({ term, isPrefix }, index) => [
      `${label}_${index}`,
      `% ${term}${isPrefix ? '' : ' '}%`,
    ]),
  )
}

function allOf(label: string, terms: number): string {
  return Array.from({ length: terms }, (_, index) => `e.terms like :${label}_${index}`).join(
    ' and ',
  )
}

function wholeDirectory(columns: string): string {
  return `
    select 0 as tier, e.position as place, ${columns}
    from directory_entries e join members m on m.member_id = e.member_id
    where e.position > :place and e.position < :end order by e.position limit :limit`
}

/** Each source runs only if the earlier ones did not fill the page. */
function pageOf(columns: string, sources: readonly string[]): string {
  return `
    select found.tier, found.place, ${columns}
    from (${sources.join(' union all ')} limit :limit) found cross join members m
    where m.member_id = found.member_id order by found.tier, found.place`
}

/** The sources of matches from the end of the last page, in order. */
function tiersOf(words: number, terms: number, after: TextPosition | null): string[] {
  const all = (label: string) => allOf(label, terms)
  // The filters, after the words.
  const isFiltered = Array.from(
    { length: terms - words },
    (_, index) => ` and e.terms like :anywhere_${words + index}`,
  ).join('')
  const isOther = 'e.name_key <> :name and e.username <> :username'
  return [
    exactTier(
      `members u join directory_entries e on e.member_id = u.member_id where u.username = :username${isFiltered}`,
    ),
    exactTier(
      `directory_entries e where e.name_key = :name and e.username <> :username${isFiltered}`,
    ),
    wordTier('in_name', `${all('in_name')} and ${isOther}`),
    wordTier('anywhere', `${all('anywhere')}${words === 0 ? '' : ` and not (${all('in_name')})`}`),
  ].flatMap((sourcesAfter, tier) => {
    // Without words, every match is in the last tier.
    if (tier < (after?.tier ?? (words === 0 ? 3 : 0))) return []
    const start = tier === after?.tier ? ':place' : '-1'
    return sourcesAfter(start).map(
      (source) => `select * from (
        select ${tier} as tier, e.position as place, e.member_id from ${source} limit :limit) t`,
    )
  })
}

type SourcesAfter = (start: string) => readonly string[]

function exactTier(source: string): SourcesAfter {
  return (start) => [`${source} and e.position > ${start} order by e.position`]
}

/** Scans some entries in page order, which fills the page for frequent words; then finds the rest by the rarest word. */
function wordTier(label: string, match: string): SourcesAfter {
  return (start) => {
    const scanned = `from directory_entries where position > ${start} order by position`
    const end = `coalesce((select position ${scanned} limit 1 offset ${MAX_SCANNED - 1}),
      ${Number.MAX_SAFE_INTEGER})`
    return [
      `(select * ${scanned} limit ${MAX_SCANNED}) e where ${match}`,
      `directory_entries e where e.position in (
        select position from directory_terms
        where term >= :${label}_from and term <= :${label}_to and position > ${end})
      and ${match} order by e.position`,
    ]
  }
}

const ENTRY_COLUMNS = ['position', 'member_id', 'username', 'name_key', 'terms']

const ENTRY = statement<{ id: number }, { position: number; terms: string }>(
  'select position, terms from directory_entries where member_id = :id',
)

/** By primary key. */
const DELETE_TERMS = statement<{ position: number; terms: readonly string[] }>(
  'delete from directory_terms where position = :position and term in (:terms...text)',
)

const DELETE_ENTRY = statement<{ position: number }>(
  'delete from directory_entries where position = :position',
)
