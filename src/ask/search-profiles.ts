/** Reads a question about public profiles, and finds who matches it in their search index. */

import { readQuestion } from '../connections/search/asked-question.ts'
import { analyzeQuery, withoutInitials } from '../search/index/analyze-query.ts'
import { isKnownWord, searchIndex } from '../search/index/search-index.ts'
import { withoutFieldLabels } from '../connections/search/query-operators.ts'
import { SCRATCH } from '../connections/search/answer-query.ts'
import { STOP_WORDS } from '../search/stop-words.ts'
import { memberIdOf } from './profile-document.ts'
import type { IndexFilters } from '../search/index/index-filters.ts'
import type { SearchIndex } from '../search/index/layout.ts'
import type { QueryWord } from '../search/index/query-word.ts'

export interface FoundPerson {
  readonly memberId: number
  /** 1 to 100: how much of the question the profile matches, and how well. */
  readonly score: number
}

interface ProfileQuestion {
  readonly text: string
  readonly limit: number
  readonly now: number
}

/** Best first. Never yields, because searches share their working memory. */
export function searchProfiles(
  index: SearchIndex,
  { text, limit, now }: ProfileQuestion,
): FoundPerson[] {
  const typed = withoutFieldLabels(text)
  const plain = analyzeQuery(typed)
  if (plain.length === 0) return []
  const search = (words: readonly QueryWord[], filters: IndexFilters = {}) =>
    withoutUnknownWords(index, { words, filters, limit })
  const question = readQuestion(index, typed, now)
  if (!question || question.words.length === 0) return search(plain)
  if (question.mayBeName) {
    const named = foundBy(index, { words: plain, filters: {}, limit })
    if (named.length > 0) return named
  }
  const { excluded, notCompany } = question.filters
  const filters = { ...(excluded && { excluded }), ...(notCompany && { notCompany }) }
  const found = withoutRelated(search(question.words.map(asRequired), filters))
  if (found.length > 0 || excluded) return found
  // A question names places and subjects: the D of D'Angelo is not Dubai.
  return search(withoutInitials(plain))
}

/** In a network, all lawyers in Berlin may help with climate; in public, only those who say so are an answer. */
function asRequired(word: QueryWord): QueryWord {
  return word.isOptional && !STOP_WORDS.has(word.text) ? { ...word, isOptional: false } : word
}

/**
 * Related subjects count half, at most .78 of the score in a heavier field: they are an answer only if no one has the
 * subject itself.
 */
const MIN_SHARE_OF_BEST = 0.8

function withoutRelated(found: readonly FoundPerson[]): FoundPerson[] {
  const least = MIN_SHARE_OF_BEST * (found[0]?.score ?? 0)
  return found.filter(({ score }) => score >= least)
}

interface WordSearch {
  readonly words: readonly QueryWord[]
  readonly filters: IndexFilters
  readonly limit: number
}

/** If no one matches, the words that no profile has are left out, if they are fewer than the others. */
function withoutUnknownWords(index: SearchIndex, search: WordSearch): FoundPerson[] {
  const found = foundBy(index, search)
  if (found.length > 0) return found
  const required = search.words.filter(({ isOptional }) => !isOptional)
  const known = required.filter((word) => isKnownWord(index, word))
  const share = known.length / required.length
  if (share <= MIN_KNOWN_SHARE || share === 1) return []
  return foundBy(index, { ...search, words: known }).map(({ memberId, score }) => ({
    memberId,
    score: Math.ceil(score * share),
  }))
}

const MIN_KNOWN_SHARE = 1 / 2

function foundBy(index: SearchIndex, query: WordSearch): FoundPerson[] {
  const { hits, maxScore } = searchIndex(index, query, SCRATCH)
  return hits.map(({ connectionId, score }) => ({
    memberId: memberIdOf(connectionId),
    score: percentOf(score, maxScore),
  }))
}

/**
 * A name that matches exactly scores 100, and words in other fields score less by their weights, which are far apart. The
 * square root brings them near to the scores of the documentation: all words of a question, in a title and a location,
 * score about 75. The order stays the same.
 */
function percentOf(score: number, maxScore: number): number {
  return Math.max(1, Math.round(100 * Math.sqrt(Math.min(1, score / maxScore))))
}
