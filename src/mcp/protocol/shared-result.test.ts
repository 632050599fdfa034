import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { encodeAfter } from './shared-result.ts'

const TAIL = JSON.stringify({ tools: Array.from({ length: 100 }, (_, at) => `tool ${at} 世界`) })

test('a decompressor reads any head and the stored text in order', () => {
  const encode = encodeAfter(TAIL) ?? assert.fail()
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (head) => {
      const bytes = encode(head)?.gzip() ?? assert.fail()
      // It verifies the checksum and the length in the trailer.
      assert.equal(gunzipSync(bytes).toString(), head + TAIL)
    }),
  )
  assert.ok((encode('{"id":1}')?.gzip().byteLength ?? Infinity) < TAIL.length / 4)
})

test('a short text and a text after a long head are not compressed', () => {
  assert.equal(encodeAfter('x'.repeat(1_399)), undefined)
  const encode = encodeAfter(TAIL) ?? assert.fail()
  assert.ok(encode('x'.repeat(1_000)))
  assert.equal(encode('x'.repeat(1_001)), undefined)
})
