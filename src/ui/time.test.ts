import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TEST_NOW } from '../../test/support/store.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { timesOf, utcDay, utcLongDay } from './time.ts'
import { countOf } from './numbers.ts'

const UTC = timesOf({ timeZone: 'UTC' }, TEST_NOW)

test('a day has a short text and an exact title and datetime', () => {
  const day =
    '<time datetime="2026-11-21T12:00:00.000Z" title="21 November 2026 at 12:00 UTC">21 Nov 2026</time>'
  assert.equal(UTC.day(TEST_NOW).toString(), day)
  assert.equal(utcDay(TEST_NOW).toString(), day)
  assert.match(utcDay(Date.UTC(2021, 8, 5)).toString(), />5 Sep 2021</)
  assert.equal(UTC.longDay(Date.UTC(2027, 1, 1)), '1 February 2027')
  assert.equal(utcLongDay(Date.UTC(2027, 1, 1)), '1 February 2027')
})

test('a moment uses the reader’s time zone', () => {
  const late = Date.UTC(2026, 10, 21, 23, 30)
  const told = [
    ['Asia/Kolkata', '2026-11-22', '22 November 2026 at 05:00 GMT+5:30'],
    ['America/New_York', '2026-11-21', '21 November 2026 at 18:30 GMT-5'],
    ['Pacific/Kiritimati', '2026-11-22', '22 November 2026 at 13:30 GMT+14'],
  ] as const
  for (const [timeZone, today, moment] of told) {
    const times = timesOf({ timeZone }, late)
    assert.equal(times.today, today)
    const ago = times.ago(late).toString()
    assert.ok(ago.includes(`title="${moment}"`), ago)
  }
})

test('an invalid time zone falls back to UTC', () => {
  const anything = fc.oneof(fc.string(), fc.constantFrom('+05:17', '', 'Mars/Olympus', '__proto__'))
  fc.assert(
    fc.property(anything, (timeZone) => {
      const times = timesOf({ timeZone }, TEST_NOW)
      assert.match(times.today, /^2026-11-2[012]$/)
      if (!/^[A-Za-z]/.test(timeZone)) assert.equal(times.timeZone, 'UTC')
    }),
  )
})

test('relative times use the largest unit, and the date after a week', () => {
  const read: readonly (readonly [number, string])[] = [
    [-5 * SECOND, 'just now'],
    [59 * SECOND, 'just now'],
    [MINUTE, '1 minute ago'],
    [HOUR - 1, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [DAY - 1, '23 hours ago'],
    [DAY, '1 day ago'],
    [7 * DAY - 1, '6 days ago'],
    [7 * DAY, '14 Nov 2026'],
    [400 * DAY, '17 Oct 2025'],
  ]
  for (const [passed, text] of read)
    assert.ok(
      UTC.ago(TEST_NOW - passed)
        .toString()
        .endsWith(`>${text}</time>`),
      text,
    )
})

test('nouns are singular or plural', () => {
  assert.equal(countOf(0, 'call'), '0\u00A0calls')
  assert.equal(countOf(1, 'call'), '1\u00A0call')
  assert.equal(countOf(1204, 'call'), '1,204\u00A0calls')
})
