import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formattersOf } from './time-zone.ts'

test('a zone is made once however it is spelled, and forgotten when many others were asked for', () => {
  const berlin = formattersOf('Europe/Berlin')
  assert.equal(berlin.timeZone, 'Europe/Berlin')
  assert.equal(formattersOf('EUROPE/berlin'), berlin)
  for (const timeZone of Intl.supportedValuesOf('timeZone').slice(0, 40))
    if (timeZone !== berlin.timeZone) formattersOf(timeZone)
  assert.notEqual(formattersOf('Europe/Berlin'), berlin)
})
