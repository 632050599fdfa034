/** How often a member wants to be in touch: every few days, weeks or months. */

import { dayCount, daysLater, monthsLater } from '../../dates/calendar-day.ts'

export const CADENCE_UNITS = ['day', 'week', 'month'] as const
type CadenceUnit = (typeof CADENCE_UNITS)[number]

export interface Cadence {
  readonly every: number
  readonly unit: CadenceUnit
}

/** The date one cadence after a date. A month after January 31 is the last day of February. */
export function dueAfter(day: string, { every, unit }: Cadence): string {
  if (unit === 'month') return monthsLater(day, every)
  return daysLater(day, unit === 'week' ? every * 7 : every)
}

/** When the next contact is due, and the days of the cadence that leads there. */
export interface Due {
  readonly basis: 'own' | 'tag' | 'rhythm'
  /** Days since 1970. */
  readonly dueDay: number
  readonly cadenceDays: number
}

/** Counts from the last contact, or else from the day on which the cadence was set. */
export function dueBy(
  basis: Due['basis'],
  cadence: Cadence,
  { lastContactOn, setOn }: { readonly lastContactOn: string | null; readonly setOn: string },
): Due {
  const from = lastContactOn ?? setOn
  const dueDay = dayCount(dueAfter(from, cadence))
  return { basis, dueDay, cadenceDays: dueDay - dayCount(from) }
}

/** Contacts of a person that are looked at for a rhythm. */
export const RHYTHM_CONTACTS = 12

/** Days of contact that make a rhythm. */
const MIN_RHYTHM_DAYS = 4

/** A pause of this many usual gaps breaks a rhythm, if it is longer than a month. */
const BROKEN_AFTER = 3
const MIN_BROKEN_DAYS = 30

/** The median days between contacts; null for fewer than four days. `days`: the days since 1970, in any order. */
export function rhythmOf(days: readonly number[]): number | null {
  const distinct = [...new Set(days)].sort((one, other) => one - other)
  if (distinct.length < MIN_RHYTHM_DAYS) return null
  const gaps = distinct.slice(1).map((day, index) => day - (distinct[index] ?? 0))
  return gaps.sort((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? null
}

/** When a rhythm is broken. */
export function dueByRhythm(lastContactOn: string, rhythmDays: number): Due {
  const pause = Math.max(BROKEN_AFTER * rhythmDays, MIN_BROKEN_DAYS)
  return { basis: 'rhythm', dueDay: dayCount(lastContactOn) + pause, cadenceDays: pause }
}
