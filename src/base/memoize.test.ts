import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoize } from './memoize.ts'

test('results are remembered, but none of long texts, so that the memory stays small', () => {
  const computed: string[] = []
  const lengthOf = memoize((text) => {
    computed.push(text.slice(0, 3))
    return text.length
  }, 2)
  const long = 'long'.repeat(1000)
  for (const text of ['one', 'one', long, long, 'two', 'one'])
    assert.equal(lengthOf(text), text.length)
  assert.deepEqual(computed, ['one', 'lon', 'lon', 'two'])
})
