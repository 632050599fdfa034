import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { periodOf } from '../../credits/month.ts'
import { monthOf } from './spending.ts'

const NOVEMBER = periodOf(Date.UTC(2026, 10, 21))

test('a month has all its days, and series are ordered by spending', () => {
  const spending = [
    { day: 0, reason: 'few', credits: 1 },
    { day: 29, reason: 'many', credits: 4 },
    { day: 29, reason: 'few', credits: 2 },
  ]
  const { days, series, total } = monthOf(spending, NOVEMBER, (reason) => reason.toUpperCase())
  assert.equal(days.length, 30)
  assert.equal(days[29], Date.UTC(2026, 10, 30))
  assert.deepEqual(
    series.map(({ label, total: sum, days: credits }) => [label, sum, credits[0], credits[29]]),
    [
      ['MANY', 4, 0, 4],
      ['FEW', 3, 1, 2],
    ],
  )
  assert.equal(total, 7)
  assert.equal(monthOf([], periodOf(Date.UTC(2028, 1, 1)), String).days.length, 29)
})

test('five series show all spending, however many tools there are', () => {
  const entry = fc.record({
    day: fc.nat({ max: 29 }),
    reason: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    credits: fc.integer({ min: -3, max: 9 }),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(entry, { selector: ({ day, reason }) => `${day} ${reason}` }),
      (entries) => {
        const { days, series, total } = monthOf(entries, NOVEMBER, String)
        const spent = entries.reduce((sum, { credits }) => sum + Math.max(credits, 0), 0)
        assert.ok(series.length <= 5)
        assert.equal(total, spent)
        for (const one of series) {
          assert.equal(one.days.length, days.length)
          assert.equal(
            one.days.reduce((sum, credits) => sum + credits, 0),
            one.total,
          )
        }
        assert.equal(
          series.reduce((sum, one) => sum + one.total, 0),
          spent,
        )
      },
    ),
  )
})
