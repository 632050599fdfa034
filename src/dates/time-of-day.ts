/** Times of day: HH:MM, or as people write them, such as `3pm`, `15 Uhr` and `noon`. */

import { tokenize } from '../base/tokenize.ts'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { dayAt, isDay, twoDigits } from './calendar-day.ts'
import { countAt } from './date-amounts.ts'
import { lengthAt, wordsAt } from './date-words.ts'
import { MAX_DATE_TEXT_LENGTH, readDateText, type DateContext } from './read-date.ts'
import { localTimeAt } from './time-zone.ts'

/** Minutes since midnight of a time of day such as `14:30`. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** The time of day (HH:MM) a number of minutes after midnight. */
export function timeOfDay(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(Math.floor(minute) % 60)}`
}

/** HH:MM for `3pm`, `3:30 p.m.`, `15.30`, `noon`; undefined for other text. */
export function readTime(given: string): string | undefined {
  const text = given.trim().toLowerCase()
  if (text.length > MAX_DATE_TEXT_LENGTH) return undefined
  const words = tokenize(text)
  const named = words.length === 1 ? wordsAt('clock', words, 0) : undefined
  if (named) return named.line === 0 ? '12:00' : '00:00'
  const found = /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})? ?(a\.?m\.?|p\.?m\.?|h|uhr)?$/.exec(text)
  if (!found) return undefined
  const [, hours = '', minutes = '00', half = ''] = found
  if (half === '' && !/[:.h]/.test(text)) return undefined
  const isTwelve = half.startsWith('a') || half.startsWith('p')
  if (isTwelve && (Number(hours) < 1 || Number(hours) > 12)) return undefined
  const hour = isTwelve ? (Number(hours) % 12) + (half.startsWith('p') ? 12 : 0) : Number(hours)
  return hour < 24 && Number(minutes) < 60 ? `${twoDigits(hour)}:${minutes}` : undefined
}

// Without `5.12`, which is a day.
const TIME =
  '\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?(?:[ap]\\.?m\\.?|uhr))?|\\d{1,2}(?:\\.\\d{2})? ?(?:[ap]\\.?m\\.?|uhr)|\\d{1,2}h(?:\\d{2})?|noon|midday|midnight|mittags?|mitternacht'
// regex-ok: of texts of at most 80 characters
const DAY_THEN_TIME = new RegExp(`^(.+?)(?:,? +(?:at +|um +)?|T)(${TIME})$`, 'iu')
const TIME_THEN_DAY = new RegExp(`^(?:at +|um +)?(${TIME}),? +(?:on +|am +)?(.+)$`, 'iu')

// regex-ok: nothing in it repeats without a limit
const TIME_ALONE = new RegExp(`^(?:${TIME})$`, 'iu')

/** HH:MM for `3pm`, `15:30`, `noon`; undefined for `5.12`, which can be a day or a number. */
export function readClockTime(text: string): string | undefined {
  return TIME_ALONE.test(text) ? readTime(text) : undefined
}

/** The day and the time of `tomorrow 3pm` or `9:30 on Monday`; undefined without a time. */
export function splitTime(
  text: string,
): { readonly day: string; readonly time: string } | undefined {
  const written = text.trim()
  if (written.length > MAX_DATE_TEXT_LENGTH) return undefined
  const [, day = '', last = ''] = DAY_THEN_TIME.exec(written) ?? []
  const [, first = '', rest = ''] = day === '' ? (TIME_THEN_DAY.exec(written) ?? []) : []
  const time = readTime(last || first)
  return time === undefined ? undefined : { day: (day || rest).trim(), time }
}

/** The day and the time in some hours or minutes: `in 3 hours`, `30 minutes from now`. */
function laterToday(text: string, { timeZone, now }: DateContext) {
  const tokens = /[^\p{L}\p{M}\p{N}\s]/u.test(text) ? [] : tokenize(text)
  const before = lengthAt('ahead', tokens, 0)
  const amount = countAt(tokens, before)
  if (!amount) return undefined
  const until = before + amount.length
  const unit = wordsAt('clock-unit', tokens, until)
  if (!unit) return undefined
  const after = before > 0 ? 0 : lengthAt('ahead-after', tokens, until + unit.length)
  if (before + after === 0 || until + unit.length + after !== tokens.length) return undefined
  const time = localTimeAt(timeZone, now + amount.count * (unit.line === 0 ? HOUR : MINUTE))
  return { due_on: dayAt(time), time: timeOfDay((time % DAY) / MINUTE) }
}

/** The due day and its time, if the text has both: `tomorrow 3pm`, with the day as it is written, and `in 3 hours`. */
export function splitDueTime(
  text: string,
  context: DateContext,
): { readonly due_on: string; readonly time: string } | undefined {
  if (text.length > MAX_DATE_TEXT_LENGTH) return undefined
  const later = laterToday(text, context)
  if (later) return later
  const { day, time } = splitTime(text) ?? {}
  if (day === undefined || time === undefined) return undefined
  const isRead = isDay(day) || readDateText(day, context, 'next-first').ok
  return isRead ? { due_on: day, time } : undefined
}
