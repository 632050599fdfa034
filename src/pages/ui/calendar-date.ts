/** Calendar dates as fragments. They are not moments, so no time zone applies; `time.ts` shows moments. */

import { perLanguage } from '../../languages/language.ts'
import { html, type Html } from '../../html/html.ts'
import { dateFormatter, type DateFormatter } from '../../languages/date-formatter.ts'

/**
 * A date of which the day, the month or the year may be unknown, as `14 Mar 2019`, `Mar 2019`, `2019` or `14 Mar`. Other
 * text stays as it is.
 */
export function calendarDate(date: string): Html {
  const text = calendarDateText(date)
  return text === date && !/^\d{4}$/.test(date)
    ? html`<bdi>${date}</bdi>`
    : html`<time datetime="${date.replace(/^--/, '')}">${text}</time>`
}

/** The same as text. */
export function calendarDateText(date: string): string {
  const known = /^(\d{4}|-)-(\d\d)(?:-(\d\d))?$/.exec(date)
  if (!known) return date
  const [, year = '', month = '', day] = known
  // A leap year, so that February 29 exists.
  const time = Date.parse(`${year === '-' ? '2000' : year}-${month}-${day ?? '01'}`)
  if (Number.isNaN(time)) return date
  if (year === '-') return day === undefined ? date : DAY_AND_MONTH().format(time)
  return (day === undefined ? MONTH() : DATE()).format(time)
}

/** A date on which something is to be done, YYYY-MM-DD, as `Mon 23 Nov 2026`. */
export function weekdayDate(day: string): Html {
  const text = WEEKDAY_DATE().format(Date.parse(day)).replace(',', '')
  return html`<time datetime="${day}">${text}</time>`
}

function formatter(options: Intl.DateTimeFormatOptions): () => DateFormatter {
  return perLanguage(() => dateFormatter({ ...options, timeZone: 'UTC' }))
}

const DAY_AND_MONTH = formatter({ day: 'numeric', month: 'short' })
const MONTH = formatter({ month: 'short', year: 'numeric' })
const DATE = formatter({ day: 'numeric', month: 'short', year: 'numeric' })
const WEEKDAY_DATE = formatter({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
