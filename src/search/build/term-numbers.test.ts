import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TermNumbers } from './term-numbers.ts'

test('terms are numbered in the order in which they are first seen', () => {
  const numbers = new TermNumbers()
  const terms = Array.from({ length: 5000 }, (_, at) => `${at % 2 === 0 ? 'term' : 'слово'} ${at}`)
  assert.deepEqual(
    terms.map((term) => numbers.numberOf(term)),
    terms.map((_, at) => at),
  )
  assert.deepEqual(
    terms.toReversed().map((term) => numbers.numberOf(term)),
    terms.map((_, at) => at).toReversed(),
  )
  assert.equal(numbers.numberOf(''), 5000)
  assert.deepEqual(numbers.terms, [...terms, ''])
})
