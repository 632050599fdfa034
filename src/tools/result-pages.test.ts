import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf } from './result-pages.ts'

test('a page has the entries that fit in its room, counted in characters', () => {
  const entries = [{ name: 'A' }, { name: 'Grâce' }]
  const itemsIn = (room: number) =>
    pageOf({ entries, hasMore: false, cursorAfter: String }, room).items.length
  assert.deepEqual([itemsIn(1), itemsIn(29), itemsIn(30)], [1, 1, 2])
})
