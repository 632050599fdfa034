/** How often a member wants to be in touch, every few days, weeks or months, and which of several cadences applies. */

import type { Cadence } from '../../dates/cadence.ts'
import { dayCount, daysLater, monthsLater } from '../../dates/calendar-day.ts'
import { daysUntilBroken } from './rhythm.ts'

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

interface PersonTimes {
  /** The person's own cadence; null without one. */
  readonly every: number | null
  readonly unit: Cadence['unit'] | null
  readonly setOn: string | null
  readonly lastContactOn: string | null
  readonly rhythmDays: number | null
}

export interface TaggedCadence extends Cadence {
  readonly set_on: string
  /** The day of the member on which the person was added. */
  readonly added_on: string
}

/** By the person's own cadence, else the shortest of their tags, else by their rhythm. */
export function dueOf(
  { every, unit, setOn, lastContactOn, rhythmDays }: PersonTimes,
  tags: readonly TaggedCadence[],
): Due | undefined {
  if (every !== null && unit !== null)
    return dueBy('own', { every, unit }, { lastContactOn, setOn: setOn ?? '' })
  const due = tags.map((tag) => {
    const from = tag.set_on > tag.added_on ? tag.set_on : tag.added_on
    return dueBy('tag', tag, { lastContactOn, setOn: from })
  })
  if (due.length > 0) return due.reduce((one, other) => (other.dueDay < one.dueDay ? other : one))
  if (lastContactOn === null || rhythmDays === null) return undefined
  const cadenceDays = daysUntilBroken(rhythmDays)
  return { basis: 'rhythm', dueDay: dayCount(lastContactOn) + cadenceDays, cadenceDays }
}
