/** What words say of a date, and how they are read. */

import { daysLater, isDay, startOfUnit, unitsLater, type DateUnit } from './calendar-day.ts'
import { lengthAt } from './date-words.ts'

/**
 * The direction in which dates lie that recur (`Saturday`, `5 March`, `January`): the latest or the next one. The first or
 * last day of periods, which are no dates without it.
 */
export type MeantDay = Tense | `${Tense}-${'first' | 'last'}`

type Tense = 'latest' | 'next'

/** The tokens of a text, the day on which it was written, and how it is read. */
export interface Scope {
  readonly tokens: readonly string[]
  readonly today: string
  readonly meant: MeantDay | undefined
  /** True for dates in a sentence, whose other words and numbers mean other things. */
  readonly isQuestion: boolean
}

export interface DayRange {
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

/** What words say. */
export interface Said extends DayRange {
  readonly kind: 'day' | 'season' | 'period'
  /** Tokens. */
  readonly length: number
  /** The exact day that an amount of time leads to; the period is the unit around it, or the time until then. */
  readonly day?: string
  /** True if a month or a day of one has no year. */
  readonly lacksYear?: boolean
  /** Another day that is as likely: `Friday`, on a Friday. */
  readonly or?: string
  /** True if the date is not on the weekday that is named with it. */
  readonly isOffWeekday?: boolean
}

/** A name of days or periods that come again. */
export interface RecurringName {
  readonly length: number
  /** The one before, around or after today. */
  of(step: number): Omit<Said, 'length'>
}

export function saidOf(range: DayRange, length: number, kind: Said['kind'] = 'day'): Said {
  return { ...range, length, kind }
}

export function dayRange(day: string): DayRange {
  return { from: day, to: isDay(day) ? daysLater(day, 1) : day }
}

export function unitRange(day: string, unit: DateUnit): DayRange {
  const from = startOfUnit(day, unit)
  return { from, to: unitsLater(from, 1, unit) }
}

/** True unless the caller expects a date ahead. */
export function meansPast({ meant }: Scope): boolean {
  return meant?.startsWith('next') !== true
}

/** In sentences, other numbers are rarely years. */
export function isYear({ isQuestion }: Scope, token: string | undefined): boolean {
  return token !== undefined && (isQuestion ? /^(?:19|20)\d\d$/ : /^[1-9]\d{3}$/).test(token)
}

/** The index after articles and words such as `of`. */
export function articleEnd(tokens: readonly string[], at: number): number {
  const length = Math.max(lengthAt('of', tokens, at), lengthAt('article', tokens, at))
  return length === 0 ? at : articleEnd(tokens, at + length)
}
