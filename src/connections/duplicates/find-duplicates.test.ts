import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { nameKey } from '../../base/tokenize.ts'
import { phoneKey } from '../../names/phone-number.ts'
import { openSharedWorld } from '../../../test/fixtures/network.ts'
import { runsOf } from '../../../test/support/engine-options.ts'
import {
  findConnections,
  insertConnections,
  numberConnections,
  updateConnection,
} from '../model/connection-store.ts'
import { NO_VALUES, type Connection } from '../model/connection.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { readNetworkState } from '../../tools/call-state.ts'
import { areTwoPeople } from '../matching/decide-match.ts'
import { findDuplicates } from './duplicates.ts'
import {
  fullWordsOf,
  nameNumberOf,
  NO_VALUE,
  plainValueNumber,
  textNumber,
  valueNumber,
  wordsOf,
} from './name-words.ts'
import { currentPeople, readWholePeople, tableOfTwo, type PeopleVersion } from './people.ts'
import {
  COLUMN,
  columnOf,
  fullList,
  LIST,
  listAt,
  NO_POSITION,
  positionOf,
} from './people-table.ts'
import { bitOf, matchReasons, NO_PHONE, reasonsIn, scoreOf } from './same-person.ts'
import { readSharedKeys } from './shared-keys.ts'
import { HeldNumbers } from './shared-numbers.ts'

import type { MemberReader, MemberTransaction } from '../../db/database.ts'

const some = <T>(...values: T[]) => fc.constantFrom(...values)

const PERSON = fc.record({
  name: some(
    'Ann Lee',
    'A. Lee',
    'Lee Ann',
    'Ann M. Lee',
    'Ann Lee Jr.',
    'Bob Day',
    'Robert Day',
    'Ana Paz Gil',
  ),
  company: some(null, 'Acme', 'ACME', 'Bolt', '?'),
  location: some(null, 'Rome', 'rome'),
  emails: some([], ['a@x.org'], ['b@x.org'], ['c@x.org'], ['d@x.org']),
  phones: some([], ['+1 2345678'], ['2345678']),
  profileUrl: some(null, 'https://www.linkedin.com/in/a', 'https://www.linkedin.com/in/b'),
})

/** What may be dropped because it fits several people. */
const AMBIGUOUS = bitOf('initials_and_company') | bitOf('same_name_company_unknown')

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
      const table = await currentPeople(db, undefined, 0)
      const groups = await findDuplicates(db, { table, keys: await readSharedKeys(db) }, 0.6)
      const groupOf = new Map(
        groups.flatMap((group) => group.connectionIds.map((id) => [id, group])),
      )
      const all = [...(await readWholePeople(db, table, table.ids.keys())).values()]
      for (const [index, one] of all.entries())
        for (const other of all.slice(index + 1)) {
          const reasons = matchReasons(tableOfTwo(one, other), 0, 1, () => false)
          const isSame = scoreOf(reasons & ~AMBIGUOUS) >= 0.6
          if (!isSame || areTwoPeople(one.fields, other.fields)) continue
          const group = groupOf.get(one.connectionId)
          const names = `${one.fields.name} and ${other.fields.name}`
          assert.ok(group, `${names}: ${reasonsIn(reasons).join(', ')}`)
          assert.equal(groupOf.get(other.connectionId), group)
        }
    }),
    { numRuns: runsOf(60) },
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

test('people who are read again after changes are the same as everyone read at once', async () => {
  await using world = await openSharedWorld()
  const { db } = await world.join()
  const write = (ids: readonly number[], work: (tx: MemberTransaction) => Promise<void>) =>
    db.write(async (tx) => {
      await work(tx)
      await recordSearchChanges(tx, ids)
    })
  const change = fc.record({
    id: fc.integer({ min: 1, max: 24 }),
    person: PERSON,
    isDeleted: fc.boolean(),
  })
  const ids = Array.from({ length: 20 }, (_, index) => index + 1)
  await write(ids, async (tx) => {
    const first = await numberConnections(tx, ids.length)
    await insertConnections(
      tx,
      ids.map((_, index) => personNamed(`Ann ${index}`, first + index)),
    )
  })
  let known = await versionOf(db)
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 4 }), async (changes) => {
      for (const { id, person, isDeleted } of changes)
        await write([id], async (tx) => {
          const [before] = await findConnections(tx, [id])
          const stored = { ...NO_VALUES, ...person, ...STORED, connectionId: id }
          const after = { ...stored, deletedAt: isDeleted ? 1 : null }
          if (before) await updateConnection(tx, before, after)
          else await insertConnections(tx, [after])
        })
      const { search_version: version } = await readNetworkState(db)
      const table = await currentPeople(db, known, version)
      assert.deepEqual(table, (await versionOf(db)).table)
      known = { version, table }
    }),
    { numRuns: runsOf(30) },
  )
})

function personNamed(name: string, connectionId: number): Connection {
  return { ...NO_VALUES, ...STORED, name, connectionId }
}

async function versionOf(db: MemberReader): Promise<PeopleVersion> {
  const { search_version: version } = await readNetworkState(db)
  return { version, table: await currentPeople(db, undefined, version) }
}

test('values of any characters are read as they are stored', async () => {
  await using world = await openSharedWorld()
  const { db } = await world.join()
  const texts = [
    'a"b\\c@x.org',
    'ünï@x.org',
    ',"],[',
    '\u001f',
    '\u001d\u001e',
    '李 明',
    '👩‍🚀 x',
    'Bob',
    '',
  ]
  const written = texts.map((text, index): Connection =>
    Object.assign(personNamed(`Ann ${text} Lee`, index + 1), {
      company: text,
      location: `Rome ${text}`,
      emails: [text, `${index}@x.org`],
      phones: ['+49 170 1234567', '0170 1234567', text, `+1 (212) 555-010${index}`],
      profileUrl: `https://x.org/${index}${text}`,
    }),
  )
  await db.write(async (tx) => {
    await numberConnections(tx, written.length)
    await insertConnections(tx, [...written, personNamed('Bo', written.length + 1)])
  })
  const table = await currentPeople(db, undefined, 0)
  for (const { connectionId, ...fields } of written) {
    const at = positionOf(table, connectionId)
    assert.notEqual(at, NO_POSITION)
    const words = wordsOf(nameKey(fields.name))
    assert.deepEqual(listAt(table, at, LIST.words), words)
    assert.deepEqual(listAt(table, at, fullList(table, at)), fullWordsOf(words))
    assert.equal(columnOf(table, at, COLUMN.name), nameNumberOf(fullWordsOf(words)))
    assert.equal(columnOf(table, at, COLUMN.company), valueNumber(fields.company ?? ''))
    assert.equal(columnOf(table, at, COLUMN.location), valueNumber(fields.location ?? ''))
    assert.deepEqual(
      listAt(table, at, LIST.emails),
      fields.emails.map((email) => textNumber(email)),
    )
    const keys = new Set(fields.phones.map(phoneKey))
    const numbers = [...keys].map((key) => (key === '' ? NO_PHONE : textNumber(key)))
    assert.deepEqual(listAt(table, at, LIST.phones), numbers)
    const url = fields.profileUrl?.replaceAll('\u001f', ' ') ?? ''
    assert.equal(columnOf(table, at, COLUMN.profileUrl), textNumber(url))
  }
  const last = positionOf(table, written.length + 1)
  for (const column of [COLUMN.company, COLUMN.location, COLUMN.profileUrl])
    assert.equal(columnOf(table, last, column), NO_VALUE)
  assert.deepEqual([listAt(table, last, LIST.emails), listAt(table, last, LIST.phones)], [[], []])
})

test('numbers that several people have are found with everyone who has them', () => {
  const pair = fc.record({ number: fc.integer({ min: 0, max: 5 }), position: fc.nat(4) })
  const scale = some(1, 2 ** 32, 2 ** 40 + 1)
  fc.assert(
    fc.property(fc.array(pair), scale, (pairs, factor) => {
      pairs.sort((one, other) => one.position - other.position)
      const held = new HeldNumbers()
      for (const { number, position } of pairs) held.push(number * factor, position)
      const expected = [...Map.groupBy(pairs, ({ number }) => number)].flatMap(([number, same]) => {
        const positions = [...new Set(same.map(({ position }) => position))]
        return positions.length < 2 ? [] : [[number * factor, positions] as const]
      })
      const found = held.shared().map(({ number, positions }) => [number, positions] as const)
      const byNumber = (list: readonly (readonly [number, readonly number[]])[]) =>
        list.toSorted(([one], [other]) => one - other)
      assert.deepEqual(byNumber(found), byNumber(expected))
      for (const { first, number } of held.shared())
        assert.equal(
          pairs.findIndex((one) => one.number * factor === number),
          first,
        )
    }),
  )
})

test('plain values have the same number within a text as on their own', () => {
  const long = 'x'.repeat(45)
  const part = fc.oneof(
    some('Acme', 'ACME  Inc.', 'R&D', long, `${long} ${long}`, 'é'),
    fc.string(),
  )
  fc.assert(
    fc.property(part, part, part, (before, value, after) => {
      const text = before + value + after
      const number = plainValueNumber(text, before.length, before.length + value.length)
      if (/^[ -~]*$/.test(value)) assert.equal(number, valueNumber(value))
      else assert.equal(number, undefined)
    }),
  )
})

test('names have the same number if and only if they have the same full words', () => {
  const words = some('ann', 'anna', 'bob', 'robert', 'lee', 'a', 'r', 'é')
  const key = fc.array(words, { maxLength: 4 })
  const full = new Map([['ann', 'anna'], ['bob', 'robert']]) // prettier-ignore
  fc.assert(
    fc.property(key, key, (one, other) => {
      const number = (list: readonly string[]) => nameNumberOf(fullWordsOf(wordsOf(list.join(' '))))
      const fullWords = (list: readonly string[]) =>
        list
          .map((word) => full.get(word) ?? word)
          .sort()
          .join(' ')
      assert.equal(number(one) === number(other), fullWords(one) === fullWords(other))
    }),
  )
})
