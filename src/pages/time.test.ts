import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_NOW } from '../../test/support/store.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { countOf } from './count-of.ts'
import { agoOf, dayOf, longDay } from './time.ts'

test('a day is short to read and exact to whoever asks', () => {
  assert.equal(
    dayOf(TEST_NOW),
    '<time datetime="2026-11-21T12:00:00.000Z" title="21 November 2026 at 12:00 UTC">21 Nov 2026</time>',
  )
  assert.equal(longDay(Date.UTC(2027, 1, 1)), '1 February 2027')
})

test('what was a while ago is told in its largest unit, and by its day after a week', () => {
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
    assert.ok(agoOf(TEST_NOW - passed, TEST_NOW).endsWith(`>${text}</time>`), text)
})

test('one thing is one, and many are many', () => {
  assert.equal(countOf(0, 'call'), '0\u00A0calls')
  assert.equal(countOf(1, 'call'), '1\u00A0call')
  assert.equal(countOf(1204, 'call'), '1,204\u00A0calls')
})
