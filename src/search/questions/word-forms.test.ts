import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formsOf, isFormOf, stemRootsOf } from './word-forms.ts'

function areForms(one: string, other: string): boolean {
  return isFormOf(formsOf(one), other) && isFormOf(formsOf(other), one)
}

test('words with endings of one paradigm are forms of each other', () => {
  const pairs = `investing invested|investing investor|sailing sails|hiring hires|planning planned|relocation relocating
    certification certified|complaints complained|studies studying|advice advised|taught teaching|wrote writing
    decken gedeckt|einholen eingeholt|vertrag vertrage|investition investiert|prufung gepruft
    negociation negocie|financer finance|vendre vend|registrazione registrare|comparar comparando|vacinas vacinacao
    onderhandelen onderhandelt|nagrywanie nagrywa|film filmu`
  for (const pair of pairs.split(/\||\n/)) {
    const [one = '', other = ''] = pair.trim().split(' ')
    if (one !== other) assert.ok(areForms(one, other), pair)
  }
})

test('words that only begin alike are not forms of each other', () => {
  const pairs =
    'planning planet|market mark|user use|cars caring|cost coast|student study|carton cart|stern stein|company companion'
  for (const pair of pairs.split('|')) {
    const [one = '', other = ''] = pair.split(' ')
    assert.ok(!isFormOf(formsOf(one), other), pair)
  }
})

test('short words, numbers and other scripts have no forms', () => {
  for (const word of ['', 'ibm', '2024', 'q1', 'ελλαδα', '東京'])
    assert.deepEqual(formsOf(word), [])
})

test('every form begins with a root', () => {
  for (const word of ['investing', 'gedeckt', 'studies', 'vertrage']) {
    const roots = stemRootsOf(formsOf(word))
    for (const { stem } of formsOf(word))
      assert.ok(
        roots.some((root) => stem.startsWith(root)),
        `${word}: ${stem}`,
      )
  }
})
