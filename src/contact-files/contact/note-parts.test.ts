import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { MAX_NOTE_LENGTH } from '../../base/limits.ts'
import { notePartsOf } from './note-parts.ts'

const words = (text: string) => text.replaceAll(/\s/g, '')

test('a text that fits is one note without a number', () => {
  const text = 'x'.repeat(MAX_NOTE_LENGTH)
  assert.deepEqual(notePartsOf(text), [text])
})

test('a longer text is divided between paragraphs, lines or words, and numbered', () => {
  for (const separator of ['\n\n', '\n', ' ']) {
    const text = Array.from({ length: 6 }, () => 'y'.repeat(9_000)).join(separator)
    const parts = notePartsOf(text)
    assert.deepEqual(
      parts.map((part) => part.slice(0, 6)),
      ['(1/3)\n', '(2/3)\n', '(3/3)\n'],
    )
    assert.equal(parts.map((part) => part.slice(6)).join(separator), text)
  }
})

test('no character of any text is lost, and every part is a note', () => {
  const piece = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(piece, fc.integer({ min: 1, max: 4000 }), (text, times) => {
      const whole = text.repeat(times)
      const parts = notePartsOf(whole)
      for (const part of parts) {
        assert.ok(part.length <= MAX_NOTE_LENGTH)
        assert.ok(whole.length <= MAX_NOTE_LENGTH || part.isWellFormed() || !whole.isWellFormed())
      }
      const joined =
        parts.length === 1 ? parts[0] : parts.map((part) => part.replace(/^\(.*\)\n/, '')).join('')
      assert.equal(words(joined ?? ''), words(whole))
    }),
    { numRuns: 60 },
  )
})
