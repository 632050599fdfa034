/** Points in time on a page, as fragments: short to read, the exact moment for whoever asks (title, datetime). UTC. */

import { DAY, HOUR, MINUTE, rfc3339 } from '../base/clock.ts'
import { html } from '../html/html.ts'

/** As `21 Nov 2026`. */
export function dayOf(at: number): string {
  return timeElement(at, DATE.format(at))
}

/** As `2 hours ago`; after a week, the day. */
export function agoOf(at: number, now: number): string {
  const passed = now - at
  if (passed < MINUTE) return timeElement(at, 'just now')
  if (passed < HOUR) return timeElement(at, RELATIVE.format(-Math.floor(passed / MINUTE), 'minute'))
  if (passed < DAY) return timeElement(at, RELATIVE.format(-Math.floor(passed / HOUR), 'hour'))
  if (passed < 7 * DAY) return timeElement(at, RELATIVE.format(-Math.floor(passed / DAY), 'day'))
  return dayOf(at)
}

/** As `19 February 2027`, as text. */
export function longDay(at: number): string {
  return LONG_DATE.format(at)
}

/** A day of the calendar, YYYY-MM-DD, as `Mon 23 Nov 2026`. */
export function calendarDay(day: string): string {
  const text = WEEKDAY_DATE.format(Date.parse(day)).replace(',', '')
  return html`<time datetime="${day}">${text}</time>`
}

function timeElement(at: number, text: string): string {
  return html`<time datetime="${rfc3339(at)}" title="${MOMENT.format(at)} UTC">${text}</time>`
}

const DAY_PARTS = { day: 'numeric', year: 'numeric', timeZone: 'UTC' } as const
const DATE = new Intl.DateTimeFormat('en-GB', { ...DAY_PARTS, month: 'short' })
const WEEKDAY_DATE = new Intl.DateTimeFormat('en-GB', {
  ...DAY_PARTS,
  month: 'short',
  weekday: 'short',
})
const LONG_DATE = new Intl.DateTimeFormat('en-GB', { ...DAY_PARTS, month: 'long' })
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  ...DAY_PARTS,
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})
const RELATIVE = new Intl.RelativeTimeFormat('en')
