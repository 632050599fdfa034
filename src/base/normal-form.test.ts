import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../test/support/unicode-text.ts'
import { normalForm } from './normal-form.ts'

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const

test('equals String.normalize for text as people write it', () => {
  fc.assert(
    fc.property(unicodeText({ maxLength: 40 }), fc.constantFrom(...FORMS), (text, form) => {
      const long = `${text} `.repeat(20)
      assert.equal(normalForm(long, form), long.normalize(form))
    }),
  )
})

test('keeps 30 marks of each character', () => {
  const marks = '\u0323\u0301'.repeat(15)
  for (const form of FORMS) {
    const text = `${`a${marks}`.repeat(20)}${marks}${marks}b`
    assert.equal(normalForm(text, form), `a${marks}`.repeat(20).concat('b').normalize(form))
  }
  const sounds = '\uff9e\u0301'.repeat(300)
  assert.equal(normalForm(`a${sounds}b`, 'NFKC'), `a${sounds.slice(0, 30)}b`.normalize('NFKC'))
})
