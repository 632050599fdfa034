import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openSharedWorld } from '../../../test/fixtures/network.ts'
import { numberConnections, insertConnections } from '../model/connection-store.ts'
import { NO_VALUES } from '../model/connection.ts'
import { areTwoPeople } from '../matching/decide-match.ts'
import { findDuplicates } from './duplicates.ts'
import { nameWords } from './name-words.ts'
import { readEveryone, readWholePeople } from './people.ts'
import { matchReasons, scoreOf, type Reason } from './same-person.ts'

const some = <T>(...values: T[]) => fc.constantFrom(...values)

const PERSON = fc.record({
  name: some('Ann Lee', 'A. Lee', 'Lee Ann', 'Ann M. Lee', 'Bob Day', 'Robert Day', 'Ana Paz Gil'),
  company: some(null, 'Acme', 'ACME', 'Bolt', '?'),
  location: some(null, 'Rome', 'rome'),
  emails: some([], ['a@x.org'], ['b@x.org'], ['c@x.org'], ['d@x.org']),
  phones: some([], ['+1 2345678'], ['2345678']),
  profileUrl: some(null, 'https://www.linkedin.com/in/a', 'https://www.linkedin.com/in/b'),
})

/** What may be dropped because it fits several people. */
const AMBIGUOUS: ReadonlySet<Reason> = new Set([
  'initials_and_company',
  'same_name_company_unknown',
])

test('no pair is missed that a comparison of everyone with everyone finds', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    // A name that more people have is common.
    fc.asyncProperty(fc.array(PERSON, { minLength: 4, maxLength: 5 }), async (people) => {
      const { db } = await world.join()
      await db.write(async (tx) => {
        const first = await numberConnections(tx, people.length)
        const stored = people.map((one, index) => ({
          ...NO_VALUES,
          ...one,
          ...STORED,
          connectionId: first + index,
        }))
        await insertConnections(tx, stored)
      })
      const groups = await findDuplicates(db, 0.6)
      const groupOf = new Map(
        groups.flatMap((group) => group.connectionIds.map((id) => [id, group])),
      )
      const found = await readEveryone(db)
      const names = { isCommon: () => false, initialOf: found.names.initialOf }
      const all = [...(await readWholePeople(db, found, found.everyone.keys())).values()]
      for (const [index, one] of all.entries())
        for (const other of all.slice(index + 1)) {
          const reasons = matchReasons(one, other, names)
          const isSame = scoreOf(reasons.filter((reason) => !AMBIGUOUS.has(reason))) >= 0.6
          if (!isSame || areTwoPeople(one.fields, other.fields)) continue
          const group = groupOf.get(one.connectionId)
          assert.ok(group, `${one.name} and ${other.name}: ${reasons.join(', ')}`)
          assert.equal(groupOf.get(other.connectionId), group)
        }
    }),
    { numRuns: 60 },
  )
})

const STORED = {
  source: 'linkedin',
  fieldSources: {},
  importJobId: null,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  deletedAt: null,
  mergedInto: null,
} as const

test('names have the same number if and only if they have the same full words', () => {
  const words = some('ann', 'anna', 'bob', 'robert', 'lee', 'a', 'r', 'é')
  const key = fc.array(words, { maxLength: 4 })
  const full = new Map([['ann', 'anna'], ['bob', 'robert']]) // prettier-ignore
  fc.assert(
    fc.property(key, key, (one, other) => {
      const names = nameWords()
      const number = (list: readonly string[]) =>
        names.numberOf(names.fullWordsOf(names.wordsOf(list.join(' '))))
      const fullWords = (list: readonly string[]) =>
        list
          .map((word) => full.get(word) ?? word)
          .sort()
          .join(' ')
      assert.equal(number(one) === number(other), fullWords(one) === fullWords(other))
    }),
  )
})
