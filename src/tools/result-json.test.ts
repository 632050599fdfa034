import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { pageOf, jsonText, resultText } from './result-json.ts'
import { Utf8Content, type Utf8Bytes } from '../base/utf8.ts'

const textOf = (json: Utf8Bytes) => String(new Utf8Content(json))

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
      const { json, quoted } = resultText(whole)
      assert.equal(textOf(json), JSON.stringify(whole))
      assert.equal(`"${textOf(quoted)}"`, JSON.stringify(JSON.stringify(whole)))
    }),
  )
})

test('known JSON of entries is used unchanged and measured', () => {
  const entries = [{ name: 'Ada' }, { name: 'Grace' }]
  const texts = [{ name: 'A' }, { name: 'Grâce' }].map(jsonText)
  const { items } = pageOf({ entries, texts, hasMore: false, cursorAfter: String })
  assert.deepEqual(items, entries)
  assert.equal(textOf(resultText({ items }).json), '{"items":[{"name":"A"},{"name":"Grâce"}]}')
  const itemsIn = (room: number) =>
    pageOf({ entries, texts, hasMore: false, cursorAfter: String }, room).items.length
  assert.deepEqual([itemsIn(29), itemsIn(30)], [1, 2], 'characters count, not bytes')
})
