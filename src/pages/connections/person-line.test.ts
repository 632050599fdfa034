import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personLine } from './person-line.ts'

const ADA = {
  connectionId: 1,
  name: 'Ada Lovelace',
  title: null,
  company: null,
  location: null,
  emails: [],
  profileUrl: null,
  connectedOn: null,
}

test('a result says in which fields the words are, or that only its meaning is similar', () => {
  const lineOf = (fields: readonly ('name' | 'notes')[], fieldMask: number) =>
    String(personLine(ADA, [], { match: { score: 0.5, fields, fieldMask } }))
  assert.match(lineOf(['name', 'notes'], 0b1_0000_0001), /Found in name, notes/)
  assert.match(lineOf([], 0), /Similar in meaning/)
  assert.doesNotMatch(lineOf([], 1 << 14), /Found in|Similar/)
})
