/** Finds people by words and filters, all of them in an order, for pages that list, count and change many. */

import { filterIndex } from '../../search/search-index.ts'
import { ask, type AskedQuery, type ConnectionQuery } from '../search/ask.ts'
import { filterByCustom } from '../search/filters/custom-filter.ts'
import { indexAt, type IndexReader } from '../search/index/network-index.ts'
import { readRows, type PageRow } from '../search/index/page-rows.ts'
import { findRanked } from '../search/search.ts'
import { matchesOf, type SearchMatch } from '../search/show.ts'
import type { Ranking } from '../search/rank.ts'
import { readNetworkState, type NetworkState } from '../../tools/network-state.ts'
import { countConnections } from './count-connections.ts'
import { filteredPeople, intersectionOf, type Filtered } from './filtered-people.ts'
import { orderedPeople, type OrderedPeople } from './ordered-people.ts'
import { inGroups } from '../search/weaker-groups.ts'
import type { IndexHit } from '../../search/scoring/best-hits.ts'
import { completeIn } from '../../search/scoring/complete-hits.ts'
import { END_OF_YEAR, type IndexFilters } from '../../search/index/index-filters.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { MeaningDeps } from '../search/meaning/similar-people.ts'
import type { PeopleFilters, PeopleQuery } from './people-query.ts'
import type { QueryWord } from '../../search/index/query-word.ts'

type ListReader = IndexReader & Pick<MemberDatabase, 'heavy'>

/** People that a search by words lists unless the caller needs all; its total counts all. */
const MAX_LISTED = 5000

export interface FoundPeople {
  /** In order; of a search by words at most `limit`. */
  readonly ids: readonly number[]
  readonly total: number
  /** Number of complete matches, which come first in the order of relevance. */
  readonly complete: number
  /** The first characters of the names of `ids`, if they are sorted by name. */
  readonly initials: readonly string[]
  /** What the words of the query match; undefined without words. */
  readonly answer: Ranking | undefined
  readonly hits: ReadonlyMap<number, IndexHit>
  readonly version: number
}

/**
 * @throws {RequestError} `conflict` or `unavailable` when a search by meaning is not possible yet.
 * @throws {RequestError} `invalid_request` when a condition for a custom field is invalid.
 */
export async function findListed(
  db: ListReader,
  asked: PeopleQuery,
  deps: MeaningDeps | undefined,
  limit = MAX_LISTED,
): Promise<FoundPeople> {
  const network = await readNetworkState(db)
  const version = network.search_version
  const words = wordsOf(asked)
  const parsed = ask(words)
  if (!parsed) return { ...NO_ONE, version }
  const plain = withPresence(parsed, asked.filters)
  const filtered = await filteredBy(db, asked, plain, network)
  const order = async (sort: PeopleQuery['sort'], people: Filtered) =>
    orderedPeople(db, { sort: sort === 'relevance' ? 'name' : sort, version }, people)
  if (plain.words.length === 0) {
    const shown = directed(await order(asked.sort, filtered), asked)
    const { length } = shown.ids
    return { ...NO_ONE, ...shown, total: length, complete: length, version }
  }
  const among = await amongOf(filtered, async () => (await order('name', EVERYONE)).ids)
  const index = await indexAt(db, network)
  const { mode } = asked
  const when = { now: deps?.now, timeZone: deps?.timeZone }
  const search = { query: words, plain, mode, ...when, after: null, limit, among }
  const answer = await findRanked({ reader: db, index, asked: search, deps })
  const birthdays = birthdaysOf(answer)
  if (asked.sort === 'relevance' && birthdays) {
    const { ids } = await order('birthday', EVERYONE)
    // A time that includes the end of the year begins in the old one.
    const inYear = filterIndex(index, { occasions: [{ ...birthdays, to: END_OF_YEAR }] })
    const sorted = [...ids.filter((id) => inYear.has(id)), ...ids.filter((id) => !inYear.has(id))]
    return foundWith(answer, { among, version, limit }, { ids: sorted })
  }
  if (asked.sort === 'relevance') return foundWith(answer, { among, version, limit })
  const everyone = await order(asked.sort, EVERYONE)
  return foundWith(answer, { among, version, limit }, directed(everyone, asked))
}

/** The time of a search that asks only for birthdays. */
export function birthdaysOf(answer: Ranking | undefined) {
  const { words = [], filters = {} } = answer?.asked ?? {}
  const birthdays = filters.occasions?.find(({ occasion }) => occasion === 'birthday')
  return words.every(({ isOptional }) => isOptional) ? birthdays : undefined
}

const EVERYONE: Filtered = { among: undefined, without: new Set() }

/** How many people `findListed` finds. Without words, nothing is sorted. */
export async function countListed(
  db: ListReader,
  asked: PeopleQuery,
  deps: MeaningDeps | undefined,
): Promise<number> {
  const parsed = ask(wordsOf(asked))
  if (!parsed) return 0
  const plain = withPresence(parsed, asked.filters)
  if (plain.words.length > 0) return (await findListed(db, asked, deps)).total
  const { among, without } = await filteredBy(db, asked, plain, await readNetworkState(db))
  return among ? among.difference(without).size : (await countConnections(db)) - without.size
}

/** The people who pass all filters but words. */
async function filteredBy(
  db: ListReader,
  { filters }: PeopleQuery,
  plain: AskedQuery,
  network: NetworkState,
): Promise<Filtered> {
  const { among, without } = await filteredPeople(db, filters)
  const custom = filters.custom && (await filterByCustom(db, filters.custom))
  const isIndexed = plain.words.length === 0 && Object.keys(plain.filters).length > 0
  const indexed = isIndexed ? filterIndex(await indexAt(db, network), plain.filters) : undefined
  return { among: intersectionOf([among, custom, indexed]), without }
}

/** The people that a search by words compares; undefined for everyone. */
async function amongOf(
  { among, without }: Filtered,
  everyone: () => Promise<readonly number[]>,
): Promise<ReadonlySet<number> | undefined> {
  if (without.size === 0) return among
  return (among ?? new Set(await everyone())).difference(without)
}

const NO_ONE: Omit<FoundPeople, 'version'> = {
  ids: [],
  total: 0,
  complete: 0,
  initials: [],
  answer: undefined,
  hits: new Map(),
}

interface Found {
  readonly among: ReadonlySet<number> | undefined
  readonly version: number
  readonly limit: number
}

function foundWith(
  answer: Ranking,
  { among, version, limit }: Found,
  order?: Pick<OrderedPeople, 'ids'>,
): FoundPeople {
  // People who are similar in meaning were not compared with `among`.
  const admitted = among
    ? answer.hits.filter(({ connectionId }) => among.has(connectionId))
    : answer.hits
  const sorted = order || answer.mode === 'semantic' ? admitted : inGroups(admitted, answer)
  const hits = new Map(sorted.map((hit) => [hit.connectionId, hit]))
  const ids = order ? order.ids.filter((id) => hits.has(id)) : [...hits.keys()]
  const total = admitted.length < limit ? admitted.length : answer.total
  const complete = admitted.length < limit ? completeIn(admitted) : answer.complete
  return { ids, total, complete, initials: [], answer, hits, version }
}

function wordsOf({ query, filters, withheld }: PeopleQuery): ConnectionQuery {
  const { company, title, location, tag } = filters
  return { query, withheld, company, title, location, tag }
}

function withPresence(asked: AskedQuery, { has = [], lacks = [] }: PeopleFilters): AskedQuery {
  if (has.length + lacks.length === 0) return asked
  const presence: IndexFilters['presence'] = [
    ...has.map((what) => ({ what, isMissing: false })),
    ...lacks.map((what) => ({ what, isMissing: true })),
  ]
  return { ...asked, filters: { ...asked.filters, presence } }
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
  readonly words: readonly QueryWord[]
}

/** The rows of some of the people that were found. Those who were deleted meanwhile are absent. */
export async function readListed(
  db: ListReader,
  { answer, hits, version }: FoundPeople,
  ids: readonly number[],
): Promise<PeoplePage> {
  const { rows: read } = await readRows(db, ids, version)
  const rows = read.filter((row) => row !== undefined)
  if (!answer) return { rows, matches: [], words: [] }
  const shown = rows.flatMap(({ listed }) => hits.get(listed.connectionId) ?? [])
  const matches = await matchesOf(db, { ranking: answer, hits: shown, rows })
  return { rows, matches, words: answer.asked.words }
}
