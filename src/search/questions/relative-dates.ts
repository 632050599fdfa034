/** Dates that count from today: `3 months ago`, `last summer`, `this year`, `next week`, `in ages`. */

import { lengthOf, type Period, type Scope } from './calendar-dates.ts'
import {
  addDays,
  addUnits,
  lastYearOf,
  monthPeriod,
  SEASON_STARTS,
  seasonPeriod,
  startOfUnit,
  type DayRange,
} from './days-and-units.ts'
import { dateList, matchPhrase } from './phrases.ts'

/** `next month`: the calendar month after this one; `next 3 weeks`: from today on; `tomorrow`; `soon`: 30 days. */
export function nextAt(scope: Scope, at: number): Period | undefined {
  const { today } = scope
  const tomorrow = lengthOf(scope, 'tomorrow', at)
  if (tomorrow > 0) return { from: addDays(today, 1), to: addDays(today, 2), length: tomorrow }
  const soon = lengthOf(scope, 'soon', at)
  if (soon > 0) return { from: today, to: addDays(today, SOON_DAYS), length: soon }
  const first = lengthOf(scope, 'next', at)
  const amount = first > 0 ? countedUnitAt(scope, at + first) : undefined
  if (amount) {
    const to = addUnits(today, amount.unit, amount.count)
    return { from: today, to, length: first + amount.length }
  }
  const unit = unitAt(scope, at + first)
  const second = unit && first === 0 ? lengthOf(scope, 'next', at + unit.length) : 0
  if (!unit || first + second === 0) return undefined
  const from = addUnits(startOfUnit(today, unit.unit), unit.unit, 1)
  return { from, to: addUnits(from, unit.unit, 1), length: first + unit.length + second }
}

const SOON_DAYS = 30

/** `3 months ago`: that month; the same for other units. */
export function agoAt(scope: Scope, at: number): Period | undefined {
  const before = lengthOf(scope, 'ago-before', at)
  const amount = countedUnitAt(scope, at + before)
  if (!amount) return undefined
  const after = lengthOf(scope, 'ago', at + before + amount.length)
  if (before === 0 && after === 0) return undefined
  const from = startOfUnit(addUnits(scope.today, amount.unit, -amount.count), amount.unit)
  const length = before + amount.length + after
  return { from, to: addUnits(from, amount.unit, 1), length }
}

/** `last year`, `last 3 months`, `last summer`, `mois dernier`, `3 derniers mois`. */
export function lastAt(scope: Scope, at: number): Period | undefined {
  const skipped = lengthOf(scope, 'longer', at)
  const inAmount = skipped > 0 ? lastAmountAt(scope, at + skipped) : undefined
  if (inAmount) return { ...inAmount, length: inAmount.length + skipped }
  return lastAmountAt(scope, at) ?? lastUnitAt(scope, at)
}

/** `last 3 months`: the days since then, today included. */
function lastAmountAt(scope: Scope, at: number): Period | undefined {
  const last = lengthOf(scope, 'last', at)
  const amount = countedUnitAt(scope, at + last)
  if (last > 0 && amount) return amountPeriod(scope, amount, last + amount.length)
  const count = numberAt(scope, at)
  if (!count) return undefined
  const middle = lengthOf(scope, 'last', at + count.length)
  const unit = middle > 0 ? unitAt(scope, at + count.length + middle) : undefined
  if (!unit) return undefined
  return amountPeriod(
    scope,
    { unit: unit.unit, count: count.value },
    count.length + middle + unit.length,
  )
}

/** `last month`: the calendar month before this one; `last summer`: the last one that has ended or begun. */
function lastUnitAt(scope: Scope, at: number): Period | undefined {
  const first = lengthOf(scope, 'last', at)
  const named = namedAt(scope, at + first)
  if (!named) return undefined
  const second = first === 0 ? lengthOf(scope, 'last', at + named.length) : 0
  if (first + second === 0) return undefined
  return { ...named.last(), length: first + named.length + second }
}

interface Named {
  readonly length: number
  last(): DayRange
}

function namedAt(scope: Scope, at: number): Named | undefined {
  const { today } = scope
  const unit = unitAt(scope, at)
  if (unit)
    return {
      length: unit.length,
      last() {
        const to = startOfUnit(today, unit.unit)
        return { from: addUnits(to, unit.unit, -1), to }
      },
    }
  const month = matchPhrase(dateList('month'), scope.tokens, at)
  if (month)
    return {
      length: month.length,
      last: () => monthPeriod(lastYearOf(month.line, today), month.line),
    }
  const season = matchPhrase(dateList('season'), scope.tokens, at)
  if (!season) return undefined
  return {
    length: season.length,
    last() {
      const start = SEASON_STARTS[season.line] ?? 0
      const running = seasonPeriod(lastYearOf(start, today), season.line)
      return running.to > today ? seasonPeriod(lastYearOf(start, today) - 1, season.line) : running
    },
  }
}

/** `this year`. */
export function thisAt(scope: Scope, at: number): Period | undefined {
  const length = lengthOf(scope, 'this', at)
  const unit = length > 0 ? unitAt(scope, at + length) : undefined
  if (!unit) return undefined
  const from = startOfUnit(scope.today, unit.unit)
  return { from, to: addUnits(from, unit.unit, 1), length: length + unit.length }
}

/** `6 months`, `a year`, `a long time`: the days since then. */
export function amountAt(scope: Scope, at: number): Period | undefined {
  const long = lengthOf(scope, 'long', at)
  if (long > 0) return amountPeriod(scope, { unit: 4, count: 1 }, long)
  const amount = countedUnitAt(scope, at)
  return amount && amountPeriod(scope, amount, amount.length)
}

function amountPeriod(
  { today }: Scope,
  { unit, count }: { readonly unit: number; readonly count: number },
  length: number,
): Period {
  return { from: addUnits(today, unit, -count), to: addDays(today, 1), length }
}

/** `haven't spoken to in 6 months`, `for over a year`, `in ages`: an amount of time at this token. */
export function amountOfTime(
  tokens: readonly string[],
  at: number,
  today: string,
): { readonly from: string; readonly length: number } | undefined {
  const scope = { tokens, today }
  let start = at
  for (let skipped = 1; skipped > 0 && start - at < 4; start += skipped) {
    const period = amountAt(scope, start)
    if (period) return { from: period.from, length: start - at + period.length }
    skipped = lengthOf(scope, 'longer', start)
  }
  return undefined
}

interface CountedUnit {
  /** 0 to 4: day, week, month, quarter, year. */
  readonly unit: number
  readonly count: number
  readonly length: number
}

function countedUnitAt(scope: Scope, at: number): CountedUnit | undefined {
  const count = numberAt(scope, at)
  const unit = count && unitAt(scope, at + count.length)
  return unit && { unit: unit.unit, count: count.value, length: count.length + unit.length }
}

function numberAt(scope: Scope, at: number): { value: number; length: number } | undefined {
  const token = scope.tokens[at] ?? ''
  if (/^\d{1,3}$/.test(token)) return { value: Number(token), length: 1 }
  const match = matchPhrase(dateList('number'), scope.tokens, at)
  return match && { value: match.line + 1, length: match.length }
}

function unitAt(scope: Scope, at: number): { unit: number; length: number } | undefined {
  const match = matchPhrase(dateList('unit'), scope.tokens, at)
  return match && { unit: match.line, length: match.length }
}
