// How often to keep in touch, as other programs write it: `Every 3 months`, `Quarterly`, `90 days`, `90`, `alle 2 Wochen`.

import { MAX_CADENCE } from '../contact/limits.ts'

interface ReadCadence {
  readonly every: number
  readonly unit: keyof typeof MAX_CADENCE
}

/** Null for other texts, and for less than once in ten years. */
export function cadenceFromText(text: string): ReadCadence | null {
  const words = text
    .trim()
    .toLowerCase()
    .split(/[\s_-]+/, MAX_WORDS + 1)
  if (words.length > MAX_WORDS) return null
  const known = NAMED.get(words.join(' '))
  if (known) return known
  const parts = EVERY.has(words[0] ?? '') ? words.slice(1) : words
  const [first = '', second] = parts
  if (parts.length === 0 || parts.length > 2) return null
  const count = second === undefined ? (/^\d+$/.test(first) ? first : '1') : first
  const every = OTHER.has(count) ? 2 : countOf(count)
  const unit = UNITS.get(second ?? (/^\d+$/.test(first) ? 'days' : first))
  if (unit === undefined || every === 0 || every * unit.times > MAX_CADENCE[unit.unit]) return null
  return { every: every * unit.times, unit: unit.unit }
}

const MAX_WORDS = 3

/** Zero if it is none. */
function countOf(word: string): number {
  if (/^\d{1,4}$/.test(word)) return Number(word)
  return Math.max(COUNTS.en.indexOf(word), COUNTS.de.indexOf(word)) + 1
}

const COUNTS = {
  en: 'one two three four five six seven eight nine ten eleven twelve'.split(' '),
  de: 'einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' '),
}

const EVERY: ReadonlySet<string> = new Set(['every', 'each', 'alle', 'jeden', 'jede', 'jedes'])
const OTHER: ReadonlySet<string> = new Set(['other', 'second', 'zweiten', 'zweite'])

interface Unit {
  readonly unit: ReadCadence['unit']
  readonly times: number
}

const UNITS: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ['day days tag tage tagen', 'day', 1],
      ['week weeks woche wochen', 'week', 1],
      ['month months monat monate monaten', 'month', 1],
      ['quarter quarters quartal quartale', 'month', 3],
      ['year years jahr jahre jahren', 'month', 12],
    ] as const
  ).flatMap(([names, unit, times]) => names.split(' ').map((name) => [name, { unit, times }])),
)

const NAMED: ReadonlyMap<string, ReadCadence> = new Map(
  (
    [
      ['daily|täglich', 1, 'day'],
      ['weekly|wöchentlich', 1, 'week'],
      ['biweekly|bi weekly|fortnightly|zweiwöchentlich|14 tägig', 2, 'week'],
      ['monthly|monatlich', 1, 'month'],
      ['bimonthly', 2, 'month'],
      ['quarterly|vierteljährlich|quartalsweise', 3, 'month'],
      ['twice a year|biannually|semiannually|half yearly|halbjährlich', 6, 'month'],
      ['yearly|annually|once a year|jährlich', 12, 'month'],
    ] as const
  ).flatMap(([names, every, unit]) => names.split('|').map((name) => [name, { every, unit }])),
)
