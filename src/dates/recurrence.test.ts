import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DAY } from '../base/clock.ts'
import { dayAt, isDay } from './calendar-day.ts'
import { intervalOf, nextDay, recurrenceOf, type Recurrence } from './recurrence.ts'
import { readRecurrence } from './recurrence-text.ts'

/** Every day from 1970 to 2199. */
const days = fc.integer({ min: 0, max: 84_005 }).map((number) => dayAt(number * DAY))
const intervals = fc.record({
  every: fc.integer({ min: 1, max: 10 }),
  unit: fc.constantFrom('day', 'week', 'month', 'year'),
})
const recurrences = intervals.map((one) => recurrenceOf(one) ?? assert.fail())

const dayOfMonth = (day: string) => Number(day.slice(8))
const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
const lastOfMonth = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()

/** The series computed day by day, as a reference. */
function isInSeries(day: string, from: string, recurrence: Recurrence): boolean {
  if (day < from) return false
  const { every, unit } = intervalOf(recurrence) ?? assert.fail()
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
      assert.ok(isInSeries(next, from, recurrence), `${next} is not in the series`)
      for (let time = Date.parse(after) + DAY; dayAt(time) < next; time += DAY)
        assert.ok(!isInSeries(dayAt(time), from, recurrence), `${dayAt(time)} comes first`)
    }),
    { numRuns: 500 },
  )
})

test('nextDay before the start of a series is its first date', () => {
  fc.assert(
    fc.property(days, recurrences, fc.integer({ min: 1, max: 4000 }), (from, recurrence, early) => {
      assert.equal(nextDay(from, recurrence, dayAt(Date.parse(from) - early * DAY)), from)
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
  }
  for (const [text, recurrence] of Object.entries(cases))
    assert.equal(readRecurrence(text), recurrence, text)
  for (const text of ['every 0 days', 'every 99999 days', 'every 600 weeks', 'soon', ''])
    assert.equal(readRecurrence(text), undefined, text)
})

test('a series ends with the last year of four digits', () => {
  assert.equal(nextDay('9990-01-01', 'every 10 years', '9990-01-01'), undefined)
  assert.equal(nextDay('9999-12-30', 'every 5 days', '9999-12-30'), undefined)
})
