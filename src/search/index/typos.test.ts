import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { segmentBuilder } from '../build/build-segment.ts'
import { termText } from './segment.ts'
import { countEdits, findTypos } from './typos.ts'

/** Few letters, so that words are alike; one is not ASCII. */
const wordOf = (letters: string) =>
  fc
    .array(fc.constantFrom(...Array.from(letters)), { minLength: 3, maxLength: 12 })
    .map((all) => all.join(''))

test('words within the number of typos are found, each with its distance', () => {
  const terms = fc.uniqueArray(wordOf('abcdé'), { minLength: 1, maxLength: 60 })
  const rows = new Uint8Array(64)
  fc.assert(
    fc.property(terms, wordOf('abcd'), fc.integer({ min: 1, max: 3 }), (all, word, max) => {
      const builder = segmentBuilder()
      builder.add({ connectionId: 1, day: 0, nameLength: 1, terms: [[0, all]] })
      const segment = builder.finish()
      const found = findTypos(segment, word, max).map(
        ({ term, edits }) => `${termText(segment, term)} ${edits}`,
      )
      const expected = all.flatMap((term) => {
        const edits = countEdits(Array.from(word, codeOf), Array.from(term, codeOf), max, rows)
        return edits > 0 && edits <= max ? [`${term} ${edits}`] : []
      })
      assert.deepEqual(new Set(found), new Set(expected))
    }),
  )
})

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
