/** Reads periods as people say them: `January`, `last week`, `end of next month`. */

import { t } from '../languages/message.ts'
import { daysLater, dayOf, monthsLater, startOfDay } from './calendar-day.ts'
import { writtenCount, MONTHS } from './date-words.ts'

/** Days, both included. */
interface Period {
  readonly from: string
  readonly to: string
}

/**
 * Of dates that recur (`Saturday`, `5 March`, `January`), the latest or the next one. The first or last day of periods, which
 * are rejected without it.
 */
export type MeantDay = Tense | `${Tense}-${'first' | 'last'}`
type Tense = 'latest' | 'next'

/** A day, a problem that continues a sentence, or undefined for other texts. `words`: see `dateWords`. */
export function readPeriod(
  words: string,
  today: string,
  meant: MeantDay | undefined,
): { readonly day: string } | { readonly problem: string } | undefined {
  const parts = /^(?:in )?(?:(end|start|beginning) )?(.+)$/.exec(words)
  const [, part, name = ''] = parts ?? []
  if (SEASONS.has(name.replace(/^(?:this|next|last) /, '').replace(/ \d{4}$/, '')))
    return {
      problem: t('is a season, which begins on other days elsewhere; give a month or a date'),
    }
  const period = periodNamed(name, { today, meant, isPart: part !== undefined })
  if (period === undefined) return undefined
  if (part !== undefined) return { day: part === 'end' ? period.to : period.from }
  if (meant?.includes('-') !== true)
    return {
      problem: t('is the time from {from} to {to}; give one day of it', {
        from: period.from,
        to: period.to,
      }),
    }
  return { day: meant.endsWith('first') ? period.from : period.to }
}

/** The days that words name: `next week`, `this weekend`, `next 3 days` (today included), `2026-11-23 to 2026-11-29`. */
export function readDays(words: string, today: string): Period | undefined {
  const range = /^(\d{4}-\d\d-\d\d)(?: ?\/ ?| to | until | bis )(\d{4}-\d\d-\d\d)$/.exec(words)
  if (range) return { from: range[1] ?? '', to: range[2] ?? '' }
  const name = words.replace(/^in /, '')
  const next = /^(?:next|coming) (\w+) (day|week)s?$/.exec(name)
  const count = writtenCount(next?.[1] ?? '')
  if (next && count !== undefined && count > 0)
    return { from: today, to: daysLater(today, count * (next[2] === 'week' ? 7 : 1) - 1) }
  return weekend(name, today) ?? periodNamed(name, { today, meant: 'next', isPart: false })
}

/** From Saturday to Sunday; on a Sunday, only that day is left of this one. */
function weekend(name: string, today: string): Period | undefined {
  const parts = /^(?:(this|next|coming) )?weekend$/.exec(name)
  if (!parts) return undefined
  const sunday = daysLater(today, (7 - new Date(startOfDay(today)).getUTCDay()) % 7)
  const to = parts[1] === 'next' ? daysLater(sunday, 7) : sunday
  const saturday = daysLater(to, -1)
  return { from: saturday < today ? today : saturday, to }
}

function periodNamed(
  name: string,
  {
    today,
    meant,
    isPart,
  }: { readonly today: string; readonly meant: MeantDay | undefined; readonly isPart: boolean },
): Period | undefined {
  return unitPeriod(name, today, isPart) ?? monthPeriod(name, { today, meant }) ?? yearIn(name)
}

const SEASONS: ReadonlySet<string> = new Set(['spring', 'summer', 'autumn', 'fall', 'winter'])

/** `last week`: from Monday to Sunday. `end of month` is that of this one. */
function unitPeriod(name: string, today: string, isPart: boolean): Period | undefined {
  const parts = /^(?:(this|next|coming|last|past|previous) )?(week|month|year)$/.exec(name)
  if (!parts || (parts[1] === undefined && !isPart)) return undefined
  const steps = parts[1] === undefined || parts[1] === 'this' ? 0 : AHEAD.has(parts[1]) ? 1 : -1
  if (parts[2] === 'week') {
    const monday = daysLater(today, 7 * steps - ((new Date(startOfDay(today)).getUTCDay() + 6) % 7))
    return { from: monday, to: daysLater(monday, 6) }
  }
  return parts[2] === 'month'
    ? monthsFrom(monthsLater(`${today.slice(0, 7)}-01`, steps), 1)
    : monthsFrom(monthsLater(`${today.slice(0, 4)}-01-01`, 12 * steps), 12)
}

const AHEAD: ReadonlySet<string> = new Set(['next', 'coming'])

/** `January 2027`, `2027-01`; `last January` has ended, and `next January` has not begun. */
function monthPeriod(
  name: string,
  { today, meant }: { readonly today: string; readonly meant: MeantDay | undefined },
): Period | undefined {
  const numeric = /^(\d{4})[-/](\d{1,2})$/.exec(name)
  if (numeric) return monthOf(Number(numeric[1]), Number(numeric[2]))
  const [, which, word = '', year] =
    /^(?:(this|next|last) )?(\p{L}+)\.?(?: (\d{4}))?$/u.exec(name) ?? []
  const month = MONTHS.get(word)
  if (month === undefined || (which !== undefined && year !== undefined)) return undefined
  if (year !== undefined) return monthOf(Number(year), month)
  const present = Number(today.slice(0, 4))
  if (which === 'this') return monthOf(present, month)
  const near = [-1, 0, 1].flatMap((step) => monthOf(present + step, month) ?? [])
  const latest = (isMeant: (one: Period) => boolean) => near.findLast(isMeant)
  if (which === 'last') return latest(({ to }) => to < today)
  if (which === 'next' || meant === 'next-first' || meant === 'next')
    return near.find(({ from }) => from > today)
  if (meant === 'next-last') return near.find(({ to }) => to >= today)
  return latest(({ from }) => from <= today)
}

/** Periods of the last year that has four digits would end after it. */
function monthOf(year: number, month: number): Period | undefined {
  const isKnown = month >= 1 && month <= 12 && year >= 1000 && year < 9999
  return isKnown ? monthsFrom(dayOf(year, month, 1), 1) : undefined
}

function yearIn(name: string): Period | undefined {
  return /^[12]\d{3}$/.test(name) ? monthsFrom(`${name}-01-01`, 12) : undefined
}

function monthsFrom(from: string, count: number): Period {
  return { from, to: daysLater(monthsLater(from, count), -1) }
}
