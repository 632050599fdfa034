/** Parses dates as people and models write them, if they are unambiguous. `03/04/2026` is rejected. */

import { t } from '../languages/message.ts'
import { normalForm } from './normal-form.ts'
import { dayInZone, dayOf, daysLater, isDay, monthsLater, startOfDay } from './calendar-day.ts'
import { readDays, readPeriod, type MeantDay } from './date-period.ts'
import { writtenCount, dateWords, MONTHS, WEEKDAYS } from './date-words.ts'

type DateReading =
  | { readonly ok: true; readonly day: string }
  /** Continues a sentence that starts with the argument's name. */
  | { readonly ok: false; readonly problem: string }

/** When the text was written. Relative dates count from it. */
export interface DateContext {
  /** IANA. */
  readonly timeZone: string
  readonly now: number
}

/**
 * Reads a date as people write it in English or German, also relative to now: `5 Mar 2027`, `next Friday`. Days without
 * a year and periods such as `last week` are dates only with `meant`.
 */
export function readDateText(text: string, context: DateContext, meant?: MeantDay): DateReading {
  const plain = dateWords(normalForm(text, 'NFKC'))
  for (const read of READERS) {
    const reading = read(plain, context, meant)
    if (reading !== undefined) return typeof reading === 'string' ? existing(reading) : reading
  }
  const period = readPeriod(plain, today(context), meant)
  if (period) return 'day' in period ? existing(period.day) : rejected(period.problem)
  return rejected(t('is not a date in a known format, in English or German words'))
}

/** Reads a date, or a period as `2026-11-23/2026-11-29` (ISO 8601): `next week`, `this weekend`, `next 3 days`. */
export function readDaysText(text: string, context: DateContext): DateReading {
  const period = readDays(dateWords(normalForm(text, 'NFKC')), today(context))
  if (period === undefined) return readDateText(text, context, 'next')
  for (const day of [period.from, period.to]) if (!isDay(day)) return existing(day)
  if (period.from > period.to) return rejected(t('ends before it begins'))
  return { ok: true, day: `${period.from}/${period.to}` }
}

/** Reads `--03-05` and `5 March` as `--03-05`; undefined for other text. */
export function readYearlessDate(text: string, context: DateContext): string | undefined {
  const full = text.startsWith('--') ? `${LEAP_YEAR}${text.slice(1)}` : `${text} ${LEAP_YEAR}`
  const reading = readDateText(full, context)
  return reading.ok ? `-${reading.day.slice(4)}` : undefined
}

/** A leap year, so that 29 February is valid. */
const LEAP_YEAR = 2000

/** A date (which may not exist), a problem, or undefined for another form. */
type Reader = (
  text: string,
  context: DateContext,
  meant: MeantDay | undefined,
) => string | DateReading | undefined

const READERS: readonly Reader[] = [
  readIsoDate,
  readTimestamp,
  readNamedMonth,
  readNumericDate,
  readNamedDay,
  readDistance,
  readWeekday,
]

function existing(day: string): DateReading {
  return isDay(day)
    ? { ok: true, day }
    : rejected(t('is a date that does not exist: {day}', { day }))
}

function rejected(problem: string): DateReading {
  return { ok: false, problem }
}

function ambiguous(one: string, other: string): DateReading {
  return rejected(t('can mean {one} or {other}', { one, other }))
}

/** The month is second. */
function readIsoDate(text: string): string | undefined {
  const parts =
    /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? /^(\d{4})()(\d{2})(\d{2})$/.exec(text)
  return parts ? dayOf(Number(parts[1]), Number(parts[3]), Number(parts[4])) : undefined
}

/** Drops the time if the date is the same in the writer's time zone. Midnight is the date itself. */
function readTimestamp(text: string, { timeZone }: DateContext): string | DateReading | undefined {
  const parts = TIMESTAMP.exec(text)
  if (!parts) return undefined
  const [, day = '', time = '', zone] = parts
  if (!isDay(day)) return day
  if (zone === undefined || /^00:00(:00(\.0+)?)?$/.test(time)) return day
  const instant = Date.parse(text.replace(' ', 't').toUpperCase())
  if (Number.isNaN(instant)) return rejected(t('has an invalid time'))
  const local = dayInZone(timeZone, instant)
  if (local === day) return day
  return rejected(
    t('is {local} in the time zone {timeZone}; give the date without a time', { local, timeZone }),
  )
}

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(z|[+-]\d{2}:?\d{2})?$/

/** `5 march 2026`, `march 5 2026`, `thu 5 mar 2026`, `5 march`. */
function readNamedMonth(
  text: string,
  context: DateContext,
  meant: MeantDay | undefined,
): string | DateReading | undefined {
  const words = text.replace(/\./g, '').split(' ')
  const weekday = WEEKDAYS.get(words[0] ?? '')
  const parts = weekday === undefined ? words : words.slice(1)
  const named = parts.slice(0, 2).findIndex((word) => MONTHS.has(word))
  if (named === -1 || parts.length > 3) return undefined
  const [date = '', year] = parts.toSpliced(named, 1)
  if (!/^\d{1,2}$/.test(date)) return undefined
  const month = MONTHS.get(parts[named] ?? '') ?? 0
  if (year === undefined && meant === undefined) return rejected(t('has no year'))
  if (year !== undefined && !/^\d{4}$/.test(year)) return rejected(t('needs a four-digit year'))
  const dayIn = (someYear: number) => dayOf(someYear, month, Number(date))
  const day = year === undefined ? nearest(dayIn, today(context), meant) : dayIn(Number(year))
  if (weekday === undefined || !isDay(day) || weekdayOf(day) === weekday) return day
  return rejected(t('names {day}, which is not on that weekday', { day }))
}

/** Today included. 29 February is up to eight years away. */
function nearest(
  dayIn: (year: number) => string,
  from: string,
  meant: MeantDay | undefined,
): string {
  const present = Number(from.slice(0, 4))
  const step = meant?.startsWith('latest') === true ? -1 : 1
  for (let years = 0; Math.abs(years) <= 8; years += step) {
    const day = dayIn(present + years)
    if (isDay(day) && (step === 1 ? day >= from : day <= from)) return day
  }
  return dayIn(present)
}

/** `25/03/2026`: unambiguous if one number cannot be a month, or both are equal. */
function readNumericDate(text: string): string | DateReading | undefined {
  const parts = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{2}|\d{4})$/.exec(text)
  if (!parts) return undefined
  const [one, other] = [Number(parts[1]), Number(parts[3])]
  if (parts[4]?.length !== 4) return rejected(t('needs a four-digit year'))
  const year = Number(parts[4])
  if (one > 12 || one === other) return dayOf(year, other, one)
  if (other > 12) return dayOf(year, one, other)
  return ambiguous(dayOf(year, other, one), dayOf(year, one, other))
}

function readNamedDay(text: string, context: DateContext): string | undefined {
  const days = NAMED_DAYS.get(text)
  return days === undefined ? undefined : daysLater(today(context), days)
}

const NAMED_DAYS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tomorrow', 1],
  ['day after tomorrow', 2],
  ['yesterday', -1],
  ['day before yesterday', -2],
])

/** `in two weeks`, `3 days from now`, `a month ago`. */
function readDistance(text: string, context: DateContext): string | DateReading | undefined {
  const parts =
    /^(in) (\w+) (day|week|month|year)s?$/.exec(text) ??
    /^()(\w+) (day|week|month|year)s? (ago|from now|from today)$/.exec(text)
  if (!parts) return undefined
  const count = writtenCount(parts[2] ?? '')
  if (count === undefined) return undefined
  const signed = parts[4] === 'ago' ? -count : count
  const from = today(context)
  if (parts[3] === 'day') return daysLater(from, signed)
  if (parts[3] === 'week') return daysLater(from, 7 * signed)
  return monthsLater(from, parts[3] === 'month' ? signed : 12 * signed)
}

/** The first Friday after today, or the last one before. On a Friday, only `next friday` and `last friday` are unambiguous. */
function readWeekday(
  text: string,
  context: DateContext,
  meant: MeantDay | undefined,
): string | DateReading | undefined {
  const parts = /^(?:(this|next|last|coming) )?([a-z]+)$/.exec(text)
  const weekday = WEEKDAYS.get(parts?.[2] ?? '')
  if (!parts || weekday === undefined) return undefined
  const from = today(context)
  const ahead = (weekday - weekdayOf(from) + 7) % 7
  const isAhead = parts[1] === 'next' || parts[1] === 'coming'
  const isPast = !isAhead && meant?.startsWith('latest') === true
  if (parts[1] === 'last') return daysLater(from, ahead === 0 ? -7 : ahead - 7)
  if (ahead > 0) return daysLater(from, isPast ? ahead - 7 : ahead)
  if (isAhead) return daysLater(from, 7)
  return ambiguous(from, daysLater(from, isPast ? -7 : 7))
}

function today({ timeZone, now }: DateContext): string {
  return dayInZone(timeZone, now)
}

/** 0 is Sunday. */
function weekdayOf(day: string): number {
  return new Date(startOfDay(day)).getUTCDay()
}
