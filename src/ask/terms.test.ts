import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { tokenize } from '../base/tokenize.ts'
import { termSimilarity, termsOf } from './terms.ts'

function asked(question: string): string[] {
  return termsOf(question).map(({ word }) => word)
}

test('stop words are removed in any case', () => {
  assert.deepEqual(asked('Who works on climate in Berlin?'), ['climate', 'berlin'])
  assert.deepEqual(asked("Who's the CTO of Brasklet?"), ['cto', 'brasklet'])
  assert.deepEqual(asked("I'm looking for someone who can help me with grant writing, please"), [
    'grant',
    'writing',
  ])
  assert.deepEqual(asked('Do you know anyone named Jürgen Müller?'), ['jurgen', 'muller'])
})

test('a question of stop words only keeps all of them', () => {
  assert.deepEqual(asked('Who is who?'), ['who', 'is'])
  assert.deepEqual(asked('?! …'), [])
})

test('a word matches its other forms, and itself best', () => {
  const cases: [asked: string, other: string, least: number, most: number][] = [
    ['engineers', 'engineers', 1, 1],
    ['engineers', 'engineer', 0.9, 0.99],
    ['engineers', 'engineering', 0.8, 0.94],
    ['engineering', 'engineer', 0.8, 0.99],
    ['batteries', 'battery', 0.8, 0.99],
    ['battery', 'batteries', 0, 0],
    ['coaches', 'coach', 0.8, 0.99],
    ['journalists', 'journalism', 0.8, 0.94],
    ['designer', 'design', 0.8, 0.99],
    ['teaching', 'teacher', 0.8, 0.94],
    ['founder', 'foundation', 0, 0],
    ['hiring', 'hi', 0, 0],
    ['business', 'busines', 0, 0],
    ['ai', 'ai', 1, 1],
    ['ai', 'aisha', 0, 0],
    ['data', 'database', 0.8, 0.94],
    ['berlin', 'bern', 0, 0],
  ]
  for (const [word, other, least, most] of cases) {
    const [term] = termsOf(word)
    assert.ok(term, word)
    const like = termSimilarity(term, other)
    assert.ok(like >= least && like <= most, `${word} and ${other}: ${like}`)
  }
})

test('for any question, the terms are a few of its words, and each matches itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (question) => {
      const all = tokenize(question)
      const terms = termsOf(question)
      assert.equal(terms.length === 0, all.length === 0)
      assert.ok(terms.length <= 12)
      for (const term of terms) {
        assert.ok(all.includes(term.word))
        assert.equal(termSimilarity(term, term.word), 1)
        assert.ok(term.forms.every((form) => form.length > 0))
      }
    }),
  )
})
