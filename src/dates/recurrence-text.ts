/** How often something recurs, as people and models write it: `weekly`, `every two weeks`, `jeden letzten Freitag im Monat`. */

import { phrase, t } from '../languages/message.ts'
import { weekdayName } from './format-date.ts'
import { intervalOf, recurrenceOf, type Recurrence, type RecurrenceUnit } from './recurrence.ts'
import { isNever, readInterval } from './spoken-interval.ts'

/** Undefined for other texts, and for less than once in ten years. */
export function readRecurrence(text: string): Recurrence | undefined {
  if (isNever(text)) return 'none'
  const interval = readInterval(text)
  return interval && recurrenceOf(interval)
}

/** As `Every 2 weeks` or `Last Friday of every month`; empty if it does not recur. `readRecurrence` reads it back. */
export function recurrenceText(recurrence: string): string {
  const interval = intervalOf(recurrence)
  if (!interval) return ''
  const { every, unit, weekday, ordinal } = interval
  if (weekday === undefined) return TEXTS[unit]({ every })
  const values = { every, weekday: weekdayName(weekday) }
  const [once, often] = (ordinal === undefined ? ON_WEEKDAY : IN_MONTH[ordinal - 1]) ?? ON_WEEKDAY
  return t(every === 1 ? once : often, values)
}

/** Each and every so many, like the next ones. */
const ON_WEEKDAY = [phrase('Every {weekday}'), phrase('Every {every} weeks on {weekday}')] as const

/** From the first to the fourth, and the last. */
const IN_MONTH = [
  [phrase('First {weekday} of every month'), phrase('Every {every} months on the first {weekday}')],
  [
    phrase('Second {weekday} of every month'),
    phrase('Every {every} months on the second {weekday}'),
  ],
  [phrase('Third {weekday} of every month'), phrase('Every {every} months on the third {weekday}')],
  [
    phrase('Fourth {weekday} of every month'),
    phrase('Every {every} months on the fourth {weekday}'),
  ],
  [phrase('Last {weekday} of every month'), phrase('Every {every} months on the last {weekday}')],
] as const

const TEXTS: Readonly<Record<RecurrenceUnit, (values: { readonly every: number }) => string>> = {
  day: ({ every }) => t('{every, plural, one {Every day} other {Every # days}}', { every }),
  week: ({ every }) => t('{every, plural, one {Every week} other {Every # weeks}}', { every }),
  month: ({ every }) => t('{every, plural, one {Every month} other {Every # months}}', { every }),
  year: ({ every }) => t('{every, plural, one {Every year} other {Every # years}}', { every }),
}
