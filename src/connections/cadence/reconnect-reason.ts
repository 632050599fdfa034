/** Why someone should be contacted again, in words. */

import { phrase, t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { dateFormatter, relativeDayText } from '../../dates/format-date.ts'
import type { Cadence } from '../../dates/cadence.ts'

export interface ReconnectCause {
  readonly lastContactOn: string | null
  /** The cadence that is overdue; null for a rhythm that broke. */
  readonly cadence: Cadence | null
  /** The tag that has the cadence. */
  readonly tag: string | null
  /** Usual days between contacts. */
  readonly rhythmDays: number | null
}

/** `Every 6 weeks, last contact 4 Mar`, or `In touch monthly until June, nothing since`. `today`: YYYY-MM-DD. */
export function reconnectReason(cause: ReconnectCause, today: string): string {
  const { lastContactOn, cadence, tag, rhythmDays } = cause
  if (cadence === null) {
    const rhythm = t(rhythmText(rhythmDays ?? 0))
    return lastContactOn === null
      ? t('{rhythm}, nothing since', { rhythm })
      : t('{rhythm} until {month}, nothing since', {
          rhythm,
          month: monthText(lastContactOn, today),
        })
  }
  const every = causeText(cadence, tag)
  return lastContactOn === null
    ? t('{every}, never contacted', { every })
    : t('{every}, last contact {lastContactOn}', {
        every,
        lastContactOn: dayText(lastContactOn, today),
      })
}

/** `Every 6 weeks · 3 months ago`, where there is little room; otherwise the reason. */
export function shortReason(cause: ReconnectCause, today: string): string {
  const { lastContactOn, cadence, tag } = cause
  return cadence === null || lastContactOn === null
    ? reconnectReason(cause, today)
    : `${causeText(cadence, tag)} · ${relativeDayText(lastContactOn, today)}`
}

/** `Every 6 weeks · due on 29 Dec`, on a day that is ahead. */
export function dueReason(
  { cause, dueOn }: { readonly cause: ReconnectCause; readonly dueOn: string | null },
  today: string,
): string {
  if (cause.cadence === null || dueOn === null) return reconnectReason(cause, today)
  const due = t('due on {dueOn}', { dueOn: dayText(dueOn, today) })
  return `${causeText(cause.cadence, cause.tag)} · ${due}`
}

function causeText(cadence: Cadence, tag: string | null): string {
  const every = cadenceText(cadence)
  return tag === null ? every : t('{cadence} (tag {tag})', { cadence: every, tag })
}

/** `Every 6 weeks`, `Every month` */
export function cadenceText({ every, unit }: Cadence): string {
  return t(EVERY[unit], { every })
}

const EVERY = {
  day: phrase('{every, plural, one {Every day} other {Every # days}}'),
  week: phrase('{every, plural, one {Every week} other {Every # weeks}}'),
  month: phrase('{every, plural, one {Every month} other {Every # months}}'),
}

/** Longest gap in days of each rhythm. */
const RHYTHMS = [
  [2, phrase('In touch almost daily')],
  [10, phrase('In touch weekly')],
  [24, phrase('In touch every few weeks')],
  [45, phrase('In touch monthly')],
  [120, phrase('In touch every few months')],
] as const

/** `In touch weekly`. */
export function rhythmText(days: number): string {
  return RHYTHMS.find(([most]) => days <= most)?.[1] ?? phrase('In touch now and then')
}

/** `4 Mar`, with the year if it is not this one. */
function dayText(day: string, today: string): string {
  return (isSameYear(day, today) ? DAY_AND_MONTH() : DATE()).format(Date.parse(day))
}

function monthText(day: string, today: string): string {
  return (isSameYear(day, today) ? MONTH() : MONTH_AND_YEAR()).format(Date.parse(day))
}

function isSameYear(day: string, other: string): boolean {
  return day.slice(0, 4) === other.slice(0, 4)
}

function formatter(options: Intl.DateTimeFormatOptions) {
  return perLanguage(() => dateFormatter({ ...options, timeZone: 'UTC' }))
}

const DAY_AND_MONTH = formatter({ day: 'numeric', month: 'short' })
const DATE = formatter({ day: 'numeric', month: 'short', year: 'numeric' })
const MONTH = formatter({ month: 'long' })
const MONTH_AND_YEAR = formatter({ month: 'long', year: 'numeric' })
