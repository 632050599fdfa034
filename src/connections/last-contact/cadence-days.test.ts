import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  dayCount,
  dayFromCount,
  daysLater,
  isDay,
  monthsSinceZero,
} from '../../dates/calendar-day.ts'
import { CADENCE_UNITS } from '../../dates/cadence.ts'
import { dueAfter, dueBy, dueOf } from './cadence-days.ts'
import { rhythmOf } from './rhythm.ts'

test('a month after the last day of January is the last day of February', () => {
  const monthly = { every: 1, unit: 'month' } as const
  assert.equal(dueAfter('2026-01-31', monthly), '2026-02-28')
  assert.equal(dueAfter('2028-01-31', monthly), '2028-02-29')
  assert.equal(dueAfter('2026-11-30', { every: 3, unit: 'month' }), '2027-02-28')
})

const DAY_TEXT = fc.integer({ min: 0, max: 80_000 }).map((days) => daysLater('1900-01-01', days))
const CADENCE = fc.record({
  every: fc.integer({ min: 1, max: 120 }),
  unit: fc.constantFrom(...CADENCE_UNITS),
})

test('a cadence leads to an existing later day, months to the month that it says, and later contacts to no earlier day', () => {
  fc.assert(
    fc.property(DAY_TEXT, DAY_TEXT, CADENCE, (one, other, cadence) => {
      const due = dueAfter(one, cadence)
      assert.ok(isDay(due) && due > one)
      if (cadence.unit === 'month') {
        assert.equal(monthsSinceZero(due) - monthsSinceZero(one), cadence.every)
        assert.ok(due.slice(8) <= one.slice(8))
      } else assert.equal(due, daysLater(one, cadence.every * (cadence.unit === 'week' ? 7 : 1)))
      if (other >= one) assert.ok(dueAfter(other, cadence) >= due)
    }),
  )
})

test('due is the last contact, or else the day on which the cadence was set, plus the cadence', () => {
  fc.assert(
    fc.property(fc.option(DAY_TEXT), DAY_TEXT, CADENCE, (lastContactOn, setOn, cadence) => {
      const from = lastContactOn ?? setOn
      const { dueDay, cadenceDays } = dueBy('own', cadence, { lastContactOn, setOn })
      assert.equal(dayFromCount(dueDay), dueAfter(from, cadence))
      assert.equal(dayFromCount(dueDay - cadenceDays), from)
      assert.equal(cadenceDays, dueDay - dayCount(from))
    }),
  )
})

test('four days of contact make a rhythm: the median gap, whatever their order', () => {
  assert.equal(rhythmOf([10, 20, 30]), null)
  assert.equal(rhythmOf([40, 10, 10, 30, 20]), 10)
  assert.equal(rhythmOf([0, 30, 60, 90, 400]), 30)
  const person = { every: null, unit: null, setOn: null, lastContactOn: '1970-01-11' }
  const dueAfterRhythm = (rhythmDays: number) => dueOf({ ...person, rhythmDays }, [])
  assert.deepEqual(dueAfterRhythm(3), { basis: 'rhythm', dueDay: 40, cadenceDays: 30 })
  assert.deepEqual(dueAfterRhythm(30), { basis: 'rhythm', dueDay: 100, cadenceDays: 90 })
})
