import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { pageOf } from './result-page.ts'
import { resultJson } from './result-json.ts'

test('a result with pages of entries is written as JSON.stringify writes it', () => {
  const result = fc.record({
    entries: fc.array(fc.object()),
    count: fc.option(fc.integer(), { nil: undefined }),
    '"quoted"\n': fc.jsonValue(),
    room: fc.integer({ min: 0, max: 500 }),
  })
  fc.assert(
    fc.property(result, ({ entries, room, ...rest }) => {
      const listing = { entries, hasMore: false, cursorAfter: String }
      const { items, end } = pageOf(listing, room)
      const whole = { ...rest, items, ...end }
      assert.equal(resultJson(whole), JSON.stringify(whole))
    }),
  )
})

test('known JSON of entries is used unchanged and measured', () => {
  const entries = [{ name: 'Ada' }, { name: 'Grace' }]
  const json = ['{"name":"A"}', '{"name":"G"}']
  const { items } = pageOf({ entries, json, hasMore: false, cursorAfter: String })
  assert.deepEqual(items, entries)
  assert.equal(resultJson({ items }), '{"items":[{"name":"A"},{"name":"G"}]}')
  assert.equal(pageOf({ entries, json, hasMore: false, cursorAfter: String }, 13).items.length, 1)
})
