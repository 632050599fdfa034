import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fixedWindows, type FindWindow, type FixedWindow } from './fixed-windows.ts'

const LENGTH = 1000
const START = Date.UTC(2026, 10, 21)

function count(windows: FindWindow, key: string, now: number): FixedWindow {
  const window = windows(key, now)
  window.used += 1
  return window
}

/** All windows there ever were; too simple to be wrong, and without bounds. */
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

test('as long as there is room, every key is counted in windows of its own', () => {
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

test('a flood of keys makes it forget who has not asked for long, and not who keeps asking', () => {
  const windows = fixedWindows(LENGTH, 100)
  count(windows, 'silent', START)
  for (let nth = 1; nth <= 1000; nth++) {
    assert.equal(count(windows, 'busy', START).used, nth)
    count(windows, `flood ${nth}`, START)
  }
  assert.equal(windows('silent', START).used, 0)
})

test('fewer keys than there is room for are all remembered', () => {
  const windows = fixedWindows(LENGTH, 100)
  for (let nth = 0; nth < 100; nth++) count(windows, `key ${nth}`, START)
  for (let nth = 0; nth < 100; nth++) assert.equal(windows(`key ${nth}`, START).used, 1)
})

test('a clock that is set back begins new windows', () => {
  const windows = fixedWindows(LENGTH, 10)
  count(windows, 'a', START)
  assert.deepEqual(windows('a', START - 3_600_000), {
    used: 0,
    endsAt: START - 3_600_000 + LENGTH,
  })
})
