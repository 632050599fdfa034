import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { joinBytes, utf8Bytes, Utf8Content } from './utf8.ts'

const text = fc.string({ unit: 'grapheme' }).filter((one) => one.isWellFormed())

test('a byte string has the UTF-8 bytes of the text, and joins like the text', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const joined = joinBytes(`${utf8Bytes(one)}, ${utf8Bytes(other)}`)
      assert.deepEqual(Buffer.from(joined, 'latin1'), Buffer.from(`${one}, ${other}`))
      assert.equal(String(new Utf8Content(joined)), `${one}, ${other}`)
    }),
  )
})
