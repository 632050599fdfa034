/** The words of dates. German ones are read as English ones, so that one grammar reads both. */

import { readDataMeanings } from './data-file.ts'
import { lazy } from './lazy.ts'

/** Lowercases, and removes commas, ordinal endings, the dots of abbreviations, articles and spaces. */
export function dateWords(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(',', ' ')
    .replace(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, '$1')
    .replace(/\b(\d{1,2})\.(?= *\p{L})/gu, '$1 ')
    .replace(/(?<=\p{L}{3})\.(?=\s|$)/gu, '')
  const words = plain.split(/\s+/).flatMap((word) => english().get(word) ?? word)
  const said = words.filter((word) => word !== '' && !LEFT_OUT.has(word)).join(' ')
  return said.startsWith('vor ') ? `${said.slice('vor '.length)} ago` : said
}

const LEFT_OUT: ReadonlySet<string> = new Set(
  'on the of by am im zum der die das dem den des'.split(' '),
)

/** By the German word. */
const english = lazy(() => readDataMeanings(new URL('data/date-words.txt', import.meta.url)))

/** Of four letters. */
const ABBREVIATED: ReadonlySet<string> = new Set(['sept', 'tues', 'thur'])

/** 1 is January. */
export const MONTHS = named(
  'january february march april may june july august september october november december',
  1,
)

/** 0 is Sunday. */
export const WEEKDAYS = named('sunday monday tuesday wednesday thursday friday saturday', 0)

/** Numbers of names and their abbreviations. */
function named(names: string, first: number): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  for (const [index, name] of names.split(' ').entries()) {
    const short = [3, 4].filter((length) => length === 3 || ABBREVIATED.has(name.slice(0, length)))
    for (const text of [name, ...short.map((length) => name.slice(0, length))])
      numbers.set(text, index + first)
  }
  return numbers
}

/** A number of up to three digits, or a word up to twelve. */
export function writtenCount(word: string): number | undefined {
  if (/^\d{1,3}$/.test(word)) return Number(word)
  if (word === 'a' || word === 'an') return 1
  const count = COUNTS.indexOf(word)
  return count === -1 ? undefined : count
}

const COUNTS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
