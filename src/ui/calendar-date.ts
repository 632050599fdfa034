/** Calendar dates as fragments. They are not moments, so no time zone applies; `time.ts` shows moments. */

import { dayCount } from '../dates/calendar-day.ts'
import { dateText, relativeDayText, weekdayDateText } from '../dates/format-date.ts'
import { html, type Html } from '../html/html.ts'

/** A date as `dateText` writes it. */
export function calendarDate(date: string): Html {
  const text = dateText(date)
  return text === date && !/^\d{4}$/.test(date)
    ? html`<bdi>${date}</bdi>`
    : html`<time datetime="${date.replace(/^--/, '')}">${text}</time>`
}

/** A day near today in words, as `yesterday`, with the date as the title; others as dates. */
export function nearDay(day: string, today: string): Html {
  const isNear = Math.abs(dayCount(day) - dayCount(today)) <= 7
  return isNear
    ? html`<time datetime="${day}" title="${weekdayDateText(day)}"
        >${relativeDayText(day, today)}</time
      >`
    : calendarDate(day)
}

/** A date on which something is to be done, YYYY-MM-DD, as `Mon 23 Nov 2026`. */
export function weekdayDate(day: string): Html {
  return html`<time datetime="${day}">${weekdayDateText(day)}</time>`
}
