import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { pairsOf } from '../../bench/matching-set/pairs.ts'
import { record } from '../../bench/matching-set/records.ts'
import { decideMatch } from './decide-match.ts'
import { isRuledOut } from './rule-out.ts'
import type { Matchable } from './match-person.ts'

/** Few values, so that records often agree. */
const anyOf = (...values: readonly string[]) => fc.constantFrom(null, ...values)
const someOf = (...values: readonly string[]) => fc.subarray([...values], { maxLength: 2 })

const records = fc.record({
  name: fc.constantFrom('Ann Lee', 'Lee, Ann', 'A. Lee', 'Ann Lee Jr.', 'Bob Ross', 'Ann'),
  givenName: anyOf('Ann', 'Bob'),
  familyName: anyOf('Lee', 'Ross'),
  company: anyOf('Acme', 'Acme Inc', 'Acme Robotics', 'Byte'),
  title: anyOf('Boss', 'Chef'),
  location: anyOf('Berlin', 'Berlin, Germany'),
  emails: someOf('ann.lee@gmail.com', 'annlee+x@gmail.com', 'al@acme.com', 'info@acme.com'),
  phones: someOf('+1 212 555 0100', '(212) 555-0100', '+49 30 123456'),
  profileUrl: anyOf(
    ...['ann-lee', 'annlee', 'ann-lee-1a2b3c', 'änn-lee²', 'bob'].map(
      (slug) => `https://www.linkedin.com/in/${slug}`,
    ),
  ),
  birthday: anyOf('1980-01-02', '--01-02', '1990-01-02'),
  connectedOn: anyOf('2020-01-02', '2021-01-02'),
})

test('a candidate that is ruled out is a different person by the whole comparison', () => {
  const kinds = [
    { isSameFile: true },
    { isSameFile: false },
    { isSameFile: false, isSameSource: true },
  ]
  fc.assert(
    fc.property(records, records, fc.constantFrom(...kinds), (one, other, kind) => {
      if (!isRuledOut(one, other, kind.isSameFile)) return
      const { name, givenName, familyName, company } = one
      const former: Matchable = { ...other, name, givenName, familyName, company }
      assert.equal(decideMatch(one, other, kind).outcome, 'different')
      assert.equal(decideMatch(one, former, kind).outcome, 'different')
    }),
    { numRuns: 2000 },
  )
})

test('no labeled pair of one person is ruled out that the whole comparison finds', () => {
  for (const { one, other } of [...pairsOf('tuning'), ...pairsOf('heldOut')])
    for (const isSameFile of [true, false])
      if (isRuledOut(one, other, isSameFile))
        assert.equal(decideMatch(one, other, { isSameFile }).outcome, 'different')
})

test('namesakes at one company with two profiles are ruled out, unless one profile may be the renamed other', () => {
  const profile = (slug: string) =>
    record({
      name: 'Ann Lee',
      company: 'Acme',
      profileUrl: `https://www.linkedin.com/in/${slug}`,
    })
  const ann = profile('ann-lee')
  assert.equal(isRuledOut(ann, profile('ann-lee-cfa'), false), true)
  assert.equal(isRuledOut(ann, profile('ann-lee-1a2b3c'), false), false)
  assert.equal(isRuledOut(ann, profile('ann-lee-1a2b3c'), true), false)
  assert.equal(isRuledOut(ann, { ...ann, profileUrl: null }, false), false)
})
