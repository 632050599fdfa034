import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formattersOf } from './time-zone.ts'

test('formatters are cached by canonical zone and evicted when the cache is full', () => {
  const berlin = formattersOf('Europe/Berlin')
  assert.equal(berlin.timeZone, 'Europe/Berlin')
  assert.equal(formattersOf('EUROPE/berlin'), berlin)
  for (const timeZone of Intl.supportedValuesOf('timeZone').slice(0, 40))
    if (timeZone !== berlin.timeZone) formattersOf(timeZone)
  assert.notEqual(formattersOf('Europe/Berlin'), berlin)
})
