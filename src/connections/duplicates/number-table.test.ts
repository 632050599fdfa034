import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { NumberTable } from './number-table.ts'

test('every number has the value that was set last', () => {
  const number = fc.oneof(
    fc.integer({ min: 1, max: 600 }),
    fc.integer({ min: 1, max: 600 }).map((small) => small * 2 ** 40 + 1),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(number, fc.nat()), { maxLength: 1000 }), (pairs) => {
      const table = new NumberTable()
      for (const [key, value] of pairs) table.set(key, value)
      const expected = new Map(pairs)
      assert.equal(table.size, expected.size)
      for (const [key, value] of expected) {
        assert.equal(table.get(key), value)
        assert.equal(table.has(key), true)
        if (expected.has(key + 1)) continue
        assert.equal(table.get(key + 1), undefined)
        assert.equal(table.has(key + 1), false)
      }
      table.clear()
      assert.equal(table.size, 0)
      for (const [key] of pairs) assert.equal(table.has(key), false)
    }),
  )
})
