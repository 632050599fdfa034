/** Puts people with the same words of a query together: those who have the most words first. */

import { isConnecting } from '../../search/index/snippet.ts'
import type { IndexHit } from '../../search/scoring/best-hits.ts'
import type { Ranking } from './rank.ts'

type Grouping = Pick<Ranking, 'asked' | 'guessesOf'>

/** The hits with complete ones first, then group after group. Within a group they keep their order. */
export function inGroups(
  hits: readonly IndexHit[],
  { asked: { words }, guessesOf }: Grouping,
): readonly IndexHit[] {
  const required = words.reduce(
    (mask, word, at) => (word.isOptional || isConnecting(word, words) ? mask : mask | (1 << at)),
    0,
  )
  const groupOf = (hit: IndexHit) => {
    const having = hit.having & required
    // Those with some of the words have these as their key, all others by what they have instead.
    if (having !== 0 && having !== required) return String(having)
    return guessesOf(hit).reduce(
      (key, { word, guess, found = '' }) => `${key} ${guess} ${word.text} ${found}`,
      String(having),
    )
  }
  const complete = hits.filter(({ isComplete }) => isComplete)
  const weaker = Map.groupBy(
    hits.filter(({ isComplete }) => !isComplete),
    groupOf,
  )
  const groups = [...weaker.values()].map((group) => ({
    group,
    count: bitCount((group[0]?.having ?? 0) & required),
  }))
  const sorted = groups.toSorted((one, other) => other.count - one.count)
  return [...complete, ...sorted.flatMap(({ group }) => group)]
}

function bitCount(mask: number): number {
  return mask.toString(2).replaceAll('0', '').length
}
