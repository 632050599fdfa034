// How often to keep in touch, as other programs write it: `Every 3 months`, `Quarterly`, `90 days`, `90`.

import type { ImportedCadence } from '../contact/contact.ts'

/** Null for other texts, and for less than once in ten years. */
export function cadenceIn(text: string): ImportedCadence | null {
  const words = text
    .trim()
    .toLowerCase()
    .split(/[\s-]+/, MAX_WORDS + 1)
  if (words.length > MAX_WORDS) return null
  const known = NAMED.get(words.join(' '))
  if (known) return known
  const parts = words[0] === 'every' || words[0] === 'each' ? words.slice(1) : words
  const [first = '', second] = parts
  if (parts.length === 0 || parts.length > 2) return null
  const count = second === undefined ? (/^\d+$/.test(first) ? first : '1') : first
  const every = count === 'other' ? 2 : /^\d{1,4}$/.test(count) ? Number(count) : 0
  const unit = UNITS.get(second ?? (/^\d+$/.test(first) ? 'days' : first))
  if (unit === undefined || every === 0 || every * unit.times > MAX[unit.unit]) return null
  return { every: every * unit.times, unit: unit.unit }
}

const MAX_WORDS = 3

const MAX = { day: 3650, week: 520, month: 120 } as const

interface Unit {
  readonly unit: ImportedCadence['unit']
  readonly times: number
}

const UNITS: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ['day', 'day', 1],
      ['week', 'week', 1],
      ['month', 'month', 1],
      ['quarter', 'month', 3],
      ['year', 'month', 12],
    ] as const
  ).flatMap(([name, unit, times]) => [
    [name, { unit, times }] as const,
    [`${name}s`, { unit, times }] as const,
  ]),
)

const NAMED: ReadonlyMap<string, ImportedCadence> = new Map([
  ['daily', { every: 1, unit: 'day' }],
  ['weekly', { every: 1, unit: 'week' }],
  ['biweekly', { every: 2, unit: 'week' }],
  ['monthly', { every: 1, unit: 'month' }],
  ['bimonthly', { every: 2, unit: 'month' }],
  ['quarterly', { every: 3, unit: 'month' }],
  ['twice a year', { every: 6, unit: 'month' }],
  ['biannually', { every: 6, unit: 'month' }],
  ['yearly', { every: 12, unit: 'month' }],
  ['annually', { every: 12, unit: 'month' }],
])
