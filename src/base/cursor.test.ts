import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readCursor, writeCursor } from './cursor.ts'
import { RequestError } from './request-error.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

const SHAPE = ['string', 'number'] as const

function isRefused(question: unknown, cursor: string): boolean {
  try {
    readCursor(question, cursor, SHAPE)
    return false
  } catch (error) {
    return error instanceof RequestError && error.details.errors?.[0]?.pointer === '/cursor'
  }
}

test('a cursor decodes to its position for the query it was created for', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.integer(), (question, text, number) => {
      const cursor = writeCursor(question, [text, number])
      assert.match(cursor, /^[\w-]+$/)
      assert.deepEqual(readCursor(question, cursor, SHAPE), [text, number])
    }),
  )
})

test('a cursor of another query or format is rejected with an error that names it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other))
      assert.ok(isRefused(other, writeCursor(one, ['a', 1])))
    }),
  )
  for (const place of [[], ['a'], [1, 1], [1, 'a'], ['a', 1, 1]])
    assert.ok(isRefused('q', writeCursor('q', place)))
})

test('arbitrary text is rejected', () => {
  fc.assert(fc.property(unicodeText(), (cursor) => isRefused('q', cursor)))
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      isRefused('q', Buffer.from(JSON.stringify(value)).toString('base64url')),
    ),
  )
})
