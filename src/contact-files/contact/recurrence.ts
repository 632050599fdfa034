/** How often a follow-up recurs: its text, such as `weekly` or `every 10 days`, and the dates of its series. */

import {
  daysLater,
  isDay,
  monthsLater,
  monthsSinceZero,
  startOfDay,
} from '../../base/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { MAX_CADENCE } from './limits.ts'

const UNITS = ['day', 'week', 'month', 'year'] as const
export type RecurrenceUnit = (typeof UNITS)[number]

/** As follow-ups are stored and returned. Each interval has one text: `every 3 months` is `quarterly`. */
export type Recurrence =
  | 'none'
  | keyof typeof NAMED
  | `every ${number} ${RecurrenceUnit | `${RecurrenceUnit}s`}`

interface Interval {
  readonly every: number
  readonly unit: RecurrenceUnit
}

const NAMED = {
  daily: { every: 1, unit: 'day' },
  weekly: { every: 1, unit: 'week' },
  monthly: { every: 1, unit: 'month' },
  quarterly: { every: 3, unit: 'month' },
  yearly: { every: 1, unit: 'year' },
} as const satisfies Record<string, Interval>

/** The ones that a form offers without typing. */
export const USUAL_RECURRENCES = ['none', ...Object.keys(NAMED)] as readonly (
  | 'none'
  | keyof typeof NAMED
)[]

/** Once in ten years. */
const MAX_EVERY: Readonly<Record<RecurrenceUnit, number>> = { ...MAX_CADENCE, year: 10 }

/** Undefined if it is too long, or not a whole number of at least 1. */
export function recurrenceOf({ every, unit }: Interval): Recurrence | undefined {
  if (!Number.isInteger(every) || every < 1 || every > MAX_EVERY[unit]) return undefined
  if (unit === 'day' && every % 7 === 0) return recurrenceOf({ every: every / 7, unit: 'week' })
  if (unit === 'month' && every % 12 === 0) return recurrenceOf({ every: every / 12, unit: 'year' })
  const named = Object.entries(NAMED).find(([, one]) => one.every === every && one.unit === unit)
  // Safe: the keys of NAMED.
  return named ? (named[0] as keyof typeof NAMED) : `every ${every} ${unit}s`
}

/** Undefined for `none` and for other text. */
export function intervalOf(recurrence: string): Interval | undefined {
  if (Object.hasOwn(NAMED, recurrence)) return NAMED[recurrence as keyof typeof NAMED]
  const [, every, unit] = /^every (\d{1,4}) (day|week|month|year)s?$/.exec(recurrence) ?? []
  // Safe: matched above.
  return unit === undefined ? undefined : { every: Number(every), unit: unit as RecurrenceUnit }
}

/**
 * The first date after `after` in a series that starts at `from`; undefined when it does not recur, or only after the year
 * 9999. Dates are computed from `from`, not from the previous occurrence, so January 31 is followed by February 28 and then
 * March 31.
 */
export function nextDay(from: string, recurrence: Recurrence, after: string): string | undefined {
  const interval = intervalOf(recurrence)
  const day = interval && nextOf(from, interval, after)
  return day !== undefined && isDay(day) ? day : undefined
}

function nextOf(from: string, { every, unit }: Interval, after: string): string {
  if (unit === 'day' || unit === 'week') {
    const step = unit === 'week' ? every * 7 : every
    const passed = Math.floor((startOfDay(after) - startOfDay(from)) / (step * DAY)) + 1
    return daysLater(from, Math.max(passed, 0) * step)
  }
  const step = unit === 'year' ? every * 12 : every
  const times = Math.max(Math.floor((monthsSinceZero(after) - monthsSinceZero(from)) / step), 0)
  const day = monthsLater(from, times * step)
  return day > after ? day : monthsLater(from, (times + 1) * step)
}
