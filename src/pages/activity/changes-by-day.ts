/** The activity as a log: changes by day, and one line for those of one author, kind and hour. */

import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { DAY } from '../../base/clock.ts'
import { formattersOf } from '../../ui/time-zone.ts'
import type { DescribedChange } from './described-change.ts'
import type { Times } from '../../ui/time.ts'

export interface LogGroup {
  /** As `14:10`, of the latest change. */
  readonly time: string
  /** Newest first. */
  readonly changes: readonly [DescribedChange, ...DescribedChange[]]
}

export interface LogDay {
  /** YYYY-MM-DD */
  readonly day: string
  /** As `Today` or `Saturday, 28 November`. */
  readonly title: string
  readonly count: number
  readonly groups: readonly LogGroup[]
}

/** Groups changes by day. They are sorted by time, newest first. */
export function logDays(changes: readonly DescribedChange[], times: Times): LogDay[] {
  const { day: dayFormatter, time: timeFormatter } = formattersOf(times.timeZone)
  const days = Map.groupBy(changes, ({ change }) => dayFormatter.format(change.at))
  return [...days].map(([day, own]) => {
    const groups = Map.groupBy(own, ({ change, kind }) => {
      const hour = timeFormatter.format(change.at).slice(0, 2)
      return JSON.stringify([hour, change.actor, change.isByAgent, kind])
    })
    const lines = [...groups.values()].flatMap(([first, ...others]) =>
      first
        ? [{ time: timeFormatter.format(first.change.at), changes: [first, ...others] as const }]
        : [],
    )
    return { day, title: dayTitle(day, times), count: own.length, groups: lines }
  })
}

function dayTitle(day: string, { today, now, timeZone }: Times): string {
  if (day === today) return t('Today')
  if (day === formattersOf(timeZone).day.format(now - DAY)) return t('Yesterday')
  const format = day.slice(0, 4) === today.slice(0, 4) ? LONG_DAY() : LONG_DATE()
  return format.format(Date.parse(day))
}

const PARTS = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
const LONG_DAY = perLanguage((locale) => new Intl.DateTimeFormat(locale, PARTS))
const LONG_DATE = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { ...PARTS, year: 'numeric' }),
)
