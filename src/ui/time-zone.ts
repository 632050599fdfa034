/** Date and time formatters of a time zone. */

import { currentLocale, perLanguage } from '../languages/language.ts'
import { canonicalTimeZone } from '../dates/time-zone.ts'
import { dateFormatter, type DateFormatter } from '../dates/format-date.ts'

export interface Formatters {
  readonly timeZone: string
  /** As `21 Nov 2026`. */
  readonly date: DateFormatter
  /** As `21 November 2026`. */
  readonly longDate: Intl.DateTimeFormat
  /** As `21 November 2026 at 13:00 CET`. */
  readonly moment: Intl.DateTimeFormat
  /** Writes days as `2026-11-21`. */
  readonly day: Intl.DateTimeFormat
  /** As `09:05`. */
  readonly time: Intl.DateTimeFormat
}

/** Formatters are expensive to create, so those of recent zones are cached. All 450 zones would take 60 MB. */
const formattersByZone = perLanguage(() => new Map<string, Formatters>())
const MAX_CACHED = 32

/** Falls back to UTC for unknown zones, because the name comes from a cookie. */
export function formattersOf(timeZone: string): Formatters {
  const made = formattersByZone()
  const known = made.get(timeZone)
  if (known) return known
  // Zones have several spellings; the cache uses the canonical one.
  const canonical = canonicalTimeZone(timeZone) ?? 'UTC'
  return made.get(canonical) ?? keep(made, makeFormatters(canonical))
}

function keep(made: Map<string, Formatters>, formatters: Formatters): Formatters {
  made.set(formatters.timeZone, formatters)
  const [oldest] = made.keys()
  if (made.size > MAX_CACHED && oldest !== undefined) made.delete(oldest)
  return formatters
}

function makeFormatters(timeZone: string): Formatters {
  const locale = currentLocale()
  const parts = { day: 'numeric', year: 'numeric', timeZone } as const
  return {
    timeZone,
    date: dateFormatter({ ...parts, month: 'short' }),
    longDate: new Intl.DateTimeFormat(locale, { ...parts, month: 'long' }),
    moment: new Intl.DateTimeFormat(locale, {
      ...parts,
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
    time: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }),
    day: new Intl.DateTimeFormat('en-CA', { ...parts, month: '2-digit', day: '2-digit' }),
  }
}
