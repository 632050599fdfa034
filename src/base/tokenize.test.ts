import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { normalize, nameKey, tokenize } from './tokenize.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

/** Any text: every script, marks, controls, emoji. */
const anyText = unicodeText({ maxLength: 60 })

test('case, accents, ligatures, strokes and widths are normalized', () => {
  for (const [text, folded] of [
    ['Élodie Müßig', 'elodie mussig'],
    ['Łódź', 'lodz'],
    ['İIıi', 'iiii'],
    ['Æsir Œuvre ﬁn', 'aesir oeuvre fin'],
    ['Þórður Øðe', 'thordur ode'],
    ['ΓΙΏΡΓΟΣ', 'γιωργοσ'],
    ['Ｗｅｆｔ ①', 'weft 1'],
    ['Å (U+212B)', 'a (u+212b)'],
    ['한국', '한국'],
  ] as const)
    assert.equal(normalize(text), folded)
})

test('normalizing twice changes nothing', () => {
  fc.assert(fc.property(anyText, (text) => normalize(normalize(text)) === normalize(text)))
  fc.assert(fc.property(anyText, (text) => nameKey(nameKey(text)) === nameKey(text)))
})

test('a text has the same words composed or decomposed, in upper or lower case', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...Array.from('aÀéñÖşğłßđøŁ  -王한가я')),
    maxLength: 20,
  })
  fc.assert(
    fc.property(letters, (text) => {
      assert.deepEqual(tokenize(text.normalize('NFD')), tokenize(text.normalize('NFC')))
      assert.deepEqual(tokenize(text.toUpperCase()), tokenize(text))
    }),
  )
})

test('words have 1 to 40 letters and digits and no broken characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const word of tokenize(text)) assert.match(word, /^[\p{L}\p{N}]{1,40}$/u)
    }),
  )
  const long = fc.string({ unit: fc.constantFrom('a', '𐐷', '𒀀'), minLength: 30, maxLength: 60 })
  fc.assert(
    fc.property(long, (text) => {
      for (const word of tokenize(text)) assert.ok(word.isWellFormed() && word.length <= 40)
    }),
  )
})

test('punctuation separates words; in scripts without spaces, each character is a word', () => {
  assert.deepEqual(tokenize("O'Neill-Smith, PhD (2nd)"), ['o', 'neill', 'smith', 'phd', '2nd'])
  assert.deepEqual(tokenize('王小明 Wang'), ['王', '小', '明', 'wang'])
  assert.deepEqual(tokenize('x'.repeat(100)), ['x'.repeat(40)])
  assert.deepEqual([tokenize(''), tokenize(' -!🎉')], [[], []])
  assert.equal(nameKey(' Analytical-ENGINES, Ltd. '), 'analytical engines ltd')
})
