import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { formatPublicId, parsePublicId, publicIdPattern } from './public-id.ts'

test('property: parsing an ID returns its number, and only with the right prefix', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), (id) => {
      const text = formatPublicId('c', id)
      assert.equal(parsePublicId('c', text), id)
      assert.match(text, new RegExp(publicIdPattern('c')))
      assert.equal(parsePublicId('f', text), undefined)
    }),
  )
})

test('property: a text is an ID if and only if it matches the pattern', () => {
  const texts = fc.stringMatching(/^(c_|c|_|a_)?[0-9-]{0,11}\n?$/)
  fc.assert(
    fc.property(texts, (text) => {
      const matches = new RegExp(publicIdPattern('c')).test(text)
      assert.equal(parsePublicId('c', text) !== undefined, matches)
    }),
  )
})

test('undefined is not an ID', () => {
  assert.equal(parsePublicId('a', null), undefined)
})
