import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { withLocalTimes } from './local-times.ts'

test('times are local with their offset, and what members typed stays', () => {
  const given = {
    at: '2026-11-21T12:00:00.000Z',
    text: '2026-11-21T12:00:00.000Z',
    on: '2026-11-21',
    meetings: [{ starts_at: '2026-07-01T22:30:00Z', ends_at: null }],
    details: { met_at: '2026-11-21T12:00:00Z' },
  }
  assert.deepEqual(withLocalTimes(given, 'Europe/Berlin'), {
    ...given,
    at: '2026-11-21T13:00:00+01:00',
    meetings: [{ starts_at: '2026-07-02T00:30:00+02:00', ends_at: null }],
  })
  const { at } = withLocalTimes(given, 'America/St_Johns')
  assert.equal(at, '2026-11-21T08:30:00-03:30')
  assert.equal(withLocalTimes(given, 'UTC'), given)
})

test('a local time is the same moment', () => {
  const zones = fc.constantFrom(
    'Asia/Kathmandu',
    'Pacific/Apia',
    'America/New_York',
    'Europe/London',
  )
  const seconds = fc.integer({ min: 0, max: 4_000_000_000 })
  fc.assert(
    fc.property(zones, seconds, (zone, second) => {
      const at = new Date(second * 1000).toISOString()
      const local = withLocalTimes({ at }, zone)
      assert.equal(Date.parse(local.at), Date.parse(at))
    }),
  )
})
