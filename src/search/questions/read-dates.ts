/** The dates of a question, and what they are about. */

import { readOccasions } from './occasions.ts'
import { findDates, type DateMatch } from './dates.ts'
import { maskTaken, startsPhrase, take, type QuestionReading } from './reading.ts'
import type { WordList } from './phrases.ts'
import type { DateFacet } from './question.ts'

/** Takes the tokens of each date. */
export function readDates(reading: QuestionReading): void {
  if (readOccasionDates(reading)) return
  for (const date of findDates(maskTaken(reading), reading.today)) {
    // A month or season is also a name: "April in summer 2024" has one date, "April Summer" none.
    take(reading, date.at, date.length)
    reading.isQuestion = true
    reading.dates.push(dateFacetOf(reading, date))
  }
  const isOpen =
    reading.isSilence && !reading.dates.some(({ about }) => about === 'last-interaction')
  if (isOpen) reading.dates.push({ about: 'last-interaction', to: aYearBefore(reading.today()) })
}

/** Whether the dates of the question are those of birthdays or anniversaries, even if there are none. */
function readOccasionDates(reading: QuestionReading): boolean {
  const found = readOccasions(maskTaken(reading), reading.today)
  if (!found) return false
  if (found.dates.length > 0) reading.isQuestion = true
  reading.dates.push(...found.dates)
  for (const at of found.taken) reading.taken[at] = true
  return true
}

function dateFacetOf(reading: QuestionReading, { relation, from, to }: DateMatch): DateFacet {
  if (reading.isSilence) {
    // "since March" and "this year" both say that there was nothing from then on.
    return { about: 'last-interaction', to: relation === 'after' ? to : from }
  }
  const about = aboutOf(reading)
  if (relation === 'since') return { about, from }
  if (relation === 'after') return { about, from: to }
  return relation === 'before' ? { about, to: from } : { about, from, to }
}

function aboutOf(reading: QuestionReading): DateFacet['about'] {
  if (hasPhrase(reading, 'connected')) return 'connected'
  return hasPhrase(reading, 'met') ? 'met' : 'interaction'
}

function hasPhrase({ words }: QuestionReading, list: WordList): boolean {
  return words.some((_, at) => startsPhrase(list, words, at))
}

function aYearBefore(today: string): string {
  const [year = '', month = '', date = ''] = today.split('-')
  const day = month === '02' && date === '29' ? '28' : date
  return `${String(Number(year) - 1).padStart(4, '0')}-${month}-${day}`
}
