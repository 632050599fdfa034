/** This month's spending by day, as chart series: the top tools, and the rest combined. */

import { t } from '../../languages/message.ts'
import { DAY } from '../../base/clock.ts'
import type { DaySpending } from '../../credits/usage.ts'

export interface Series {
  readonly label: string
  /** Credits by day of the month, starting at index 0; never negative. */
  readonly days: readonly number[]
  readonly total: number
}

export interface Month {
  /** The start of each day in UTC, in milliseconds. */
  readonly days: readonly number[]
  /** Ordered by spending, with "Others" last. */
  readonly series: readonly Series[]
  readonly total: number
}

/** The number of distinguishable colors. */
const MAX_SERIES = 5

interface MonthBounds {
  readonly periodStart: number
  readonly resetsAt: number
}

export function monthOf(
  spending: readonly DaySpending[],
  { periodStart, resetsAt }: MonthBounds,
  labelOf: (reason: string) => string,
): Month {
  const length = Math.round((resetsAt - periodStart) / DAY)
  const byReason = new Map<string, number[]>()
  for (const { day, reason, credits } of spending) {
    const days = byReason.get(reason) ?? Array.from({ length }, () => 0)
    if (day < length) days[day] = Math.max(credits, 0)
    byReason.set(reason, days)
  }
  const all = [...byReason]
    .map(([reason, days]) => ({ label: labelOf(reason), days, total: sumOf(days) }))
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => other.total - one.total || compare(one.label, other.label))
  return {
    days: Array.from({ length }, (_, day) => periodStart + day * DAY),
    series: all.length > MAX_SERIES ? withOthers(all) : all,
    total: sumOf(all.map(({ total }) => total)),
  }
}

function withOthers(all: readonly Series[]): Series[] {
  const others = all.slice(MAX_SERIES - 1)
  const [first] = others
  const days = first?.days.map((_, day) => sumOf(others.map((one) => one.days[day] ?? 0))) ?? []
  return [...all.slice(0, MAX_SERIES - 1), { label: t('Others'), days, total: sumOf(days) }]
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1
}
