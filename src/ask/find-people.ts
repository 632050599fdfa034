/**
 * Members whose public profiles answer a question. Those who have all of its terms; where nobody does, those who have
 * the most of them. The directory finds words and the beginning of one last word, so a question becomes several
 * searches of it, none of which scores all matches.
 */

import { nameKey, tokenize } from '../base/tokenize.ts'
import { termSimilarity, termsOf, type Term } from './terms.ts'
import type { Database } from '../db/database.ts'
import type { Found } from '../db/full-text.ts'

interface FoundPerson {
  readonly memberId: number
  /** 1 to 100: how much of the question the profile meets. */
  readonly score: number
}

/** For one question; at a million members a search takes about a millisecond, off the main thread. */
const MAX_SEARCHES = 64

/** The directory's order is not that of a question: what is best for it is looked for in a page of at least this. */
const MIN_CANDIDATES = 20

/** Best first. */
export async function findPeople(
  database: Database,
  question: string,
  limit: number,
): Promise<FoundPerson[]> {
  const terms = termsOf(question)
  const asked = tokenize(question)
  const search = searcher(database, Math.max(limit, MIN_CANDIDATES))
  // A name may be made of words that otherwise only ask, as An's and Will's are.
  const [verbatim, all] = await Promise.all([search([whole(asked)]), search(searchesFor(terms))])
  const found = merge([verbatim, all])
  if (found.size > 0) return ranked(found, verbatim, terms, limit)
  const some = await findSome(search, terms)
  if (some.people.size > 0) return ranked(some.people, NOBODY, some.terms, limit)
  return findBeginnings(search, asked, limit)
}

/** The last word may be half typed, as into a search field; what it begins may be anything, so scores are halved. */
async function findBeginnings(
  search: Search,
  asked: readonly string[],
  limit: number,
): Promise<FoundPerson[]> {
  const terms = asked.map((word) => ({ word, forms: [word], stem: word }))
  const found = ranked(await search([asked]), NOBODY, terms, limit)
  return found.map(({ memberId, score }) => ({ memberId, score: Math.ceil(score / 2) }))
}

type Search = (searches: readonly (readonly string[])[]) => Promise<People>

/** By member. */
type People = ReadonlyMap<number, Row>

const NOBODY: People = new Map()

/** Runs so many searches and no more: further ones find nobody. */
function searcher(database: Database, limit: number): Search {
  let left = MAX_SEARCHES
  return async (searches) => {
    const allowed = searches.filter((one) => one.length > 0).slice(0, left)
    left -= allowed.length
    const pages = await Promise.all(
      allowed.map((one) =>
        database.fullText.searchMembers<Columns>(database.anonymous, COLUMNS, {
          words: one,
          after: null,
          limit,
        }),
      ),
    )
    return new Map(pages.flat().map((row) => [row.member_id, row]))
  }
}

/** A term that few have tells more of whoever has it. */
interface WeighedTerm extends Term {
  readonly weight?: number
}

/** Of more terms than these it is not tried which of them stand together. */
const MAX_COMBINED = 6

/**
 * Whoever has as many of the terms as anybody has. Found by single terms first: that tells how many somebody has, and
 * one more is looked for as long as there is somebody.
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
  for (let size = Math.max(2, mostMet(people, known)); size <= known.length; size++) {
    const sets = combinations(known, size)
    const found = merge(await Promise.all(sets.map((set) => search(searchesFor(set)))))
    if (found.size === 0) break
    people = merge([people, found])
  }
  const most = mostMet(people, known)
  const best = [...people].filter(([, row]) => countMet(row, known) === most)
  return { people: new Map(best), terms: weighed }
}

function mostMet(people: People, terms: readonly Term[]): number {
  return Math.max(0, ...people.values().map((row) => countMet(row, terms)))
}

function countMet(row: Row, terms: readonly Term[]): number {
  const all = wordsOf(row)
  return terms.filter((term) => all.some((word) => termSimilarity(term, word) > 0)).length
}

function merge(all: readonly People[]): People {
  return new Map(all.flatMap((people) => [...people]))
}

/** Of many terms only some are looked for in all of their forms, or there would be no end of searches. */
const MAX_SPELLINGS = 12

/** Searches that together find whoever has all of these terms, in whatever form. */
function searchesFor(terms: readonly Term[]): string[][] {
  // The last word of a search may be a beginning: that is for the term with the most forms.
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
  // The whole words too: of everybody whose name begins with `robin`, the Robins may not be on the page.
  const endings = last.forms.map((form) => whole([form]))
  if (last.stem !== undefined) endings.push([last.stem])
  return before.flatMap((list) => endings.map((ending) => list.concat(ending)))
}

/** Said twice, the last word is not only a beginning. */
function whole(list: readonly string[]): string[] {
  return [...list, ...list.slice(-1)]
}

function combinations<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, index) =>
    combinations(items.slice(index + 1), size - 1).map((rest) => [item].concat(rest)),
  )
}

/** Among equals those come first who have the question word for word, then the directory's own order. */
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
  const asked = terms.map(({ word }) => word).join(' ')
  return asked === nameKey(name) || asked === nameKey(username)
}

/** A term in somebody's name tells most; in the rest of their profile a little less. */
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
  /** JSON: its words are those of the skills. */
  readonly skills: string
}

type Row = Found<Columns>

const COLUMNS =
  'm.member_id, m.username, m.name, m.headline, m.organization, m.title, m.location, m.skills'
