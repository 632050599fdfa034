/** Times of day as tool arguments: HH:MM, or as people write them, such as `3pm`. */

import * as Type from '../../base/type.ts'
import { isDay } from '../../base/calendar-day.ts'
import { readDateText, type DateContext } from '../../base/date-text.ts'

/** Marks the schema of a time of day. JSON Schema ignores unknown keywords, and `tools/list` omits it. */
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

/** HH:MM for `3pm`, `3:30 p.m.`, `15.30`, `noon`; any other value unchanged. */
export function readTime(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim().toLowerCase()
  if (text === 'noon' || text === 'midday') return '12:00'
  if (text === 'midnight') return '00:00'
  const found = /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})? ?(a\.?m\.?|p\.?m\.?|h|uhr)?$/.exec(text)
  if (!found) return value
  const [, hours = '', minutes = '00', half = ''] = found
  if (half === '' && !/[:.h]/.test(text)) return value
  const isTwelve = half.startsWith('a') || half.startsWith('p')
  if (isTwelve && (Number(hours) < 1 || Number(hours) > 12)) return value
  const hour = isTwelve ? (Number(hours) % 12) + (half.startsWith('p') ? 12 : 0) : Number(hours)
  return `${String(hour).padStart(2, '0')}:${minutes}`
}

/** Longer than any day with a time. */
const MAX_DAY_AND_TIME_LENGTH = 80

// Without `5.12`, which is a day.
const TIME =
  '\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?(?:[ap]\\.?m\\.?|uhr))?|\\d{1,2}(?:\\.\\d{2})? ?(?:[ap]\\.?m\\.?|uhr)|\\d{1,2}h(?:\\d{2})?|noon|midday|midnight'
// regex-ok: of texts of at most 80 characters
const DAY_THEN_TIME = new RegExp(`^(.+?)(?:,? +(?:at +|um +)?|T)(${TIME})$`, 'iu')
const TIME_THEN_DAY = new RegExp(`^(?:at +|um +)?(${TIME}),? +(?:on +|am +)?(.+)$`, 'iu')

/** The day and the time of `tomorrow 3pm` or `9:30 on Monday`; undefined without a time. */
export function splitTime(
  text: string,
): { readonly day: string; readonly time: string } | undefined {
  const written = text.trim()
  if (written.length > MAX_DAY_AND_TIME_LENGTH) return undefined
  const [, day = '', last = ''] = DAY_THEN_TIME.exec(written) ?? []
  const [, first = '', rest = ''] = day === '' ? (TIME_THEN_DAY.exec(written) ?? []) : []
  const time = readTime(last || first)
  if (typeof time !== 'string' || !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return undefined
  return { day: (day || rest).trim(), time }
}

/** The due day, as it is written, and its time, if the text has both. */
export function splitDueTime(
  text: string,
  context: DateContext,
): { readonly due_on: string; readonly time: string } | undefined {
  const { day, time } = splitTime(text) ?? {}
  if (day === undefined || time === undefined) return undefined
  const isRead = isDay(day) || readDateText(day, context, 'next-first').ok
  return isRead ? { due_on: day, time } : undefined
}
