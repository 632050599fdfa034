import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'

async function contactsOf(json: string) {
  const { rows } = await readWhole(json)
  return rows.flatMap((row) => ('contact' in row ? [row.contact] : []))
}

test('properties that only some people have are read, whatever their names', async () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
  const others = names.map((name) => `${JSON.stringify(name)}: "of Ann"`).join(', ')
  const [ann, bo] = await contactsOf(
    `[{ "name": "Ann Lee", ${others} }, { "name": "Bo Berg", "email": "bo@berg.example" }]`,
  )
  assert.equal(ann?.name, 'Ann Lee')
  const custom = ann?.details?.custom?.map(({ value }) => value)
  assert.deepEqual(
    custom,
    names.map(() => 'of Ann'),
  )
  assert.deepEqual([bo?.name, bo?.emails], ['Bo Berg', ['bo@berg.example']])
})

test('what is nested deeply is kept as text', async () => {
  const [ann] = await contactsOf(
    '[{ "name": "Ann Lee", "a": { "b": { "c": { "d": { "e": { "f": 1 } } } } } }]',
  )
  assert.deepEqual(
    ann?.details?.custom?.map(({ value }) => value),
    ['{"f":1}'],
  )
})

test('JSON can be nested as deeply as it is long', async () => {
  const [ann] = await contactsOf(`[{ "name": "Ann Lee", "b": ${nested(100_000)} }]`)
  assert.equal(ann?.name, 'Ann Lee')
})

const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
const person = (at: number) => `{ "name": "Ann ${at}", "key ${at}": 1 }`
const manyPeople = (count: number) => Array.from({ length: count }, (_, at) => person(at)).join(',')

const REJECTED: readonly (readonly [what: string, json: string, message: RegExp])[] = [
  ['with too many different properties', `[${manyPeople(600)}]`, /more than 500 different/],
  ['that is too long', `[${manyPeople(120_000)}]`, /longer than 4,000,000 characters/],
]

for (const [what, json, message] of REJECTED)
  test(`JSON ${what} is rejected with a reason`, async () => {
    await assert.rejects(readWhole(json), (error: unknown) => {
      assert.ok(error instanceof UnreadableFile)
      assert.equal(error.code, 'json_file')
      assert.match(error.message, message)
      return true
    })
  })

test('lists of objects are read by the key that is named after the kind of value', async () => {
  const people = [
    {
      name: 'Ann Lee',
      emails: [{ type: 'work', email: 'ann@x.example' }],
      phoneNumbers: [{ type: 'mobile', number: '+1 555 0100' }],
      phones: [{ phone: '+1 555 0101', isPrimary: 1 }],
      tags: [{ tag: 'chess' }, { tag: 'friends' }],
      addresses: [],
      lastContactedAt: '2026-03-01T09:00:00.000Z',
    },
  ]
  const { contacts } = await readWhole(JSON.stringify({ version: 1, contacts: people }))
  const [ann] = contacts
  assert.deepEqual(
    [ann?.emails, ann?.phones, ann?.labels],
    [['ann@x.example'], ['+1 555 0100', '+1 555 0101'], ['chess', 'friends']],
  )
  assert.deepEqual(ann?.details, {
    interactions: [{ kind: 'other', on: '2026-03-01', isLastContact: true }],
  })
})
