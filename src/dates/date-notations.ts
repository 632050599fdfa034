// Parses dates in the notations of export formats and several languages.

import { withSettledMonths, type MonthLanguage } from './contested-months.ts'
import { monthNamed, withoutWeekday, withUsualNumbers } from './month-names.ts'

/** YYYY-MM-DD, or --MM-DD when the year is unknown; null when the text is not a date. */
export function birthdayIn(text: string, notation: DateNotation = USUAL): string | null {
  const date = dateIn(text, notation) ?? dayOfYear(text, notation.order)
  if (date === null) return null
  const monthAndDay = `${two(date.month)}-${two(date.day)}`
  return date.year === null ? `--${monthAndDay}` : `${date.year}-${monthAndDay}`
}

/** YYYY-MM-DD; null when the text is not a full date. */
export function dayIn(text: string, notation: DateNotation = USUAL): string | null {
  const date = dateIn(text, notation)
  if (date === null || date.year === null) return null
  return `${date.year}-${two(date.month)}-${two(date.day)}`
}

/** A `PartialDate`: a whole date, one without a year, a month or a year; null for any other text. */
export function partialDateIn(text: string, notation: DateNotation = USUAL): string | null {
  return (
    birthdayIn(text, notation) ?? monthOrYearIn(withSettledMonths(text.trim(), notation.months))
  )
}

/** True if the text is a date in any known notation. */
export function isDate(text: string): boolean {
  return dateIn(text, { ...USUAL, months: 'croatian' }) !== null
}

/** How the dates of a column are written. */
export interface DateNotation {
  readonly order: DateOrder
  /** What decides about the months that have one name in several languages; undefined if it is not known. */
  readonly months?: MonthLanguage | undefined
}

const USUAL: DateNotation = { order: 'month-first' }

/** How to read 3/4/2020: English Outlook writes the month first, German and French Outlook the day. */
type DateOrder = 'month-first' | 'day-first'

interface CalendarDate {
  readonly year: number | null
  readonly month: number
  readonly day: number
}

function dateIn(text: string, { order, months }: DateNotation): CalendarDate | null {
  const whole = text.trim().replace(/^@/, '') // Notion marks dates so
  if (whole === '' || whole.length > MAX_DATE_LENGTH) return null
  const written = withSettledMonths(whole, months)
  const isThai = /\p{Script=Thai}/u.test(written)
  const found = isThai ? null : plainDateIn(written, order)
  if (found !== null || !UNUSUAL.test(written)) return found
  const usual = withUsualNumbers(withoutWeekday(written))
  return usual === written && !isThai ? null : plainDateIn(usual, order)
}

/** Whether a text may have a weekday, other digits, a Roman numeral or an era. */
const UNUSUAL = /^\p{L}{2,}|\P{ASCII}|[IVX][./ -]/u

function plainDateIn(text: string, order: DateOrder): CalendarDate | null {
  return (
    dayMonthYear(text) ??
    yearFirst(text) ??
    withoutYear(text) ??
    separated(text, order) ??
    monthDayYear(text) ??
    dayAndMonth(text)
  )
}

/** Mar 2024 · März 2024 · 2024-03 · 03/2024 · 2024年3月 · 2024 */
function monthOrYearIn(text: string): string | null {
  if (/^[12]\d{3}年?$/.test(text)) return text.slice(0, 4)
  const named = /^(\p{L}{3,12})\.?(?: de)? ([12]\d{3})$/iu.exec(text)
  const byYear = /^([12]\d{3})(?:[-/.]|年 ?|년 ?)(\d{1,2})[월月.]?$/.exec(text)
  const byMonth = /^(\d{1,2})[/.]([12]\d{3})$/.exec(text)
  const [year, month] =
    named === null
      ? [byYear?.[1] ?? byMonth?.[2], Number(byYear?.[2] ?? byMonth?.[1] ?? 0)]
      : [named[2], monthNamed(named[1])]
  return year === undefined || month < 1 || month > 12 ? null : `${year}-${two(month)}`
}

const MAX_DATE_LENGTH = 60 // characters: enough for a date with time and zone

/** 12 Mar 2024 · 7-Feb-22 · 3. März 2021 · 1er août 2020 · 5 de mayo de 2019 · 9 марта 2020 г. */
function dayMonthYear(text: string): CalendarDate | null {
  const found =
    /^(\d{1,2})(?:er|st|nd|rd|th|\.|º|-е)?[ -](?:de |of )?([\p{L}\p{M}]{3,14})\.?,?[ -](?:de )?(\d{4}|\d{2})\.?(?: ?г\.?| ?р\.?)?(?:,? \d{1,2}:.*)?$/iu.exec(
      text,
    )
  return found === null ? null : dateOf(found[3], monthNamed(found[2]), Number(found[1]))
}

/** Mar 12, 2024 · March 12 2024 */
function monthDayYear(text: string): CalendarDate | null {
  const found =
    /^([\p{L}\p{M}]{3,14})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:,? \d{1,2}:.*)?$/iu.exec(text)
  return found === null ? null : dateOf(found[3], monthNamed(found[1]), Number(found[2]))
}

/** 2024-03-12 · 20240312 · 2024/3/12 · 2024年3月12日, with or without a time (RFC 6350 section 4.3) */
function yearFirst(text: string): CalendarDate | null {
  const found =
    /^(\d{4})(\d{2})(\d{2})(?:[T ].*)?$/.exec(text) ??
    /^(\d{4})[-/.年년] ?(\d{1,2})[-/.月월] ?(\d{1,2})[日일.]?(?:[T ,].*)?$/.exec(text)
  if (found !== null) return dateOf(found[1], Number(found[2]), Number(found[3]))
  // 2024. márc. 12. · 2024 Mar 12 · 2024-Mar-12
  const named = /^(\d{4})\.?[ -]([\p{L}\p{M}]{3,14})\.?[ -](\d{1,2})\.?$/u.exec(text)
  return named === null ? null : dateOf(named[1], monthNamed(named[2]), Number(named[3]))
}

/** 12 March · March 12 · 12. März · 12.3. */
function dayAndMonth(text: string): CalendarDate | null {
  const numbers = /^(\d{1,2})\. ?(\d{1,2})\.$/.exec(text)
  if (numbers !== null) return dateOf(undefined, Number(numbers[2]), Number(numbers[1]))
  const dayFirst = /^(\d{1,2})(?:er|st|nd|rd|th|\.|º)? (?:de |of )?([\p{L}\p{M}]{3,14})\.?$/u.exec(
    text,
  )
  if (dayFirst !== null) return dateOf(undefined, monthNamed(dayFirst[2]), Number(dayFirst[1]))
  const monthFirst = /^([\p{L}\p{M}]{3,14})\.? (\d{1,2})(?:st|nd|rd|th)?$/u.exec(text)
  return monthFirst === null
    ? null
    : dateOf(undefined, monthNamed(monthFirst[1]), Number(monthFirst[2]))
}

/** --0203 · --12-01 (RFC 6350 section 4.3.1; Google CSV) */
function withoutYear(text: string): CalendarDate | null {
  const found = /^ ?--(\d{2})-?(\d{2})(?:T.*)?$/.exec(text)
  return found === null ? null : dateOf(undefined, Number(found[1]), Number(found[2]))
}

/** 3/22 · 22/3 · 03-22: Mailchimp and Dex write birthdays so. Elsewhere it may be a fraction or a range. */
function dayOfYear(text: string, order: DateOrder): CalendarDate | null {
  const found = /^\s*(\d{1,2})\/(\d{1,2})\s*$/.exec(text) ?? /^\s*(\d{2})-(\d{2})\s*$/.exec(text)
  if (found === null) return null
  const [first, second] = [Number(found[1]), Number(found[2])]
  const isDayFirst = order === 'day-first' ? second <= 12 : first > 12
  return isDayFirst ? dateOf(undefined, second, first) : dateOf(undefined, first, second)
}

/** 3/22/1985 · 22.3.1985 · 22. 3. 1985 · 22/3/85. Dots mean that the day comes first; a number above 12 is a day. */
function separated(text: string, order: DateOrder): CalendarDate | null {
  const found = /^(\d{1,2})([/-]|\. ?)(\d{1,2})\2(\d{4}|\d{2})(?:,? .*)?$/.exec(text)
  if (found === null) return null
  const [first, second] = [Number(found[1]), Number(found[3])]
  const dayFirst = found[2]?.startsWith('.') || order === 'day-first' ? second <= 12 : first > 12
  return dayFirst ? dateOf(found[4], second, first) : dateOf(found[4], first, second)
}

const NO_YEAR = new Set([0, 1604]) // Apple writes 1604 when the year is unknown
const PIVOT = 30 // two-digit years: 00-29 are 20xx, 30-99 are 19xx

function dateOf(yearText: string | undefined, month: number, day: number): CalendarDate | null {
  const year = yearText === undefined ? null : fullYear(yearText)
  const known = year !== null && !NO_YEAR.has(year)
  if (known && (year < 1000 || year > 2999)) return null
  if (month < 1 || month > 12 || day < 1) return null
  if (day > new Date(Date.UTC(known ? year : LEAP_YEAR, month, 0)).getUTCDate()) return null
  return { year: known ? year : null, month, day }
}

const LEAP_YEAR = 2000 // --02-29 is a birthday

function fullYear(text: string): number {
  const year = Number(text)
  if (text.length === 4) return year
  return year < PIVOT ? 2000 + year : 1900 + year
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
