/** Finds the people of an index who have the words of a query, which may be a question. */

import { analyzeQuery, latinWords } from '../../search/query/analyze-query.ts'
import { withoutFieldLabels, withSplitEmails } from '../../search/query/special-words.ts'
import { readSearchQuery } from '../../search/query/read-query.ts'
import { hasHanNames } from '../../search/index/script-names.ts'
import { searchIndex } from '../../search/index/search-index.ts'
import type { Asked, AskedQuery, ConnectionQuery } from './ask.ts'
import type { IndexQuery, IndexResult } from '../../search/index/score-people.ts'
import type { QueryWord } from '../../search/index/query-word.ts'
import type { SearchIndex } from '../../search/index/segment.ts'

export interface Found extends IndexResult {
  /** With the question that was read. */
  readonly asked: AskedQuery
  /** Whether anyone in the index has a name in Han letters. */
  readonly hasHanNames: () => boolean
}

type FindQuery = Omit<Asked, 'mode'>
type Page = Pick<IndexQuery, 'after' | 'limit' | 'among' | 'isWholeNames'>

/** Searches an index. The query is read as a question if `now` is known. */
export function findPeople(index: SearchIndex, { query, plain, now, ...rest }: FindQuery): Found {
  const page = { ...rest, isWholeNames: query.isWholeName === true }
  const hasHan = () => hasHanNames(index.segments)
  const search = (asked: AskedQuery): Found => ({
    ...searchPage(index, asked, page),
    asked,
    hasHanNames: hasHan,
  })
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
  const last = searchIndex(index, { ...asked, ...page, moreTypos: true })
  return { ...last, asked, hasHanNames: hasHan }
}

/** Scores depend on the size of the network, so a page starts after the current score of the previous page's last hit. */
function searchPage(index: SearchIndex, asked: AskedQuery, page: Page): IndexResult {
  const { after } = page
  if (!after) return searchIndex(index, { ...asked, ...page })
  const among = new Set([after.connectionId])
  const [last] = searchIndex(index, { ...asked, limit: 1, among }).hits
  return searchIndex(index, { ...asked, ...page, after: last ?? after })
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
