/** Finds people by words and filters, all of them in an order, for pages that list, count and change many. */

import { filterIndex } from '../../search/index/search-index.ts'
import { answerInMode, type ModeAnswer } from '../search/answer-with-meaning.ts'
import { SCRATCH, parseConnectionQuery, type AskedQuery } from '../search/answer-query.ts'
import { filterByCustom } from '../search/custom-filter.ts'
import { indexAt, type NetworkIndex } from '../search/network-index.ts'
import { readRows, type PageRow } from '../search/page-rows.ts'
import { matchesOf, type SearchMatch } from '../search/search-matches.ts'
import { readNetworkState } from '../../tools/call-state.ts'
import { orderedPeople, type OrderedPeople } from './ordered-people.ts'
import type { ConnectionQuery } from '../search/answer-query.ts'
import type { IndexHit } from '../../search/index/select-people.ts'
import type { IndexFilters } from '../../search/index/index-filters.ts'
import type { MeaningDeps } from '../search/similar-people.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { PeopleFilters, PeopleQuery, RowFilters } from './people-query.ts'
import type { QueryWord } from '../../search/index/query-word.ts'

/** People that a search by words lists; its total counts all. */
const MAX_FOUND = 5000

export interface FoundPeople {
  /** In order; of a search by words at most `MAX_FOUND`. */
  readonly ids: readonly number[]
  readonly total: number
  /** The first characters of the names of `ids`, if they are sorted by name. */
  readonly initials: readonly string[]
  /** What the words of the query match; undefined without words. */
  readonly answer: ModeAnswer | undefined
  readonly hits: ReadonlyMap<number, IndexHit>
  readonly version: number
}

/**
 * @throws {RequestError} `conflict` or `unavailable` when a search by meaning is not possible yet.
 * @throws {RequestError} `invalid_request` when a condition for a custom field is invalid.
 */
export async function findListed(
  db: MemberDatabase,
  asked: PeopleQuery,
  deps: MeaningDeps,
): Promise<FoundPeople> {
  const { filters, query, mode } = asked
  const network = await readNetworkState(db)
  const version = network.search_version
  const words: ConnectionQuery = { query, ...wordFiltersOf(filters) }
  const parsed = parseConnectionQuery(words)
  if (!parsed) return { ...NO_ONE, version }
  const plain = withPresence(parsed, filters)
  const rowFilters = rowFiltersOf(filters)
  const custom = filters.custom && (await filterByCustom(db, filters.custom))
  const order = async (sort: PeopleQuery['sort']) =>
    orderedPeople(db, { sort: sort === 'relevance' ? 'name' : sort, filters: rowFilters, version })
  if (plain.words.length === 0) {
    const isIndexed = Object.keys(plain.filters).length > 0
    const among = isIndexed
      ? filterIndex(await indexAt(db, network), plain.filters, SCRATCH)
      : undefined
    const people = among || custom ? selected(await order(asked.sort), [among, custom]) : undefined
    const shown = directed(people ?? (await order(asked.sort)), asked)
    return { ...NO_ONE, ...shown, total: shown.ids.length, version }
  }
  const rows = Object.keys(rowFilters).length === 0 ? undefined : new Set((await order('name')).ids)
  const index = await indexAt(db, network)
  const among = intersection(custom, rows)
  const search = { query: words, plain, mode, after: null, limit: MAX_FOUND }
  return foundWith(
    await answerInMode(db, index, { ...search, ...(among && { among }) }, deps),
    { among, index },
    asked.sort === 'relevance' ? undefined : directed(await order(asked.sort), asked),
  )
}

const NO_ONE: Omit<FoundPeople, 'version'> = {
  ids: [],
  total: 0,
  initials: [],
  answer: undefined,
  hits: new Map(),
}

function foundWith(
  answer: ModeAnswer,
  { among, index }: { among: ReadonlySet<number> | undefined; index: NetworkIndex },
  order: Pick<OrderedPeople, 'ids'> | undefined,
): FoundPeople {
  // People who are similar in meaning were not compared with `among`.
  const admitted = among
    ? answer.hits.filter(({ connectionId }) => among.has(connectionId))
    : answer.hits
  const hits = new Map(admitted.map((hit) => [hit.connectionId, hit]))
  const ids = order ? order.ids.filter((id) => hits.has(id)) : [...hits.keys()]
  const total = admitted.length < MAX_FOUND ? admitted.length : answer.total
  return { ids, total, initials: [], answer, hits, version: index.version }
}

function wordFiltersOf({ company, title, location, tag }: PeopleFilters) {
  return {
    ...(company !== undefined && { company }),
    ...(title !== undefined && { title }),
    ...(location !== undefined && { location }),
    ...(tag !== undefined && { tag }),
  }
}

function rowFiltersOf(filters: PeopleFilters): RowFilters {
  const { source, importJobId, silentSince, addedSince, changedJobs, metIn } = filters
  return {
    ...(source !== undefined && { source }),
    ...(importJobId !== undefined && { importJobId }),
    ...(silentSince !== undefined && { silentSince }),
    ...(addedSince !== undefined && { addedSince }),
    ...(changedJobs !== undefined && { changedJobs }),
    ...(metIn !== undefined && { metIn }),
  }
}

function withPresence(asked: AskedQuery, { has = [], lacks = [] }: PeopleFilters): AskedQuery {
  if (has.length + lacks.length === 0) return asked
  const presence: IndexFilters['presence'] = [
    ...has.map((what) => ({ what, isMissing: false })),
    ...lacks.map((what) => ({ what, isMissing: true })),
  ]
  return { ...asked, filters: { ...asked.filters, presence } }
}

function intersection(
  one: ReadonlySet<number> | undefined,
  other: ReadonlySet<number> | undefined,
): ReadonlySet<number> | undefined {
  return one && other ? one.intersection(other) : (one ?? other)
}

function selected(
  { ids, initials, firstBlank }: OrderedPeople,
  sets: readonly (ReadonlySet<number> | undefined)[],
): OrderedPeople {
  const isIn = (id: number) => sets.every((set) => !set || set.has(id))
  return {
    ids: ids.filter(isIn),
    initials: initials.filter((_, at) => isIn(ids[at] ?? 0)),
    firstBlank: ids.slice(0, firstBlank).filter(isIn).length,
  }
}

/** Without a value, people are last in both directions. */
function directed(
  people: OrderedPeople,
  { isReversed }: Pick<PeopleQuery, 'isReversed'>,
): Pick<OrderedPeople, 'ids' | 'initials'> {
  if (!isReversed) return people
  const { ids, initials, firstBlank } = people
  return {
    ids: [...ids.slice(0, firstBlank).toReversed(), ...ids.slice(firstBlank)],
    initials: initials.toReversed(),
  }
}

interface PeoplePage {
  readonly rows: readonly PageRow[]
  /** Why a search found them, in the order of `rows`; empty without words. */
  readonly matches: readonly SearchMatch[]
  /** The words that rows match. */
  readonly words: readonly QueryWord[]
}

/** The rows of some of the people that were found. Those who were deleted meanwhile are absent. */
export async function readListed(
  db: MemberDatabase,
  { answer, hits, version }: FoundPeople,
  ids: readonly number[],
): Promise<PeoplePage> {
  const { rows: read } = await readRows(db, ids, version)
  const rows = read.filter((row) => row !== undefined)
  if (!answer) return { rows, matches: [], words: [] }
  const shown = rows.flatMap(({ listed }) => hits.get(listed.connectionId) ?? [])
  const { words } = answer.asked
  const fields = answer.fieldsOf(shown)
  const matching = { words, hits: shown, fields, rows, maxScore: answer.maxScore }
  return { rows, matches: await matchesOf(db, matching), words }
}
