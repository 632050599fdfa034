import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { initialsOf } from './initials.ts'

test('initials are the first graphemes of the first and last word', () => {
  for (const [name, initials] of [
    ['Ada Lovelace', 'AL'],
    ['ada king, countess of lovelace', 'AL'],
    ['Plato', 'P'],
    ['“Bob” (Smith)', 'BS'],
    ['Àngels Ōe', 'ÀŌ'],
    ['e\u0301ve x', 'E\u0301X'],
    ['山田 太郎', '山太'],
    ['🦊', '🦊'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['?!', '?'],
  ] as const)
    assert.equal(initialsOf(name), initials, name)
})

test('every name has initials from at most two words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
      const initials = initialsOf(name)
      assert.ok(initials.length > 0)
      assert.ok(name.toUpperCase().includes(initials.charAt(0)))
    }),
  )
})
