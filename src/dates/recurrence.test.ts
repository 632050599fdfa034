import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DAY } from '../base/clock.ts'
import { inLanguage } from '../languages/language.ts'
import { dayAt, isDay } from './calendar-day.ts'
import {
  firstDay,
  intervalOf,
  LAST,
  nextDay,
  recurrenceOf,
  type Interval,
  type Recurrence,
} from './recurrence.ts'
import { readCadence } from './cadence.ts'
import { readRecurrence, recurrenceText } from './recurrence-text.ts'

/** Every day from 1970 to 2199. */
const days = fc.integer({ min: 0, max: 84_005 }).map((number) => dayAt(number * DAY))
const intervals = fc.record({
  every: fc.integer({ min: 1, max: 10 }),
  unit: fc.constantFrom('day', 'week', 'month', 'year'),
})
const onWeekdays = fc.oneof(
  fc.record({
    every: fc.integer({ min: 1, max: 10 }),
    unit: fc.constant('week' as const),
    weekday: fc.integer({ min: 0, max: 6 }),
  }),
  fc.record({
    every: fc.integer({ min: 1, max: 10 }),
    unit: fc.constant('month' as const),
    weekday: fc.integer({ min: 0, max: 6 }),
    ordinal: fc.integer({ min: 1, max: LAST }),
  }),
)
const recurrences = fc.oneof(intervals, onWeekdays).map((one) => recurrenceOf(one) ?? assert.fail())

const dayOfMonth = (day: string) => Number(day.slice(8))
const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
const lastOfMonth = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()

const weekday = (day: string) => new Date(day).getUTCDay()

/** Whether a day is on the weekday of the series, and the nth or last one of its month if the series says so. */
function isOnWeekday(day: string, { weekday: wanted, ordinal }: Interval): boolean {
  if (weekday(day) !== wanted) return false
  if (ordinal === undefined) return true
  if (ordinal === LAST) return dayOfMonth(day) + 7 > lastOfMonth(day)
  return Math.ceil(dayOfMonth(day) / 7) === ordinal
}

/** The first day of a series, found day by day. */
function firstInSeries(from: string, recurrence: Recurrence): string {
  const interval = intervalOf(recurrence) ?? assert.fail()
  let day = from
  while (interval.weekday !== undefined && !isOnWeekday(day, interval))
    day = dayAt(Date.parse(day) + DAY)
  return day
}

/** The series computed day by day, as a reference. */
function isInSeries(day: string, from: string, recurrence: Recurrence): boolean {
  if (day < from) return false
  const interval = intervalOf(recurrence) ?? assert.fail()
  const { every, unit } = interval
  if (interval.weekday !== undefined && !isOnWeekday(day, interval)) return false
  if (interval.ordinal !== undefined) return (monthOf(day) - monthOf(from)) % every === 0
  const step = { day: every, week: 7 * every, month: every, year: 12 * every }[unit]
  if (unit === 'day' || unit === 'week')
    return (Date.parse(day) - Date.parse(from)) % (step * DAY) === 0
  if ((monthOf(day) - monthOf(from)) % step !== 0) return false
  return dayOfMonth(day) === Math.min(dayOfMonth(from), lastOfMonth(day))
}

test('isDay accepts only existing dates', () => {
  for (const day of ['2024-02-29', '2000-02-29', '2026-12-31']) assert.ok(isDay(day), day)
  for (const text of ['2026-02-29', '2100-02-29', '2026-13-01', '2026-00-10', '2026-1-1', 'today'])
    assert.ok(!isDay(text), text)
})

test('month ends and leap days return after shorter months and years', () => {
  const series = (from: string, recurrence: Recurrence, count: number) => {
    const found = [from]
    for (let last = from; found.length < count; found.push(last))
      last = nextDay(from, recurrence, last) ?? assert.fail()
    return found.map((day) => day.slice(2))
  }
  assert.deepEqual(series('2027-01-31', 'monthly', 4), [
    '27-01-31',
    '27-02-28',
    '27-03-31',
    '27-04-30',
  ])
  assert.deepEqual(series('2027-11-30', 'quarterly', 4), [
    '27-11-30',
    '28-02-29',
    '28-05-30',
    '28-08-30',
  ])
  assert.deepEqual(series('2096-02-29', 'yearly', 3), ['96-02-29', '97-02-28', '98-02-28'])
  assert.equal(nextDay('2096-02-29', 'yearly', '2100-01-01'), '2100-02-28')
  assert.equal(nextDay('2096-02-29', 'yearly', '2103-02-28'), '2104-02-29')
  assert.equal(nextDay('2026-11-21', 'none', '2026-11-21'), undefined)
})

test('nextDay is the first date of any series after the given date', () => {
  fc.assert(
    fc.property(days, recurrences, fc.integer({ min: 0, max: 4000 }), (from, recurrence, late) => {
      const after = dayAt(Date.parse(from) + late * DAY)
      const next = nextDay(from, recurrence, after) ?? assert.fail()
      assert.ok(isDay(next) && next > after)
      const first = firstInSeries(from, recurrence)
      assert.equal(firstDay(from, recurrence), first)
      assert.ok(isInSeries(next, first, recurrence), `${next} is not in the series`)
      for (let time = Date.parse(after) + DAY; dayAt(time) < next; time += DAY)
        assert.ok(!isInSeries(dayAt(time), first, recurrence), `${dayAt(time)} comes first`)
    }),
    { numRuns: 500 },
  )
})

test('nextDay before the start of a series is its first date', () => {
  fc.assert(
    fc.property(days, recurrences, fc.integer({ min: 1, max: 4000 }), (from, recurrence, early) => {
      const before = dayAt(Date.parse(from) - early * DAY)
      assert.equal(nextDay(from, recurrence, before), firstDay(from, recurrence))
    }),
  )
})

test('a recurrence is read as it is written, and in words', () => {
  fc.assert(
    fc.property(intervals, (interval) => {
      const recurrence = recurrenceOf(interval) ?? assert.fail()
      assert.equal(readRecurrence(recurrence), recurrence)
      const { every, unit } = interval
      assert.equal(readRecurrence(`every ${every} ${unit}s`), recurrence)
    }),
  )
  const cases = {
    'Every two weeks': 'every 2 weeks',
    'every other day': 'every 2 days',
    'every 12 months': 'yearly',
    'Alle zwei Wochen': 'every 2 weeks',
    'jeden Tag': 'daily',
    jährlich: 'yearly',
    'Every 1,000 days': 'every 1000 days',
    'each quarter': 'quarterly',
    biweekly: 'every 2 weeks',
    nie: 'none',
    'last Friday of each month': 'last Friday of every month',
    'the last Friday of the month': 'last Friday of every month',
    'first Monday of every month': 'first Monday of every month',
    'monthly on the first Monday': 'first Monday of every month',
    'every 3 months on the third Thursday': 'third Thursday of every 3 months',
    'every Friday': 'every Friday',
    Fridays: 'every Friday',
    'weekly on Fridays': 'every Friday',
    'every 2 weeks on Tuesday': 'every 2 weeks on Tuesday',
    'every other Tuesday': 'every 2 weeks on Tuesday',
    'jeden Freitag': 'every Friday',
    freitags: 'every Friday',
    'Jeden letzten Freitag im Monat': 'last Friday of every month',
    'am ersten Montag jedes Monats': 'first Monday of every month',
    'alle zwei Wochen am Dienstag': 'every 2 weeks on Tuesday',
    'jeden zweiten Dienstag': 'every 2 weeks on Tuesday',
    'jeden zweiten Dienstag im Monat': 'second Tuesday of every month',
  }
  for (const [text, recurrence] of Object.entries(cases))
    assert.equal(readRecurrence(text), recurrence, text)
  const others = ['every 0 days', 'every 99999 days', 'every 600 weeks', 'soon', '', 'every']
  const unclear = ['third Friday', 'every day on Friday', 'last week', 'every Friday Monday']
  for (const text of [...others, ...unclear, 'every 200 months on the last Friday'])
    assert.equal(readRecurrence(text), undefined, text)
})

test('what is shown of a recurrence is read back, in both languages', () => {
  fc.assert(
    fc.property(recurrences, fc.constantFrom('en', 'de'), (recurrence, language) => {
      const text = inLanguage(language, () => recurrenceText(recurrence))
      assert.equal(readRecurrence(text), recurrence, text)
      assert.equal(readRecurrence(recurrence), recurrence)
    }),
  )
})

test('any text is a recurrence or none', () => {
  const words = fc.constantFrom(
    ...'every second last Friday of month 2 weeks on jeden im 99 once a year other'.split(' '),
  )
  const texts = fc.array(words, { maxLength: 7 }).map((some) => some.join(' '))
  fc.assert(
    fc.property(fc.oneof(fc.string(), texts), (text) => {
      const recurrence = readRecurrence(text)
      if (recurrence !== undefined && recurrence !== 'none') assert.ok(intervalOf(recurrence))
      readCadence(text)
    }),
  )
})

test('a series ends with the last year of four digits', () => {
  assert.equal(nextDay('9990-01-01', 'every 10 years', '9990-01-01'), undefined)
  assert.equal(nextDay('9999-12-30', 'every 5 days', '9999-12-30'), undefined)
})
