/** Reads what a query asks for, and searches one index for it. */

import { tagOf } from '../model/tag-store.ts'
import { analyzeFilter, analyzeQuery, latinWords } from '../../search/index/analyze-query.ts'
import { dayNumber } from '../../search/index/analyze-document.ts'
import { searchIndex } from '../../search/index/search-index.ts'
import { withSplitEmails } from '../../search/index/special-words.ts'
import { SearchScratch } from '../../search/index/search-scratch.ts'
import { tagTerm } from '../../search/index/special-terms.ts'
import { suggestQuery } from '../../search/index/suggest.ts'
import { readQuestion, type SimilarPeople } from './asked-question.ts'
import { withoutFieldLabels } from './query-operators.ts'
import type { IndexFilters } from '../../search/index/index-filters.ts'
import type { IndexQuery, IndexResult } from '../../search/index/select-people.ts'
import type { QueryWord } from '../../search/index/query-word.ts'
import type { SearchIndex } from '../../search/index/layout.ts'

export interface ConnectionQuery {
  /** Words to find in any field, each whole or as a prefix. Empty matches every connection that passes the filters. */
  readonly query: string
  readonly company?: string
  readonly title?: string
  readonly location?: string
  readonly tag?: string
  /** YYYY-MM-DD, inclusive. */
  readonly connectedAfter?: string
  /** Conditions for custom fields: `Tier=Gold`, `Score>=5`, `Tier=*` for any value. */
  readonly custom?: readonly string[]
  /** A bit mask of fields that are not searched: see `withheldFields`. */
  readonly withheld?: number | undefined
}

export interface AskedQuery {
  readonly words: readonly QueryWord[]
  readonly filters: IndexFilters
  /** Of a parsed question. */
  readonly similar?: () => SimilarPeople
  /** Of a parsed question: words that are no subject of their own. */
  readonly incidental?: readonly string[]
  /** Of a parsed question: its words, where it finds no one. */
  readonly inWords?: (plain: readonly QueryWord[]) => readonly QueryWord[]
}

interface PlainQuery {
  readonly query: ConnectionQuery
  readonly plain: AskedQuery
  readonly now?: number | undefined
}

/** Working memory of searches on this thread. A search never yields, so they can share it. */
export const SCRATCH = new SearchScratch()

export interface IndexAnswer extends IndexResult {
  /** What was searched for. */
  readonly asked: AskedQuery
}

/** Searches an index. The query is read as a question if `now` is known. */
export function answerFrom(
  index: SearchIndex,
  { query, plain, now }: PlainQuery,
  page: SearchedPage,
): IndexAnswer {
  const understood = understand(index, { query, plain, now })
  const asked = understood ?? plain
  const found = searchPage(index, asked, page)
  const instead = found.total > 0 ? undefined : otherWords(query, plain, understood)
  if (!instead) return { ...found, asked }
  return { ...searchPage(index, instead, page), asked: instead }
}

type SearchedPage = Pick<IndexQuery, 'after' | 'limit' | 'among'>

/** Scores depend on the size of the network, so a page starts after the current score of the previous page's last hit. */
function searchPage(index: SearchIndex, asked: AskedQuery, page: SearchedPage): IndexResult {
  const { after } = page
  if (!after) return searchIndex(index, { ...asked, ...page }, SCRATCH)
  const among = new Set([after.connectionId])
  const [last] = searchIndex(index, { ...asked, limit: 1, among }, SCRATCH).hits
  return searchIndex(index, { ...asked, ...page, after: last ?? after }, SCRATCH)
}

/** The parsed question; undefined if the query is only words. */
export function understand(
  index: SearchIndex,
  { query, plain, now }: PlainQuery,
): AskedQuery | undefined {
  if (now === undefined || plain.words.length === 0) return undefined
  const question = readQuestion(index, withoutFieldLabels(query.query), now)
  if (!question) return undefined
  const { words, filters, similar, incidental, inWords, mayBeName } = question
  if (mayBeName && searchIndex(index, { ...plain, limit: 1 }, SCRATCH).total > 0) return undefined
  // Filters of the call are explicit, so they win.
  return { words, similar, incidental, inWords, filters: { ...filters, ...plain.filters } }
}

/** What to search for instead of a query that finds no one: parts of an email, a name in Latin letters, words of a question. */
function otherWords(
  { query }: ConnectionQuery,
  plain: AskedQuery,
  understood: AskedQuery | undefined,
): (AskedQuery & Pick<IndexQuery, 'minShare'>) | undefined {
  const split = withSplitEmails(query)
  if (split !== undefined) return { ...plain, words: analyzeQuery(split), minShare: 1 }
  if (!understood) {
    const words = latinWords(query)
    return words.length === 0 ? undefined : { ...plain, words, minShare: 1 }
  }
  if (!understood.inWords || hasConditions(understood)) return undefined
  const words = understood.inWords(plain.words)
  return words.length === 0 ? undefined : { ...plain, words }
}

/** What people must have, lack or not be. Without an answer, no one else is one. */
function hasConditions({ filters }: AskedQuery): boolean {
  return filters.presence !== undefined || filters.excluded !== undefined
}

/** Undefined if the query or a filter has text but nothing to search for, such as only punctuation. */
export function parseConnectionQuery(query: ConnectionQuery): AskedQuery | undefined {
  const words = analyzeQuery(withoutFieldLabels(query.query))
  const [company, title, location] = [query.company, query.title, query.location].map((text) =>
    text === undefined ? undefined : analyzeFilter(text),
  )
  const isVoid = (text: string | undefined, list: readonly QueryWord[] | undefined) =>
    text !== undefined && text.trim() !== '' && list?.length === 0
  if (
    isVoid(query.query, words) ||
    isVoid(query.company, company) ||
    isVoid(query.title, title) ||
    isVoid(query.location, location)
  )
    return undefined
  const filters = {
    ...(company && { company }),
    ...(title && { title }),
    ...(location && { location }),
    ...(query.tag !== undefined && { tag: tagTerm(tagOf(query.tag).key) }),
    ...(query.connectedAfter !== undefined && { since: dayNumber(query.connectedAfter) }),
  }
  return { words, filters }
}

export function suggestionFor(
  index: SearchIndex,
  { words, filters }: AskedQuery,
): string | undefined {
  const query = suggestQuery(index, words)
  if (query === undefined) return undefined
  const { total } = searchIndex(index, { words: analyzeQuery(query), filters, limit: 1 }, SCRATCH)
  return total > 0 ? query : undefined
}
