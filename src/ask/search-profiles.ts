/** Reads a question about public profiles, and finds who matches it in their search index. */

import { searchIndex } from '../search/search-index.ts'
import { scoreWithin } from '../search/scoring/best-hits.ts'
import { readSearchQuery } from '../search/query/read-query.ts'
import { memberIdOf } from './profile-document.ts'
import type { SearchIndex } from '../search/index/segment.ts'

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

/**
 * Best first: those who have every word, or if no one does, more than half of them. Never yields, because searches share
 * their working memory.
 */
export function searchProfiles(
  index: SearchIndex,
  { text, limit, now }: ProfileQuestion,
): FoundPerson[] {
  const { words, filters } = readSearchQuery(index, text, { now })
  if (words.length === 0) return []
  const { excluded } = filters
  const query = { words, limit, ...(excluded && { filters: { excluded } }) }
  const { hits, maxScore } = searchIndex(index, query)
  const required = words.map(({ isOptional }) => !isOptional)
  const known = (mask: number) =>
    required.filter((isRequired, at) => isRequired && (mask & (1 << at)) !== 0).length
  const asked = required.filter(Boolean).length
  const whole = hits.filter(({ having }) => known(having) === asked)
  const found = (
    whole.length > 0 ? whole : hits.filter(({ matched }) => 2 * known(matched) > asked)
  )
    .slice(0, limit)
    .map((hit) => ({
      memberId: memberIdOf(hit.connectionId),
      score: percentOf(scoreWithin(hit), maxScore),
    }))
  return withoutRelated(found)
}

/**
 * People who say a subject otherwise count about half, and related subjects a quarter: these are an answer only if no one
 * has the subject itself.
 */
const MIN_SHARE_OF_BEST = 0.75

function withoutRelated(found: readonly FoundPerson[]): FoundPerson[] {
  const least = MIN_SHARE_OF_BEST * (found[0]?.score ?? 0)
  return found.filter(({ score }) => score >= least)
}

/**
 * A name that matches exactly scores 100, and words in other fields score less by their weights, which are far apart. The
 * square root brings them near to the scores of the documentation: all words of a question, in a title and a location,
 * score about 75. The order stays the same.
 */
function percentOf(score: number, maxScore: number): number {
  return Math.max(1, Math.round(100 * Math.sqrt(Math.min(1, score / maxScore))))
}
