/** Schemas of arguments that are dates or times of day, in any of the forms that `dates/` reads. */

import * as Type from '../../base/type.ts'
import { MAX_DATE_TEXT_LENGTH } from '../../dates/read-date.ts'
import type { MeantDay } from '../../dates/said-date.ts'

/** Marks the schema of a date. JSON Schema ignores unknown keywords, and `tools/list` omits it. */
export const DAY_KEYWORD = 'weftDay'

export type DayKind = 'day' | 'days' | 'birthday' | MeantDay

/**
 * Schema of a tool argument that is a date. Members and models write dates in many forms; the tool's `run` receives
 * YYYY-MM-DD. `meant` is required where dates lie in the past or in the future by their meaning. Forms on pages pass what the
 * browser sends, so `run` checks it with `requireDay`.
 */
export function CalendarDay(description: string, meant?: MeantDay) {
  return dayText(description, ['2026-03-05'], meant ?? 'day')
}

/** A date or a period. Tools receive YYYY-MM-DD, or YYYY-MM-DD/YYYY-MM-DD for a period, both days included. */
export function CalendarDays(description: string) {
  return dayText(description, ['2026-03-05', 'next week'], 'days')
}

/** Tools receive YYYY-MM-DD, or --MM-DD without a year. */
export function Birthday(description: string) {
  return dayText(description, ['1990-03-05', '--03-05'], 'birthday')
}

function dayText(description: string, examples: string[], kind: DayKind) {
  return Type.String({
    maxLength: MAX_DATE_TEXT_LENGTH,
    description,
    examples,
    [DAY_KEYWORD]: kind,
  })
}

/** Marks the schema of a time of day, in the same way. */
export const TIME_KEYWORD = 'weftTime'

/** The tool's `run` receives HH:MM, or one of the `others`. */
export function TimeOfDay(description: string, ...others: readonly string[]) {
  const time = '([01]\\d|2[0-3]):[0-5]\\d'
  return Type.String({
    pattern: others.length === 0 ? `^${time}$` : `^(${[time, ...others].join('|')})$`,
    description,
    examples: ['14:30'],
    [TIME_KEYWORD]: true,
  })
}
