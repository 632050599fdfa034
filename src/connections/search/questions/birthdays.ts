/** Finds birthdays in a question: "birthdays in May", "upcoming birthdays". */

import { findRecurringDates, type DateMatch } from './dates.ts'
import { matchPhrase, wordList } from './phrases.ts'
import type { DateFacet } from './question.ts'

interface Birthdays {
  readonly dates: readonly DateFacet[]
  /** Indexes of the tokens that say so; empty without dates. */
  readonly taken: readonly number[]
}

/** Undefined if the tokens name no birthday. Birthdays without a date are left to be searched for as words. */
export function readBirthdays(
  tokens: readonly string[],
  todayOf: () => string,
): Birthdays | undefined {
  const named = tokens.flatMap((_, at) => {
    const match = matchPhrase(wordList('birthday'), tokens, at)
    return match ? range(at, match.length) : []
  })
  if (named.length === 0) return undefined
  const found = findRecurringDates(tokens, todayOf).filter((date) => !isWholeYear(date))
  if (found.length === 0) return { dates: [], taken: [] }
  const taken = [...named, ...found.flatMap(({ at, length }) => range(at, length))]
  return { dates: found.map(birthdayFacet), taken }
}

/** The year of a birth is not in the index. */
function isWholeYear({ from, to }: DateMatch): boolean {
  return from.slice(5) === to.slice(5)
}

function birthdayFacet({ relation, from, to }: DateMatch): DateFacet {
  const about = 'birthday'
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
