/** Finds the people of an index who have the words of a query, which may be a question. */

import { analyzeQuery, latinWords } from '../../search/query/analyze-query.ts'
import { withSplitEmails } from '../../search/query/special-words.ts'
import { asMentioned, asWholeWord } from '../../search/query/proper-nouns.ts'
import { readSearchQuery } from '../../search/query/read-query.ts'
import { hasHanNames } from '../../search/index/script-names.ts'
import { FIELD } from '../../search/index/search-fields.ts'
import { hasTerms, searchIndex } from '../../search/search-index.ts'
import type { Asked, AskedQuery } from './ask.ts'
import type { IndexQuery, IndexResult } from '../../search/scoring/score-people.ts'
import type { IndexHit } from '../../search/scoring/best-hits.ts'
import type { SearchIndex } from '../../search/index/segment.ts'

export interface Found extends IndexResult {
  /** With the question that was read. */
  readonly asked: AskedQuery
  /** Whether anyone in the index has a name in Han letters. */
  readonly hasHanNames: () => boolean
}

type FindQuery = Omit<Asked, 'mode'>
type Page = Pick<IndexQuery, 'after' | 'limit' | 'among'>

/** Searches an index. The query is read as a question if `now` is known. */
export function findPeople(
  index: SearchIndex,
  { query, plain, now, timeZone, ...rest }: FindQuery,
): Found {
  const hasName = (words: readonly string[]) => hasTerms(index, words, FIELD.name)
  const hasHan = () => hasHanNames(index.segments)
  const search = (typed: AskedQuery): Found => {
    const isChange = query.isWholeWord === true
    const named = asMentioned(typed.words, { isChange, isPerson: query.isPerson === true, hasName })
    const asked = { ...typed, words: isChange ? named.map(asWholeWord) : named }
    return { ...searchPage(index, asked, rest), asked, hasHanNames: hasHan }
  }
  if (plain.words.length === 0) return search(plain)
  const read =
    now === undefined ? undefined : readSearchQuery(index, query.query, { now, timeZone })
  // Filters of the call are explicit, so they win.
  const asked = read ? { words: read.words, filters: { ...read.filters, ...plain.filters } } : plain
  const found = search(asked)
  if (found.complete > 0) return found
  const latin = latinWords(query.query)
  const inLatin = latin.length === 0 ? found : search({ ...asked, words: latin })
  if (inLatin.complete > 0 || (hasAllWords(inLatin) && !hasAllWords(found))) return inLatin
  if (found.total > 0) return found
  const split = withSplitEmails(query.query)
  const inParts = split === undefined ? found : search({ ...asked, words: analyzeQuery(split) })
  if (inParts.complete > 0) return asPartsOfEmail(inParts, found)
  // Dates without a match are searched for as words, except in questions for birthdays. Beside dates, unknown words are left out.
  if (read?.isDated === true) {
    const dated = search({ ...asked, words: [] })
    if (dated.total > 0) return asked.words.length === 0 ? dated : asOnlyDated(dated, found)
    const typed = asked.filters.occasions ? found : search(plain)
    if (typed.total > 0) return typed
  }
  const last = searchIndex(index, { ...asked, ...rest, moreTypos: true })
  return { ...last, asked, hasHanNames: hasHan }
}

/** Whether anyone has every word, or another spelling or other words for it. */
function hasAllWords({ hits: [best] }: Found): boolean {
  return best?.share === 1
}

/** People who only meet the dates of a query are no complete matches: a zookeeper met this week is not everyone met this week. */
function asOnlyDated(dated: Found, { asked, unknown }: Found): Found {
  return { ...dated, hits: dated.hits.map(asGuess), complete: 0, asked, unknown }
}

/** `alrashid@gulfsteel`: people who have the words of an email instead of it. */
function asPartsOfEmail(inParts: Found, { asked, unknown }: Found): Found {
  const guesses = asked.words
    .filter((word) => word.isStrict === true)
    .map((word) => ({ word, guess: 'part' as const }))
  const hits = inParts.hits.filter(({ isComplete }) => isComplete).map(asGuess)
  return {
    ...inParts,
    hits,
    total: inParts.complete,
    complete: 0,
    asked,
    unknown,
    guessesOf: () => guesses,
  }
}

function asGuess(hit: IndexHit): IndexHit {
  return { ...hit, having: 0, certain: 0, isComplete: false }
}

/** Scores depend on the size of the network, so a page starts after the current score of the previous page's last hit. */
function searchPage(index: SearchIndex, asked: AskedQuery, page: Page): IndexResult {
  const { after } = page
  if (!after) return searchIndex(index, { ...asked, ...page })
  const among = new Set([after.connectionId])
  const [last] = searchIndex(index, { ...asked, limit: 1, among }).hits
  return searchIndex(index, { ...asked, ...page, after: last ?? after })
}
