/** How often a member wants to be in touch with someone. */

import { MAX_CADENCE } from '../base/limits.ts'
import { readInterval } from './spoken-interval.ts'

export const CADENCE_UNITS = ['day', 'week', 'month'] as const

export interface Cadence {
  readonly every: number
  readonly unit: (typeof CADENCE_UNITS)[number]
}

/** Null for texts that are no cadence, for weekdays, and for less than once in ten years. */
export function readCadence(text: string): Cadence | null {
  const interval = readInterval(text)
  if (!interval || interval.weekday !== undefined) return null
  const { every, unit } = interval
  const cadence =
    unit === 'year' ? ({ every: every * 12, unit: 'month' } as const) : { every, unit }
  return cadence.every < 1 || cadence.every > MAX_CADENCE[cadence.unit] ? null : cadence
}
