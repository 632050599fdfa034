/** Reads what a query asks for, and searches one index for it. */

import { tagOf } from '../model/tag-store.ts'
import {
  analyzeFilter,
  analyzeLocation,
  analyzeQuery,
  latinWords,
} from '../../search/query/analyze-query.ts'
import { withoutFieldLabels } from '../../search/query/special-words.ts'
import { readSearchQuery } from '../../search/query/read-query.ts'
import { withSplitEmails } from '../../search/query/special-words.ts'
import { dayNumber } from '../../search/index/special-terms.ts'
import { searchIndex } from '../../search/index/search-index.ts'
import { SearchScratch } from '../../search/index/people-set.ts'
import { tagTerm } from '../../search/index/special-terms.ts'
import type { ContactFilter } from './filters/contact-arguments.ts'
import type { IndexFilters } from '../../search/index/index-filters.ts'
import type { IndexQuery, IndexResult } from '../../search/index/select-people.ts'
import type { QueryWord } from '../../search/index/query-word.ts'
import type { SearchIndex } from '../../search/index/segment.ts'

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
  readonly contact?: ContactFilter
  /** A bit mask of fields that are not searched: see `withheldFields`. */
  readonly withheld?: number | undefined
}

export interface AskedQuery {
  readonly words: readonly QueryWord[]
  readonly filters: IndexFilters
}

interface PlainQuery {
  readonly query: ConnectionQuery
  readonly plain: AskedQuery
  readonly now?: number | undefined
}

/** Working memory of searches on this thread. A search never yields, so they can share it. */
export const SCRATCH = new SearchScratch()

export interface IndexAnswer extends IndexResult {
  readonly asked: AskedQuery
}

/** Searches an index. The query is read as a question if `now` is known. */
export function answerFrom(
  index: SearchIndex,
  { query, plain, now }: PlainQuery,
  page: SearchedPage,
): IndexAnswer {
  const search = (asked: AskedQuery) => ({ ...searchPage(index, asked, page), asked })
  if (plain.words.length === 0) return search(plain)
  const read =
    now === undefined ? undefined : readSearchQuery(index, withoutFieldLabels(query.query), now)
  // Filters of the call are explicit, so they win.
  const asked = read ? { words: read.words, filters: { ...read.filters, ...plain.filters } } : plain
  const found = search(asked)
  if (found.complete > 0) return found
  for (const words of otherWords(query)) {
    const instead = search({ ...asked, words })
    if (instead.complete > 0) return instead
  }
  if (found.total > 0) return found
  // Dates without a match are searched for as words, except in questions for birthdays. Beside dates, unknown words are left out.
  const others = asked.filters.occasions ? [] : [plain]
  const fallbacks = read?.isDated === true ? [{ ...asked, words: [] }, ...others] : []
  for (const fallback of fallbacks) {
    const instead = search(fallback)
    if (instead.total > 0) return instead
  }
  return { ...searchIndex(index, { ...asked, ...page, moreTypos: true }, SCRATCH), asked }
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

/** What to search for instead of a query that no one has whole: the parts of an email, a name in Latin letters. */
function otherWords({ query }: ConnectionQuery): (readonly QueryWord[])[] {
  const split = withSplitEmails(query)
  const latin = latinWords(query)
  return [
    ...(split === undefined ? [] : [analyzeQuery(split)]),
    ...(latin.length > 0 ? [latin] : []),
  ]
}

/** Undefined if the query or a filter has text but nothing to search for, such as only punctuation. */
export function parseConnectionQuery(query: ConnectionQuery): AskedQuery | undefined {
  const words = analyzeQuery(withoutFieldLabels(query.query))
  const [company, title] = [query.company, query.title].map((text) =>
    text === undefined ? undefined : analyzeFilter(text),
  )
  const location = query.location === undefined ? undefined : analyzeLocation(query.location)
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
