import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fixedWindows, type FindWindow, type FixedWindow } from './rate-limits.ts'

const LENGTH = 1000
const START = Date.UTC(2026, 10, 21)

function count(windows: FindWindow, key: string, now: number): FixedWindow {
  const window = windows(key, now)
  window.used += 1
  return window
}

/** A reference model: keeps all windows, without bounds. */
function simpleWindows(): FindWindow {
  const all = new Map<string, FixedWindow>()
  return (key, now) => {
    const known = all.get(key)
    if (known && now < known.endsAt) return known
    const begun = { used: 0, endsAt: now + LENGTH }
    all.set(key, begun)
    return begun
  }
}

test('below capacity, every key has its own windows', () => {
  const request = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    after: fc.integer({ min: 0, max: LENGTH + 1 }),
  })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
      const windows = fixedWindows(LENGTH, 10)
      const simple = simpleWindows()
      let now = START
      for (const { key, after } of requests) {
        now += after
        assert.deepEqual(count(windows, key, now), count(simple, key, now))
      }
    }),
  )
})

test('a flood of keys evicts inactive keys but not active ones', () => {
  const windows = fixedWindows(LENGTH, 100)
  count(windows, 'silent', START)
  for (let nth = 1; nth <= 1000; nth++) {
    assert.equal(count(windows, 'busy', START).used, nth)
    count(windows, `flood ${nth}`, START)
  }
  assert.equal(windows('silent', START).used, 0)
})

test('below capacity, all keys are remembered', () => {
  const windows = fixedWindows(LENGTH, 100)
  for (let nth = 0; nth < 100; nth++) count(windows, `key ${nth}`, START)
  for (let nth = 0; nth < 100; nth++) assert.equal(windows(`key ${nth}`, START).used, 1)
})

test('setting the clock back starts new windows', () => {
  const windows = fixedWindows(LENGTH, 10)
  count(windows, 'a', START)
  assert.deepEqual(windows('a', START - 3_600_000), {
    used: 0,
    endsAt: START - 3_600_000 + LENGTH,
  })
})
