/**
 * Answers a question in the database, while there is no search index of public profiles: see `profile-index.ts`.
 *
 * Finds members whose public profiles match a question: those with all of its terms, or else those that match the most
 * terms. A directory search matches whole words and the prefix of the last one, so a question becomes several searches.
 * None of them scores all matches.
 */

import { nameKey, tokenize } from '../base/tokenize.ts'
import { termSimilarity, termsOf, type Term } from './terms.ts'
import type { FoundPerson } from './search-profiles.ts'
import type { Database } from '../db/database.ts'
import { searchEntries, type Found } from '../members/directory-index.ts'

/** Per question. With a million members a search takes about a millisecond, off the main thread. */
const MAX_SEARCHES = 64

/** The directory is not ordered by relevance to a question, so at least this many matches are ranked. */
const MIN_CANDIDATES = 20

/** Best first. */
export async function findPeople(
  database: Database,
  question: string,
  limit: number,
): Promise<FoundPerson[]> {
  const terms = termsOf(question)
  const words = tokenize(question)
  const search = searcher(database, Math.max(limit, MIN_CANDIDATES))
  // A name may consist of stop words, such as An or Will.
  const [verbatim, all] = await Promise.all([search([whole(words)]), search(searchesFor(terms))])
  const found = merge([verbatim, all])
  if (found.size > 0) return ranked(found, verbatim, terms, limit)
  const some = await findSome(search, terms)
  if (some.people.size > 0) return ranked(some.people, NO_PEOPLE, some.terms, limit)
  return findByPrefix(search, words, limit)
}

/** Treats the last word as a prefix, as in a search field. Such a match is vague, so its score is halved. */
async function findByPrefix(
  search: Search,
  words: readonly string[],
  limit: number,
): Promise<FoundPerson[]> {
  const terms = words.map((word) => ({ word, forms: [word], stem: word }))
  const found = ranked(await search([words]), NO_PEOPLE, terms, limit)
  return found.map(({ memberId, score }) => ({ memberId, score: Math.ceil(score / 2) }))
}

type Search = (searches: readonly (readonly string[])[]) => Promise<People>

/** By member ID. */
type People = ReadonlyMap<number, Row>

const NO_PEOPLE: People = new Map()

/** Runs at most `MAX_SEARCHES` searches. Further ones find no one. */
function searcher(database: Database, limit: number): Search {
  let left = MAX_SEARCHES
  return async (searches) => {
    const allowed = searches.filter((one) => one.length > 0).slice(0, left)
    left -= allowed.length
    const pages = await Promise.all(
      allowed.map((one) =>
        searchEntries<Columns>(database.anonymous, COLUMNS, {
          words: one,
          after: null,
          limit,
        }),
      ),
    )
    return new Map(pages.flat().map((row) => [row.member_id, row]))
  }
}

/** Rare terms have a higher weight. */
interface WeighedTerm extends Term {
  readonly weight?: number
}

/** Only the rarest terms are combined, to limit the number of searches. */
const MAX_COMBINED = 6

/**
 * The members who match the most terms. Searches for single terms first, then for combinations of increasing size
 * until none matches.
 */
async function findSome(
  search: Search,
  terms: readonly Term[],
): Promise<{ people: People; terms: readonly WeighedTerm[] }> {
  const singly = await Promise.all(terms.map((term) => search(searchesFor([term]))))
  const weighed = terms.map((term, index) => {
    const found = singly[index]?.size ?? 0
    return { ...term, found, weight: 1 + 1 / Math.max(found, 1) }
  })
  const known = weighed
    .filter(({ found }) => found > 0)
    .toSorted((one, other) => one.found - other.found)
    .slice(0, MAX_COMBINED)
  let people = merge(singly)
  for (let size = Math.max(2, maxMatches(people, known)); size <= known.length; size++) {
    const sets = combinations(known, size)
    const found = merge(await Promise.all(sets.map((set) => search(searchesFor(set)))))
    if (found.size === 0) break
    people = merge([people, found])
  }
  const most = maxMatches(people, known)
  const best = [...people].filter(([, row]) => countMatches(row, known) === most)
  return { people: new Map(best), terms: weighed }
}

function maxMatches(people: People, terms: readonly Term[]): number {
  return Math.max(0, ...people.values().map((row) => countMatches(row, terms)))
}

function countMatches(row: Row, terms: readonly Term[]): number {
  const all = wordsOf(row)
  return terms.filter((term) => all.some((word) => termSimilarity(term, word) > 0)).length
}

function merge(all: readonly People[]): People {
  return new Map(all.flatMap((people) => [...people]))
}

/** Limits the searches for questions with many terms; not all forms of all terms are searched. */
const MAX_SPELLINGS = 12

/** Searches that together find the members with all of these terms, in any form. */
function searchesFor(terms: readonly Term[]): string[][] {
  // The last word of a search matches as a prefix, so the term with the most forms comes last.
  const inOrder = terms.toSorted((one, other) => one.forms.length - other.forms.length)
  const last = inOrder.pop()
  if (!last) return []
  const before = inOrder.reduce<string[][]>(
    (lists, { word, forms }) => {
      const spellings = lists.length * forms.length <= MAX_SPELLINGS ? forms : [word]
      return lists.flatMap((list) => spellings.map((form) => list.concat(form)))
    },
    [[]],
  )
  // Also as a whole word: of all names that start with `robin`, the page may not include the Robins.
  const endings = last.forms.map((form) => whole([form]))
  if (last.stem !== undefined) endings.push([last.stem])
  return before.flatMap((list) => endings.map((ending) => list.concat(ending)))
}

/** Repeats the last word, so that it also matches as a whole word. */
function whole(list: readonly string[]): string[] {
  return [...list, ...list.slice(-1)]
}

function combinations<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, index) =>
    combinations(items.slice(index + 1), size - 1).map((rest) => [item].concat(rest)),
  )
}

/** Ties are broken by literal matches of the question, then by the order of the directory. */
function ranked(
  people: People,
  verbatim: People,
  terms: readonly WeighedTerm[],
  limit: number,
): FoundPerson[] {
  return [...people.values()]
    .map((row) => ({
      row,
      score: scoreOf(row, terms),
      exact: Number(isWholeName(row, terms)) + Number(verbatim.has(row.member_id)),
    }))
    .toSorted((a, b) => b.score - a.score || b.exact - a.exact || a.row.place - b.row.place)
    .slice(0, limit)
    .map(({ row, score }) => ({ memberId: row.member_id, score }))
}

function isWholeName({ name, username }: Row, terms: readonly Term[]): boolean {
  const question = terms.map(({ word }) => word).join(' ')
  return question === nameKey(name) || question === nameKey(username)
}

/** The weight of a match outside the name. A match in the name has weight 1. */
const OUTSIDE_NAME = 0.95

function scoreOf(row: Row, terms: readonly WeighedTerm[]): number {
  const inName = tokenize(`${row.name} ${row.username}`)
  const anywhere = wordsOf(row)
  let [met, most] = [0, 0]
  for (const term of terms) {
    const { weight = 1 } = term
    met += weight * Math.max(closest(term, inName), OUTSIDE_NAME * closest(term, anywhere))
    most += weight
  }
  return Math.max(1, Math.round((100 * met) / most))
}

function wordsOf(row: Row): string[] {
  const { name, username, headline, organization, title, location, skills } = row
  return tokenize([name, username, headline, organization, title, location, skills].join(' '))
}

function closest(term: Term, list: readonly string[]): number {
  return list.reduce((best, word) => Math.max(best, termSimilarity(term, word)), 0)
}

interface Columns {
  readonly member_id: number
  readonly username: string
  readonly name: string
  readonly headline: string | null
  readonly organization: string | null
  readonly title: string | null
  readonly location: string | null
  /** A JSON array, tokenized as text. */
  readonly skills: string
}

type Row = Found<Columns>

const COLUMNS =
  'm.member_id, m.username, m.name, m.headline, m.organization, m.title, m.location, m.skills'
