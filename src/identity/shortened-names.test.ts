import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { compareNames } from './compare-names.ts'
import { isPlainlyShortened } from './shortened-names.ts'

const EXAMPLES: readonly (readonly [one: string, other: string, isShortened: boolean])[] = [
  ['J. Smith', 'Jane Mary Smith', true],
  ['Jane Smith', 'Jane M. Smith Jr.', true],
  ['И. Петров', 'Иван Петров', false], // an initial of another script is compared in full
  ['Иван Петров', 'Иван Олегович Петров', true],
  ['Ana Müller-Day', 'Ana Müller', true],
  ['Jane Smith Sr.', 'Jane Smith Jr.', false],
  ['M. Smith', 'M. Jane Smith', false], // Monsieur
  ['M. Ann Jr', 'M Ann', false], // Jr may be the family name
  ['Jane Smith', 'Jane van der Smith', false],
  ['Jane Smith', 'Jane "Jo" Smith', false],
  ['Jane Smith', 'Jana Smith', false],
  ['Jane Smith 1', 'Jane Smith', false],
]

test('a name is plainly shortened if all its words are words or initials of the other', () => {
  for (const [one, other, isShortened] of EXAMPLES) {
    assert.equal(isPlainlyShortened(one, other), isShortened, `${one} and ${other}`)
    assert.equal(isPlainlyShortened(other, one), isShortened, `${other} and ${one}`)
  }
})

/** Names, and words that mean something else at some places of a name. */
const WORDS =
  `Ann Anna Jan J. J A. M. M F. F Smith Lee Dr. Dr Jr Jr. Sr. II III van de Al al Al-Din Abd Mac Donald born née f. y Y E. e
  IV Neto Müller Иван И. Петров М. PhD MBA J.R. geb. Đức ł D-r Maria Mª ter Horst Li Wei Bob Robert Oluwaseun Seun St. Putra
  el El-Sayed "Bob" Ph-D Fr. ß Æ 3rd`.split(/\s+/)

const SEPARATORS = [' ', ' ', ' ', ' ', '-', ', ']

test('names that are plainly shortened never contradict each other', () => {
  const word = fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...SEPARATORS))
  const words = fc.array(word, { minLength: 1, maxLength: 5 })
  const changes = fc.array(fc.nat(6), { maxLength: 5 })
  const hasParts = fc.boolean()
  fc.assert(
    fc.property(words, changes, hasParts, hasParts, (one, numbers, isOneSplit, isOtherSplit) => {
      const [name, otherName] = [written(one), written(numbers.reduce(changed, one))]
      if (!isPlainlyShortened(name, otherName)) return
      const { outcome, reasons } = compareNames(
        recordOf(name, isOneSplit),
        recordOf(otherName, isOtherSplit),
      )
      const isContradiction =
        outcome === 'different' &&
        !reasons.includes('other_order') &&
        !reasons.includes('other_marks')
      assert.ok(!isContradiction, `${name} and ${otherName}: ${reasons.join(', ')}`)
    }),
    { numRuns: 5000 },
  )
})

type Word = readonly [text: string, separator: string]

/** Without a word, or with an initial instead of it, or in another order. */
function changed(words: readonly Word[], change: number): readonly Word[] {
  const at = change % words.length
  if (words.length < 2 || change === 6) return words.toReversed()
  if (change < 3) return words.toSpliced(at, 1)
  const [text, separator] = words[at] ?? ['', ' ']
  return words.with(at, [`${text.charAt(0)}${change === 4 ? '.' : ''}`, separator])
}

function written(words: readonly Word[]): string {
  return words
    .map(([text, separator], at) => (at === words.length - 1 ? text : `${text}${separator}`))
    .join('')
}

function recordOf(name: string, isSplit: boolean) {
  const words = name.split(' ')
  return isSplit && words.length > 1
    ? { name, givenName: words.slice(0, -1).join(' '), familyName: words.at(-1) ?? null }
    : { name }
}
