import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisedBy } from './promise.ts'

test('a follow-up says whose promise it is if its text does', () => {
  const cases = [
    ['Ben promised to send the deck', 'Ben Haverkamp', 'them'],
    ['Ben Haverkamp will send the contract', 'Ben Haverkamp', 'them'],
    ['She owes me lunch', 'Ann Lee', 'them'],
    ['Waiting for the slides', 'Ann Lee', 'them'],
    ['Warte auf den Vertrag', 'Ann Lee', 'them'],
    ['Ann hat versprochen, den Vertrag zu schicken', 'Ann Lee', 'them'],
    ['I owe Ann a book', 'Ann Lee', 'me'],
    ["I'll call her back", 'Ann Lee', 'me'],
    ['We promised an answer', null, 'me'],
    ['Ich habe ihr ein Buch versprochen', 'Ann Lee', 'me'],
    ['Send the slides', 'Ann Lee', undefined],
    ['Ask whether Ben will come', 'Ann Lee', undefined],
    ['Ann', 'Ann Lee', undefined],
    ['', null, undefined],
  ] as const
  for (const [text, name, expected] of cases)
    assert.equal(promisedBy(text, name), expected, `${text} with ${name}`)
})
