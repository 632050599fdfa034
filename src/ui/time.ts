/**
 * Moments as fragments, with the exact time in `title` and `datetime`. Member pages use the reader's time
 * zone; public pages use UTC.
 */

import { perLanguage } from '../languages/language.ts'
import { t } from '../languages/message.ts'
import { DAY, HOUR, MINUTE, rfc3339 } from '../base/clock.ts'
import { html, type Html } from '../html/html.ts'
import { formattersOf, type Formatters } from './time-zone.ts'
import type { BrowserRequest } from '../http/browser-request.ts'

export interface Times {
  readonly now: number
  /** An IANA time zone name. */
  readonly timeZone: string
  /** The current date in the reader's time zone, YYYY-MM-DD. */
  readonly today: string
  /** As `21 Nov 2026`. */
  day(at: number): Html
  /** As `2 hours ago`; after a week, the day. */
  ago(at: number): Html
  /** As `19 February 2027`, as text. */
  longDay(at: number): string
  /** As `14:10`, as text. */
  time(at: number): string
  /** With the time of day. */
  moment(at: number): Html
}

/** In the reader's time zone. `now` is what relative times refer to. */
export function timesOf({ timeZone }: Pick<BrowserRequest, 'timeZone'>, now: number): Times {
  const formatters = formattersOf(timeZone)
  const day = (at: number) => momentElement(at, formatters.date.format(at), formatters)
  return {
    now,
    timeZone: formatters.timeZone,
    today: formatters.day.format(now),
    day,
    ago(at) {
      const text = relative(at, now)
      return text === undefined ? day(at) : momentElement(at, text, formatters)
    },
    longDay: (at) => formatters.longDate.format(at),
    time: (at) => formatters.time.format(at),
    moment: (at) => momentElement(at, formatters.moment.format(at), formatters),
  }
}

/** As `21 Nov 2026`, for public pages and values counted by UTC day. */
export function utcDay(at: number): Html {
  const utc = formattersOf('UTC')
  return momentElement(at, utc.date.format(at), utc)
}

/** As `19 February 2027`, as text. */
export function utcLongDay(at: number): string {
  return formattersOf('UTC').longDate.format(at)
}

/** Undefined for times more than a week ago. */
function relative(at: number, now: number): string | undefined {
  const passed = now - at
  if (passed < MINUTE) return t('just now')
  if (passed < HOUR) return RELATIVE().format(-Math.floor(passed / MINUTE), 'minute')
  if (passed < DAY) return RELATIVE().format(-Math.floor(passed / HOUR), 'hour')
  if (passed < 7 * DAY) return RELATIVE().format(-Math.floor(passed / DAY), 'day')
  return undefined
}

function momentElement(at: number, text: string, { moment }: Formatters): Html {
  return html`<time datetime="${rfc3339(at)}" title="${moment.format(at)}">${text}</time>`
}

const RELATIVE = perLanguage((locale) => new Intl.RelativeTimeFormat(locale))
