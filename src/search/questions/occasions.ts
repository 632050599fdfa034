/** Finds birthdays and anniversaries in a question: "birthdays in May", "upcoming anniversaries". */

import { findRecurringDates, type DateMatch } from './dates.ts'
import { matchPhrase, wordList } from './phrases.ts'
import type { DateFacet } from './question.ts'

interface Occasions {
  readonly dates: readonly DateFacet[]
  /** Indexes of the tokens that say so; empty without dates. */
  readonly taken: readonly number[]
}

/** Undefined if the tokens name none. Without a date, they are left to be searched for as words. */
export function readOccasions(
  tokens: readonly string[],
  todayOf: () => string,
): Occasions | undefined {
  for (const occasion of ['birthday', 'anniversary'] as const) {
    const named = tokens.flatMap((_, at) => {
      const match = matchPhrase(wordList(occasion), tokens, at)
      return match ? range(at, match.length) : []
    })
    if (named.length === 0) continue
    const found = findRecurringDates(tokens, todayOf).filter((date) => !isWholeYear(date))
    if (found.length === 0) return { dates: [], taken: [] }
    const taken = [...named, ...found.flatMap(({ at, length }) => range(at, length))]
    return { dates: found.map((date) => occasionFacet(occasion, date)), taken }
  }
  return undefined
}

/** Years of births are not in the index. */
function isWholeYear({ from, to }: DateMatch): boolean {
  return from.slice(5) === to.slice(5)
}

function occasionFacet(
  about: 'birthday' | 'anniversary',
  { relation, from, to }: DateMatch,
): DateFacet {
  const [start, end] = [from.slice(5), to.slice(5)]
  if (relation === 'since') return { about, from: start, to: FIRST_DAY }
  if (relation === 'after') return { about, from: end, to: FIRST_DAY }
  if (relation === 'before') return { about, from: FIRST_DAY, to: start }
  return { about, from: start, to: end }
}

const FIRST_DAY = '01-01'

function range(at: number, length: number): number[] {
  return Array.from({ length }, (_, index) => at + index)
}
