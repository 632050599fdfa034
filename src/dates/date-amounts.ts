/** Dates that are an amount of time away: `3 weeks ago`, `in two months`, `last 10 days`. */

import { daysLater, isDay, unitsLater, type DateUnit } from './calendar-day.ts'
import { lengthAt, wordsAt } from './date-words.ts'
import {
  dayRange,
  meansPast,
  saidOf,
  unitRange,
  type DayRange,
  type Said,
  type Scope,
} from './said-date.ts'

const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const

interface Amount {
  readonly count: number
  readonly unit: DateUnit
  readonly length: number
}

export function unitAt(
  tokens: readonly string[],
  at: number,
): { unit: DateUnit; length: number } | undefined {
  const match = wordsAt('unit', tokens, at)
  const unit = UNITS[match?.line ?? -1]
  return match && unit && { unit, length: match.length }
}

/** A number of up to four digits, or a word up to twelve. */
export function countAt(
  tokens: readonly string[],
  at: number,
): { readonly count: number; readonly length: number } | undefined {
  if (/^\d{1,4}$/.test(tokens[at] ?? '')) return { count: Number(tokens[at]), length: 1 }
  const match = wordsAt('number', tokens, at)
  return match && { count: match.line + 1, length: match.length }
}

function amountOf(tokens: readonly string[], at: number): Amount | undefined {
  const count = countAt(tokens, at)
  const unit = count && count.count < 1000 ? unitAt(tokens, at + count.length) : undefined
  return (
    count && unit && { count: count.count, unit: unit.unit, length: count.length + unit.length }
  )
}

/** `3 months ago`: that day, in that month. */
export function agoAt({ tokens, today }: Scope, at: number): Said | undefined {
  const before = lengthAt('ago-before', tokens, at)
  const amount = amountOf(tokens, at + before)
  if (!amount) return undefined
  const after = lengthAt('ago', tokens, at + before + amount.length)
  if (before + after === 0) return undefined
  return aroundDay(today, -amount.count, amount, before + amount.length + after)
}

/** `in two weeks`, `3 days from now`. In a question about the past, that is the time since then. */
export function aheadAt(scope: Scope, at: number): Said | undefined {
  const { tokens, today } = scope
  if (scope.isQuestion && meansPast(scope)) return undefined
  const before = lengthAt('ahead', tokens, at)
  const amount = amountOf(tokens, at + before)
  if (!amount) return undefined
  const after = before > 0 ? 0 : lengthAt('ahead-after', tokens, at + amount.length)
  if (before + after === 0) return undefined
  return aroundDay(today, amount.count, amount, before + amount.length + after)
}

function aroundDay(today: string, count: number, { unit }: Amount, length: number): Said {
  const day = unitsLater(today, count, unit)
  const range = isDay(day) ? unitRange(day, unit) : dayRange(day)
  return { ...saidOf(range, length, 'period'), day }
}

/** `6 months`: the time until now, or from now on. */
export function amountAt(scope: Scope, at: number): Said | undefined {
  const amount = scope.meant === undefined ? undefined : amountOf(scope.tokens, at)
  if (!amount) return undefined
  const range = stretch(scope.today, meansPast(scope) ? -amount.count : amount.count, amount.unit)
  const day = meansPast(scope) ? range.from : range.to
  return { ...saidOf(range, amount.length, 'period'), day }
}

/** From or until the day a number of units from today, which is included. */
export function stretch(today: string, count: number, unit: DateUnit): DayRange {
  const other = unitsLater(today, count, unit)
  return count < 0 ? { from: other, to: daysLater(today, 1) } : { from: today, to: other }
}

/** `last 3 months`, `next 10 days`, `3 derniers mois`, today included. */
export function countedAt({ tokens, today }: Scope, at: number): Said | undefined {
  const first = orderAt(tokens, at)
  const count = countAt(tokens, at + (first?.length ?? 0))
  if (!count) return undefined
  const middle = at + (first?.length ?? 0) + count.length
  const order = first ?? orderAt(tokens, middle)
  const start = middle + (first ? 0 : (order?.length ?? 0))
  const unit = unitAt(tokens, start)
  if (!order || !unit || order.step === 0 || count.count === 0 || count.count > 999)
    return undefined
  const range = stretch(today, order.step * count.count, unit.unit)
  return saidOf(range, start + unit.length - at, 'period')
}

/** -1 for `last`, 0 for `this` and 1 for `next`. */
export function orderAt(tokens: readonly string[], at: number) {
  const match = wordsAt('order', tokens, at)
  return match && { step: match.line - 1, length: match.length }
}
