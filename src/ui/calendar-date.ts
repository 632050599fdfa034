/** Calendar dates as fragments. They are not moments, so no time zone applies; `time.ts` shows moments. */

import { dateText, weekdayDateText } from '../dates/format-date.ts'
import { html, type Html } from '../html/html.ts'

/** A date as `dateText` writes it. */
export function calendarDate(date: string): Html {
  const text = dateText(date)
  return text === date && !/^\d{4}$/.test(date)
    ? html`<bdi>${date}</bdi>`
    : html`<time datetime="${date.replace(/^--/, '')}">${text}</time>`
}

/** A date on which something is to be done, YYYY-MM-DD, as `Mon 23 Nov 2026`. */
export function weekdayDate(day: string): Html {
  return html`<time datetime="${day}">${weekdayDateText(day)}</time>`
}
