/** Schemas of arguments that are dates, in any of the forms that `date-text.ts` reads. */

import * as Type from '../../base/type.ts'
import type { MeantDay } from '../../base/date-period.ts'

/** Longer than any date in words, such as `Wednesday, the 23rd of September 2026`. */
const MAX_DATE_TEXT_LENGTH = 60

/** Marks the schema of a date. JSON Schema ignores unknown keywords, and `tools/list` omits it. */
export const DAY_KEYWORD = 'weftDay'

export type DayKind = 'day' | 'days' | 'birthday' | MeantDay

/**
 * Schema of a tool argument that is a date. Members and models write dates in many forms; the tool's `run` receives
 * YYYY-MM-DD. `meant` is required where dates lie in the past or in the future by their meaning. Forms on pages pass what the browser sends, so `run` checks it with `requireDay`.
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
