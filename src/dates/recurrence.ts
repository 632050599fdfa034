/** How often a follow-up recurs: its text, such as `weekly` or `last Friday of every month`, and the dates of its series. */

import { DAY } from '../base/clock.ts'
import { MAX_CADENCE } from '../base/limits.ts'
import {
  dayOf,
  daysInMonth,
  daysLater,
  isDay,
  monthsLater,
  monthsSinceZero,
  startOfDay,
  weekdayOf,
} from './calendar-day.ts'

const UNITS = ['day', 'week', 'month', 'year'] as const
export type RecurrenceUnit = (typeof UNITS)[number]

/** As follow-ups are stored and returned. Each interval has one text: `every 3 months` is `quarterly`. */
export type Recurrence =
  | 'none'
  | keyof typeof NAMED
  | `every ${string}`
  | `${(typeof ORDINALS)[number]} ${string} of every ${string}`

export interface Interval {
  readonly every: number
  readonly unit: RecurrenceUnit
  /** The day of the week, if the unit is a week or a month. 0 is Sunday. */
  readonly weekday?: number
  /** In a month: the first to the fourth of these weekdays, or the last for 5. */
  readonly ordinal?: number
}

/** The intervals with a name of their own. */
const NAMED = {
  daily: { every: 1, unit: 'day' },
  weekly: { every: 1, unit: 'week' },
  monthly: { every: 1, unit: 'month' },
  quarterly: { every: 3, unit: 'month' },
  yearly: { every: 1, unit: 'year' },
} as const satisfies Record<string, Interval>

/** The ones that a form offers without typing. */
export const USUAL_RECURRENCES: readonly Recurrence[] = [
  'none',
  ...(Object.keys(NAMED) as (keyof typeof NAMED)[]),
  'every Friday',
  'first Monday of every month',
]

const ORDINALS = ['first', 'second', 'third', 'fourth', 'last'] as const
export const LAST = 5

const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

const MAX_EVERY: Readonly<Record<RecurrenceUnit, number>> = { ...MAX_CADENCE, year: 10 }

/** Undefined if it is too long, not a whole number of at least 1, or has a weekday that its unit cannot have. */
export function recurrenceOf(interval: Interval): Recurrence | undefined {
  const { every, unit, weekday, ordinal } = interval
  if (!Number.isInteger(every) || every < 1 || every > MAX_EVERY[unit]) return undefined
  if (weekday !== undefined) return weekdayRecurrence(interval, WEEKDAYS[weekday], ordinal)
  if (ordinal !== undefined) return undefined
  if (unit === 'day' && every % 7 === 0) return recurrenceOf({ every: every / 7, unit: 'week' })
  if (unit === 'month' && every % 12 === 0) return recurrenceOf({ every: every / 12, unit: 'year' })
  const named = Object.entries(NAMED).find(([, one]) => one.every === every && one.unit === unit)
  // Safe: the keys of NAMED.
  return named ? (named[0] as keyof typeof NAMED) : `every ${every} ${unit}s`
}

function weekdayRecurrence(
  { every, unit }: Interval,
  day: string | undefined,
  ordinal: number | undefined,
): Recurrence | undefined {
  if (day === undefined) return undefined
  if (ordinal === undefined)
    return unit !== 'week'
      ? undefined
      : every === 1
        ? `every ${day}`
        : `every ${every} weeks on ${day}`
  const name = ORDINALS[ordinal - 1]
  if (unit !== 'month' || name === undefined) return undefined
  return `${name} ${day} of every ${every === 1 ? 'month' : `${every} months`}`
}

/** Undefined for `none` and for other text. */
export function intervalOf(recurrence: string): Interval | undefined {
  if (Object.hasOwn(NAMED, recurrence)) return NAMED[recurrence as keyof typeof NAMED]
  const [, name, day, months] =
    /^(\w{1,9}) (\w{1,9}) of every (month|\d{1,3} months)$/.exec(recurrence) ?? []
  const ordinal = ORDINALS.findIndex((one) => one === name) + 1
  if (months !== undefined)
    return ordinal === 0
      ? undefined
      : onWeekday(Number.parseInt(months, 10) || 1, 'month', day, ordinal)
  const [, weeks, weekday] = /^every (?:(\d{1,3}) weeks on )?([A-Z]\w{1,8})$/.exec(recurrence) ?? []
  if (weekday !== undefined) return onWeekday(Number(weeks ?? 1), 'week', weekday)
  const [, every, unit] = /^every (\d{1,4}) (day|week|month|year)s?$/.exec(recurrence) ?? []
  // Safe: matched above.
  return unit === undefined ? undefined : { every: Number(every), unit: unit as RecurrenceUnit }
}

function onWeekday(
  every: number,
  unit: RecurrenceUnit,
  name: string | undefined,
  ordinal?: number,
): Interval | undefined {
  const weekday = WEEKDAYS.findIndex((one) => one === name)
  if (weekday === -1) return undefined
  return { every, unit, weekday, ...(ordinal !== undefined && { ordinal }) }
}

/** The first date of a series on or after a date, which is the date itself unless the series names a weekday. */
export function firstDay(from: string, recurrence: Recurrence): string {
  const interval = intervalOf(recurrence)
  return interval ? firstOf(from, interval) : from
}

/**
 * The first date after `after` in a series that starts at `from`; undefined when it does not recur, or only after the year
 * 9999. Dates are computed from `from`, not from the previous occurrence, so January 31 is followed by February 28 and then
 * March 31.
 */
export function nextDay(from: string, recurrence: Recurrence, after: string): string | undefined {
  const interval = intervalOf(recurrence)
  if (!interval) return undefined
  const first = firstOf(from, interval)
  const day = first > after ? first : nextOf(first, interval, after)
  return isDay(day) ? day : undefined
}

function firstOf(from: string, { weekday, ordinal }: Interval): string {
  if (weekday === undefined) return from
  if (ordinal === undefined) return daysLater(from, (weekday - weekdayOf(from) + 7) % 7)
  const day = weekdayInMonth(from, weekday, ordinal)
  return day >= from
    ? day
    : weekdayInMonth(monthsLater(`${from.slice(0, 7)}-01`, 1), weekday, ordinal)
}

/** The nth of these weekdays in the month of a date. */
function weekdayInMonth(day: string, weekday: number, ordinal: number): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const first = 1 + ((weekday - weekdayOf(dayOf(year, month, 1)) + 7) % 7)
  const nth = first + 7 * (ordinal - 1)
  return dayOf(year, month, nth > daysInMonth(year, month) ? nth - 7 : nth)
}

/** `from` is a date of the series that is not after `after`. */
function nextOf(from: string, { every, unit, weekday, ordinal }: Interval, after: string): string {
  if (unit === 'day' || unit === 'week') {
    const step = unit === 'week' ? every * 7 : every
    const passed = Math.floor((startOfDay(after) - startOfDay(from)) / (step * DAY)) + 1
    return daysLater(from, passed * step)
  }
  const step = unit === 'year' ? every * 12 : every
  const times = Math.floor((monthsSinceZero(after) - monthsSinceZero(from)) / step)
  const dayIn = (time: number) =>
    weekday === undefined || ordinal === undefined
      ? monthsLater(from, time * step)
      : weekdayInMonth(monthsLater(`${from.slice(0, 7)}-01`, time * step), weekday, ordinal)
  const day = dayIn(times)
  return day > after ? day : dayIn(times + 1)
}

/**
 * The rule of a series that starts at `from` (RFC 5545 section 3.3.10); undefined when it does not recur. A rule for a day
 * that a month lacks would skip the month, so it names the last of the days that there are.
 */
export function recurrenceRule(from: string, recurrence: Recurrence): string | undefined {
  const interval = intervalOf(recurrence)
  if (!interval) return undefined
  const { every, unit } = interval
  const parts = [`FREQ=${FREQUENCIES[unit]}`, ...(every === 1 ? [] : [`INTERVAL=${every}`])]
  return [...parts, ...daysOfRule(from, interval)].join(';')
}

const FREQUENCIES = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const

function daysOfRule(from: string, { every, unit, weekday, ordinal }: Interval): string[] {
  if (weekday !== undefined) {
    const name = WEEKDAYS[weekday]?.slice(0, 2).toUpperCase() ?? ''
    return [`BYDAY=${ordinal === undefined ? '' : ordinal === LAST ? -1 : ordinal}${name}`]
  }
  const day = Number(from.slice(8))
  if (unit === 'year') return from.endsWith('-02-29') ? ['BYMONTH=2', 'BYMONTHDAY=-1'] : []
  if (unit !== 'month' || day <= 28) return []
  if (day === 31) return ['BYMONTHDAY=-1']
  if (!hasFebruary(from, every)) return [`BYMONTHDAY=${day}`]
  // Not every app reads BYSETPOS with days of the month.
  return [`BYMONTHDAY=${day === 29 ? '28,29' : '28,29,30'}`, 'BYSETPOS=-1']
}

/** Whether a series of months has a February. */
function hasFebruary(from: string, every: number): boolean {
  const month = monthsSinceZero(from)
  return Array.from({ length: 12 }, (_, time) => (month + time * every) % 12).includes(1)
}
