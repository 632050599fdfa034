/** Reads dates as people and models write them, in numbers or in words. `03/04/2026` is rejected. */

import { t } from '../languages/message.ts'
import { normalForm } from '../base/normal-form.ts'
import { tokenize } from '../base/tokenize.ts'
import { dayOf, daysLater, isDay } from './calendar-day.ts'
import { weekdayDateText } from './format-date.ts'
import { lengthAt, monthWords } from './date-words.ts'
import { expectedDateAt, rangeAt, restAt } from './date-grammar.ts'
import { articleEnd, type DayRange, type MeantDay, type Said, type Scope } from './said-date.ts'
import { dayInZone } from './time-zone.ts'

type DateReading =
  | { readonly ok: true; readonly day: string }
  /** The problem continues a sentence that starts with the argument's name. `isUnknown`: the text is no date at all. */
  | { readonly ok: false; readonly problem: string; readonly isUnknown?: boolean }

/** When the text was written. Relative dates count from it. */
export interface DateContext {
  /** IANA. */
  readonly timeZone: string
  readonly now: number
}

/** Longer than any date in words, such as `Wednesday, the 23rd of September 2026`, or a period of two of them. */
export const MAX_DATE_TEXT_LENGTH = 80

/**
 * Reads a date as people write it, also relative to now: `5 Mar 2027`, `next Friday`, `vor drei Wochen`. Days without a year
 * and periods such as `last week` are dates only with `meant`.
 */
export function readDateText(text: string, context: DateContext, meant?: MeantDay): DateReading {
  const plain = plainText(text)
  for (const read of NUMERIC) {
    const reading = read(plain, context)
    if (reading !== undefined) return typeof reading === 'string' ? existing(reading) : reading
  }
  const scope = { tokens: wordsOf(plain), today: today(context), meant, isQuestion: false }
  const said = wholeDate(scope)
  return said ? meantDay(said, scope) : problemOf(scope)
}

/** The days of a period, or of a date: `next week`, `since March`, `Monday to Friday`. Undefined for other text. */
export function readPeriodText(
  text: string,
  context: DateContext,
  meant: MeantDay,
): DayRange | undefined {
  const tokens = wordsOf(plainText(text))
  const scope = { tokens, today: today(context), meant, isQuestion: false }
  const starts = [...startsOf(scope), lengthAt('between', tokens, 0)]
  const range =
    wholeDate(scope) ??
    starts.map((at) => endingAt(tokens, at, rangeAt(scope, at))).find((found) => found)
  if (range && 'kind' in range && range.kind === 'period' && range.day !== undefined)
    return oneDay(range.day)
  return range && isDay(range.from) && isDay(range.to) ? range : undefined
}

function oneDay(day: string): DayRange {
  return { from: day, to: daysLater(day, 1) }
}

/** Reads a date, or a period as `2026-11-23/2026-11-29` (ISO 8601): `next week`, `this weekend`, `next 3 days`. */
export function readDaysText(text: string, context: DateContext): DateReading {
  const reading = readDateText(text, context, 'next')
  if (reading.ok) return reading
  const period = readPeriodText(text, context, 'next')
  if (period === undefined) return reading
  const until = daysLater(period.to, -1)
  if (period.from > until) return rejected(t('ends before it begins'))
  return { ok: true, day: `${period.from}/${until}` }
}

/** Reads `--03-05` and `5 March` as `--03-05`; undefined for other text. */
export function readYearlessDate(text: string, context: DateContext): string | undefined {
  const full = text.startsWith('--')
    ? `${LEAP_YEAR}${text.slice(1)}`
    : `${plainText(text)} ${LEAP_YEAR}`
  const reading = readDateText(full, context)
  return reading.ok ? `-${reading.day.slice(4)}` : undefined
}

/** A leap year, so that 29 February is valid. */
const LEAP_YEAR = 2000

function plainText(text: string): string {
  if (text.length > MAX_DATE_TEXT_LENGTH) return ''
  const plain = normalForm(text, 'NFKC').trim().toLowerCase()
  return plain.replace(DAY_AND_MONTH, (whole, day: string, month: string) => {
    const [name] = monthWords()[Number(month) - 1] ?? []
    return name === undefined ? whole : `${day} ${name}`
  })
}

/** `30.11.`, which is a day also without a year. */
const DAY_AND_MONTH = /(?<![\d.])(\d{1,2})\. ?(\d{1,2})\.(?! ?\d)/g

/** No tokens for a text with signs that dates do not have, such as `-5 days` and `2.5 weeks`. */
function wordsOf(plain: string): string[] {
  return /[^\p{L}\p{M}\p{N}\s.,'’/-]|(?:^|\s)-|\d[.,]\d/u.test(plain) ? [] : tokenize(plain)
}

function today({ timeZone, now }: DateContext): string {
  return dayInZone(timeZone, now)
}

/** Prepositions that a date may begin with: the argument's name says the same. */
const LEADS = ['since', 'before', 'during'] as const

/** Where a date may start. */
function startsOf({ tokens }: Scope): number[] {
  const leads = LEADS.map((lead) => lengthAt(lead, tokens, 0))
  return [...new Set([0, ...leads, ...[0, ...leads].map((at) => articleEnd(tokens, at))])]
}

function wholeDate(scope: Scope): Said | undefined {
  return startsOf(scope)
    .map((at) => restAt(scope, at))
    .find((said) => said !== undefined)
}

function endingAt<Found extends { readonly length: number }>(
  tokens: readonly string[],
  at: number,
  found: Found | undefined,
): Found | undefined {
  return found && at + found.length === tokens.length ? found : undefined
}

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

function meantDay(said: Said, { meant }: Scope): DateReading {
  const { from, kind, day, or: other } = said
  if (kind === 'season')
    return rejected(t('is a season, which begins on other days elsewhere; give a month or a date'))
  if (kind === 'day' && said.lacksYear === true && meant === undefined)
    return rejected(t('has no year'))
  if (said.isOffWeekday === true)
    return rejected(t('names {day}, which is not on that weekday', { day: from }))
  if (other !== undefined) return ambiguous(from, other)
  if (kind === 'day' || day !== undefined) return existing(day ?? from)
  if (!isDay(said.to)) return unknown()
  const until = daysLater(said.to, -1)
  if (meant?.includes('-') === true) return existing(meant.endsWith('first') ? from : until)
  return rejected(t('is the time from {from} to {to}; give one day of it', { from, to: until }))
}

function unknown(problem = t('is not a date in a known format')): DateReading {
  return { ok: false, problem, isUnknown: true }
}

/** Why the text is no date: what was understood of it, if something was. */
function problemOf(scope: Scope): DateReading {
  const { tokens } = scope
  const found = startsOf(scope)
    .map((at) => ({ at, said: expectedDateAt(scope, at) }))
    .find(({ said }) => said !== undefined)
  if (!found?.said) return unknown()
  const rest = tokens.slice(found.at + found.said.length)
  if (found.said.lacksYear === true && rest.length === 1 && /^\d{1,3}$/.test(rest[0] ?? ''))
    return rejected(t('needs a four-digit year'))
  const { kind, from, day = from } = found.said
  return kind === 'season' || !isDay(day)
    ? unknown()
    : unknown(
        t('begins with {day}, but “{rest}” is not a date', {
          day: weekdayDateText(day),
          rest: rest.join(' '),
        }),
      )
}

/** A date (which may not exist), a problem, or undefined for another form. */
type NumericReader = (text: string, context: DateContext) => string | DateReading | undefined

const NUMERIC: readonly NumericReader[] = [readIsoDate, readTimestamp, readNumericDate]

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
