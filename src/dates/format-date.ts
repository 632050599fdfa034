/** Writes dates with the day first and, in English, months of three letters. */

import { currentLocale, perLanguage } from '../languages/language.ts'
import { phrase, t } from '../languages/message.ts'
import { dayCount } from './calendar-day.ts'

export interface DateFormatter {
  format(at: number): string
}

/** As `5 Sep 2021`. British English, which has the day first, abbreviates September as "Sept". */
export function dateFormatter(options: Intl.DateTimeFormatOptions): DateFormatter {
  const format = new Intl.DateTimeFormat(currentLocale(), options)
  return { format: (at) => format.format(at).replace(/\bSept\b/, 'Sep') }
}

/**
 * A date of which the day, the month or the year may be unknown, as `14 Mar 2019`, `Mar 2019`, `2019` or `14 Mar`. Other
 * text stays as it is.
 */
export function dateText(date: string): string {
  const known = /^(\d{4}|-)-(\d\d)(?:-(\d\d))?$/.exec(date)
  if (!known) return date
  const [, year = '', month = '', day] = known
  // A leap year, so that February 29 exists.
  const time = Date.parse(`${year === '-' ? '2000' : year}-${month}-${day ?? '01'}`)
  if (Number.isNaN(time)) return date
  if (year === '-') return day === undefined ? date : DAY_AND_MONTH().format(time)
  return (day === undefined ? MONTH() : DATE()).format(time)
}

/** As `Mon 23 Nov 2026`. */
export function weekdayDateText(day: string): string {
  return WEEKDAY_DATE().format(Date.parse(day)).replace(',', '')
}

/** As `Mon 23 Nov`, with another year than today's. */
export function shortDateText(day: string, today: string): string {
  if (day.slice(0, 4) !== today.slice(0, 4)) return weekdayDateText(day)
  return WEEKDAY_AND_DAY().format(Date.parse(day)).replace(',', '')
}

/** How long ago or ahead a day is, as `yesterday`, `5 weeks ago` or `in 3 months`. Both are YYYY-MM-DD. */
export function relativeDayText(day: string, today: string): string {
  const days = dayCount(day) - dayCount(today)
  const [size, unit] = SPANS.find(([, , below]) => Math.abs(days) < below) ?? YEARS
  return RELATIVE().format(Math.round(days / size), unit)
}

/** As `tomorrow` or `in 5 days`; after a week, the date. */
export function nearDayText(day: string, today: string): string {
  const isNear = Math.abs(dayCount(day) - dayCount(today)) <= 7
  if (isNear) return relativeDayText(day, today)
  const isSameYear = day.slice(0, 4) === today.slice(0, 4)
  return (isSameYear ? DAY_AND_MONTH() : DATE()).format(Date.parse(day))
}

/** Days of a unit, and the number of days from which the next one is used. */
const SPANS = [
  [1, 'day', 14],
  [7, 'week', 60],
  [30.4, 'month', 730],
] as const
const YEARS = [365.25, 'year'] as const

const RELATIVE = perLanguage((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

function formatter(options: Intl.DateTimeFormatOptions): () => DateFormatter {
  return perLanguage(() => dateFormatter({ ...options, timeZone: 'UTC' }))
}

const DAY_AND_MONTH = formatter({ day: 'numeric', month: 'short' })
const MONTH = formatter({ month: 'short', year: 'numeric' })
const DATE = formatter({ day: 'numeric', month: 'short', year: 'numeric' })
const WEEKDAY_AND_DAY = formatter({ weekday: 'short', day: 'numeric', month: 'short' })
const WEEKDAY_DATE = formatter({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** 0 is Sunday. */
export function weekdayName(weekday: number): string {
  return t(WEEKDAYS[weekday] ?? '')
}

const WEEKDAYS = [
  phrase('Sunday'),
  phrase('Monday'),
  phrase('Tuesday'),
  phrase('Wednesday'),
  phrase('Thursday'),
  phrase('Friday'),
  phrase('Saturday'),
] as const
