/** Search with filters, page by page, for the tools and the web pages: asks, finds, ranks and shows. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { tokenize } from '../../base/tokenize.ts'
import { TimeSlices } from '../../base/concurrency/time-slices.ts'
import {
  ask,
  assertMayBeMeant,
  RANKED,
  readPosition,
  startInRanking,
  type Asked,
  type ConnectionQuery,
  type Search,
  type SearchMode,
} from './ask.ts'
import { filterByContact, MAX_COMPARED } from './filters/contact-filter.ts'
import { filterByCustom } from './filters/custom-filter.ts'
import { withoutFields } from './filters/withheld-fields.ts'
import { findPeople } from './find.ts'
import { rankByMeaning, rankPeople, type Ranking } from './rank.ts'
import { EMPTY_PAGE, showPage, type FoundPage, type SearchPage } from './show.ts'
import { guessedText, weakerMatches } from './weaker-match.ts'
import { readRows } from './index/page-rows.ts'
import {
  beginLoading,
  heldIndex,
  indexAt,
  type IndexReader,
  type NetworkIndex,
} from './index/network-index.ts'
import { hasTerms } from '../../search/search-index.ts'
import { FIELD } from '../../search/index/search-fields.ts'
import type { HitPosition } from '../../search/scoring/best-hits.ts'
import type { Listed } from '../model/connection.ts'
import { readNetworkState, type NetworkState } from '../../tools/network-state.ts'
import type { MeaningDeps } from './meaning/similar-people.ts'

interface SearchRequest {
  readonly query: ConnectionQuery
  /** `keyword` by default. */
  readonly mode?: SearchMode
  readonly limit: number
  readonly cursor?: string | undefined
  /** If it or `deps` is given, the query is read as a question. */
  readonly now?: number
  /** Where the member is, which decides what is today. UTC by default. */
  readonly timeZone?: string
}

interface SearchDeps extends MeaningDeps {
  /** The network when the call began; otherwise it is read. */
  readonly network?: NetworkState
}

/**
 * Without `deps`, only words are compared.
 *
 * @throws {RequestError} `preparing` when the vectors are being computed or read, in mode `semantic`.
 * @throws {RequestError} `conflict` when the job `embed_objects` must run before, in mode `semantic`.
 * @throws {RequestError} `unavailable` when the model does not respond, in mode `semantic`.
 */
export async function searchConnections(
  reader: IndexReader,
  { query, mode = 'keyword', limit, cursor, now, timeZone }: SearchRequest,
  deps?: SearchDeps,
): Promise<SearchPage> {
  const question = [reader.memberId, query, mode]
  const after = cursor === undefined ? null : readPosition(question, cursor)
  if (mode === 'semantic') assertMayBeMeant(query)
  await beginLoading(reader, deps?.network)
  const plain = ask(query)
  if (!plain) return EMPTY_PAGE
  const among = query.custom && (await filterByCustom(reader, query.custom))
  const scored = after?.score === RANKED ? null : after
  const range = query.contact
    ? { after: null, limit: MAX_COMPARED }
    : { after: scored, limit: limit + 1 }
  const when = deps ?? { now, timeZone }
  const asked = { query, plain, mode, now: when.now, timeZone: when.timeZone, ...range, among }
  return showPage(reader, await findPage(reader, { asked, limit, after }, deps), question)
}

/** Someone for a search field, and whether they do not match completely. */
export interface SuggestedConnection extends Listed {
  readonly isWeaker?: boolean
  /** What they have instead of words, such as another spelling. */
  readonly weaker?: string | undefined
}

/** The best matches for a search field while a member types. */
export async function suggestConnections(
  reader: IndexReader,
  typed: string,
  limit: number,
): Promise<readonly SuggestedConnection[]> {
  await beginLoading(reader, undefined)
  const query = { query: typed }
  const plain = ask(query)
  if (!plain) return []
  const asked = { query, plain, mode: 'keyword' as const, after: null, limit }
  const { ranking, hits, rows } = await findPage(reader, { asked, limit, after: null }, undefined)
  const weakerOf = weakerMatches(ranking.asked.words)
  return rows.flatMap((row, at) => {
    const hit = hits[at]
    if (!row || !hit) return []
    const weaker = weakerOf({ hit, guesses: () => ranking.guessesOf(hit), row })
    const told = weaker && { isWeaker: true, weaker: guessedText(weaker) }
    return Object.assign({}, row.listed, told)
  })
}

/** Returns the words that are whole words of a person's name. Looks them up, without a search. */
export async function wordsOfNames(
  reader: IndexReader,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const index = await indexAt(reader, await readNetworkState(reader))
  const isOne = (word: string) => {
    const terms = tokenize(word)
    return terms.length > 0 && hasTerms(index, terms, FIELD.name)
  }
  return new Set(words.filter(isOne))
}

interface PageQuery {
  readonly asked: Asked
  readonly limit: number
  readonly after: HitPosition | null
}

/**
 * Searches the index as of the network's version. Rows that are not in memory are read together with the version; if the
 * network has changed since, the index is updated and searched again.
 */
async function findPage(
  reader: IndexReader,
  { asked, limit, after }: PageQuery,
  deps: SearchDeps | undefined,
): Promise<FoundPage> {
  const latest = deps?.network ?? readNetworkState(reader)
  const loading =
    latest instanceof Promise ? indexToSearch(reader, latest) : indexAt(reader, latest)
  let index = loading instanceof Promise ? await loading : loading
  for (;;) {
    const ranking = await findRanked({ reader, index, asked, deps })
    const from = ranking.isRanked && after ? startInRanking(ranking.hits, after) : 0
    const hits = ranking.hits.slice(from, from + limit + 1)
    const ids = hits.slice(0, limit).map(({ connectionId }) => connectionId)
    const reading = readRows(reader, ids, index.version)
    const { network, rows } = reading instanceof Promise ? await reading : reading
    const newest = network ?? (latest instanceof Promise ? await latest : latest)
    if (newest.search_version <= index.version) return { ranking, hits, rows, from, asked, limit }
    index = await indexAt(reader, newest)
  }
}

/** The current index; if the database has not answered yet, the one in memory, which is searched while it does. */
async function indexToSearch(
  reader: IndexReader,
  latest: Promise<NetworkState>,
): Promise<NetworkIndex> {
  const held = heldIndex(reader)
  if (!held) return indexAt(reader, await latest)
  // Once the event loop has turned, the database has been asked.
  const network = await Promise.race([latest, nextTurn()])
  return network ? indexAt(reader, network) : held
}

/** Limits the searches of all members on this thread, so that many of a large network do not delay everyone else. */
export const SEARCHES = new TimeSlices<number>()

/** Finds the people of a search, and ranks them. */
export async function findRanked(search: Search): Promise<Ranking> {
  const { reader, asked } = search
  const { contact, withheld } = asked.query
  const index = await withoutFields(reader, search.index, withheld)
  const ranking = await rankedBy({ ...search, index })
  return contact ? filterByContact(reader, ranking, contact) : ranking
}

async function rankedBy(search: Search): Promise<Ranking> {
  const { reader, index, asked } = search
  const meant = asked.mode === 'semantic' ? await rankByMeaning(search) : undefined
  if (meant) return meant
  const found = await SEARCHES.run(reader.memberId, () => findPeople(index, asked))
  return rankPeople(search, found)
}
