import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as Type from '../../base/type.ts'
import { checkSchema } from '../../base/schema.ts'
import { Birthday, CalendarDay } from './date-argument.ts'
import { publishedSchema } from './published-schema.ts'
import { pageLimit } from '../result-pages.ts'
import { readArguments } from './read-arguments.ts'
import { splitTime } from '../../dates/time-of-day.ts'

const Id = Type.String({
  pattern: '^c_[1-9][0-9]{0,8}$',
  description: 'From list',
  examples: ['c_12'],
})
const INPUT = Type.Object(
  {
    id: Id,
    text: Type.Optional(Type.String({ maxLength: 20, description: 'Any text' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Default 20' }),
    ),
    score: Type.Optional(Type.Number({ description: 'Share' })),
    deep: Type.Optional(Type.Boolean({ description: 'Go deep' })),
    sort: Type.Optional(Type.Enum(['name', 'recent'], { type: 'string', description: 'Order' })),
    on: Type.Optional(CalendarDay('Date')),
    birthday: Type.Optional(Birthday('Date')),
    tags: Type.Optional(
      Type.Array(Type.String({ maxLength: 20 }), { maxItems: 5, description: 'Labels' }),
    ),
    ids: Type.Optional(Type.Array(Id, { maxItems: 5, description: 'From list' })),
    links: Type.Optional(
      Type.Array(
        Type.Object(
          {
            url: Type.String({ maxLength: 20 }),
            label: Type.Optional(Type.String({ maxLength: 20 })),
          },
          { additionalProperties: false },
        ),
        { maxItems: 5, description: 'Links' },
      ),
    ),
  },
  { additionalProperties: false },
)
const TOOL = { name: 'try_it', input: INPUT }
const CONTEXT = { timeZone: 'UTC', now: Date.parse('2026-11-22T12:00:00Z') }

function read(given: unknown): unknown {
  const result = readArguments(TOOL, given, CONTEXT)
  return result.ok ? result.value : result.explanation.message
}

test('converts unambiguous values', () => {
  const cases: [given: object | string, read: object][] = [
    [{ limit: '20' }, { limit: 20 }],
    [{ limit: ' 20.0 ' }, { limit: 20 }],
    [{ score: '0.5' }, { score: 0.5 }],
    [{ deep: 'True' }, { deep: true }],
    [{ text: 20 }, { text: '20' }],
    [{ sort: 'Name' }, { sort: 'name' }],
    [{ tags: 'investor' }, { tags: ['investor'] }],
    [{ tags: 'a, b' }, { tags: ['a, b'] }],
    [{ tags: '["a","b"]' }, { tags: ['a', 'b'] }],
    [{ ids: 'c_1, c_2' }, { ids: ['c_1', 'c_2'] }],
    [{ ids: ' c_1 ' }, { ids: ['c_1'] }],
    [{ links: { url: 'https://x.org' } }, { links: [{ url: 'https://x.org' }] }],
    [{ links: '[{"url":"x","label":null}]' }, { links: [{ url: 'x' }] }],
    [{ on: 'tomorrow' }, { on: '2026-11-23' }],
    [{ birthday: '5 March 1990' }, { birthday: '1990-03-05' }],
    [{ birthday: '5 March' }, { birthday: '--03-05' }],
    [{ birthday: '--02-29' }, { birthday: '--02-29' }],
    [{ text: null, limit: '', tags: null, unknown: null }, {}],
  ]
  for (const [given, expected] of cases)
    assert.deepEqual(read({ id: 'c_1', ...(given as object) }), { id: 'c_1', ...expected })
  assert.deepEqual(read('{"id":"c_1","limit":"2"}'), { id: 'c_1', limit: 2 })
  const list = Type.Object({ people: Type.Optional(Type.String()), limit: pageLimit() })
  const readList = (given: object) =>
    readArguments({ name: 'list_it', input: list }, given, { timeZone: 'UTC', now: 0 })
  assert.deepEqual(readList({ connection_id: ['c_1'], limit: '50' }), {
    ok: true,
    value: { people: 'c_1', limit: 50 },
    notes: [],
  })
  assert.deepEqual(readList({ limit: 51 }), {
    ok: true,
    value: { limit: 50 },
    notes: ['limit was 51; at most 50 are returned.'],
  })
})

test('leaves ambiguous values unchanged and explains them', () => {
  const cases: [given: unknown, said: RegExp][] = [
    [{ id: null }, /id must be a string \(was null\)\. From list; for example "c_12"/],
    [{}, /id is required\. From list; for example "c_12"/],
    [{ id: '12' }, /id must look like "c_12" \(was "12"\)/],
    [{ id: 'c_1', limit: '1,000' }, /limit must be an integer \(was "1,000"\)/],
    [{ id: 'c_1', limit: 'ten' }, /limit must be an integer/],
    [{ id: 'c_1', limit: 0 }, /limit must be at least 1 \(was 0\)\. Default 20; for example 20/],
    [{ id: 'c_1', limit: '9'.repeat(30) }, /limit must be an integer/],
    [{ id: 'c_1', deep: 'yes' }, /deep must be a boolean/],
    [{ id: 'c_1', sort: 'sideways' }, /sort must be one of "name", "recent"/],
    [{ id: 'c_1', on: '03/04/2026' }, /on can mean 2026-04-03 or 2026-03-04/],
    [{ id: 'c_1', ids: 'c_1, Ada' }, /ids\/0 must look like "c_12"/],
    [
      { id: 'c_1', purpose: 1 },
      /purpose is not an argument of try_it\. Accepted: id \(required\), text/,
    ],
    [{ id: 'c_1', birth_day: 1 }, /birth_day is not .* Did you mean birthday\?/],
    [{ id: 'c_1', links: [{ href: 'x' }] }, /links\/0\/href is not a known field/],
    [[], /arguments must be an object with these members: id \(required\)/],
    [5, /arguments must be an object/],
    [{ id: 'c_1', text: 'a\0' }, /text must not contain NUL/],
  ]
  for (const [given, said] of cases) assert.match(String(read(given)), said)
})

/** Arguments that need no conversion. Empty optional texts mean “not given”. */
const dates = fc.date({
  min: new Date('1000-01-01'),
  max: new Date('9999-12-31'),
  noInvalidDate: true,
})
const texts = fc.string({ minLength: 1, maxLength: 10 })
const ids = fc.integer({ min: 1, max: 999_999_999 }).map((number) => `c_${number}`)
const valid = fc.record(
  {
    id: ids,
    text: texts,
    limit: fc.integer({ min: 1, max: 50 }),
    score: fc.double({ noNaN: true, noDefaultInfinity: true }),
    deep: fc.boolean(),
    sort: fc.constantFrom('name', 'recent'),
    on: dates.map((date) => date.toISOString().slice(0, 10)),
    tags: fc.array(fc.string({ maxLength: 10 }), { maxLength: 5 }),
    ids: fc.array(ids, { maxLength: 5 }),
    links: fc.array(
      fc.record({ url: texts, label: texts }, { requiredKeys: ['url'], noNullPrototype: true }),
      {
        maxLength: 5,
      },
    ),
  },
  { requiredKeys: ['id'], noNullPrototype: true },
)

test('a valid value never changes', () => {
  fc.assert(
    fc.property(valid, (given) => {
      fc.pre(checkSchema(INPUT, given).ok && !JSON.stringify(given).includes('\\u0000'))
      assert.deepEqual(read(given), given)
    }),
  )
})

test('optional arguments that are null or empty count as not given', () => {
  const nothing = fc.constantFrom(null, '')
  const names = fc.subarray(Object.keys(INPUT.properties).filter((name) => name !== 'id'))
  fc.assert(
    fc.property(valid, names, nothing, (given, empty, nothingGiven) => {
      fc.pre(checkSchema(INPUT, given).ok && !JSON.stringify(given).includes('\\u0000'))
      const rest = Object.fromEntries(
        Object.entries(given).filter(([name]) => !empty.includes(name)),
      )
      const strict = { ...rest, ...Object.fromEntries(empty.map((name) => [name, nothingGiven])) }
      assert.deepEqual(read(strict), rest)
    }),
  )
})

test('any value is either converted to a valid one or explained', () => {
  const anything = fc.anything({ maxDepth: 2 })
  const names = fc.constantFrom(
    ...Object.keys(INPUT.properties),
    '__proto__',
    'constructor',
    'other',
  )
  fc.assert(
    fc.property(fc.oneof(anything, fc.dictionary(names, anything)), (given) => {
      const result = readArguments(TOOL, given, CONTEXT)
      if (result.ok) assert.ok(checkSchema(INPUT, result.value).ok)
      else assert.match(result.explanation.message, /^Invalid arguments for try_it: ./)
    }),
  )
})

test('converted values are not converted again', () => {
  const loose = fc.record({
    id: ids,
    limit: fc.oneof(fc.integer().map(String), fc.integer()),
    on: fc.constantFrom('tomorrow', 'next Friday', '5 March 2026', '2026-03-05'),
    tags: fc.oneof(fc.string({ minLength: 1 }), fc.array(fc.string())),
    deep: fc.constantFrom('true', 'FALSE', true),
  })
  fc.assert(
    fc.property(loose, (given) => {
      const result = readArguments(TOOL, given, CONTEXT)
      if (result.ok) assert.deepEqual(read(result.value), result.value)
    }),
  )
})

test('the published schema has what a model needs, and nothing else', () => {
  assert.deepEqual(
    publishedSchema(Type.Object({ id: Id, on: Type.Optional(CalendarDay('Date')) })),
    {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'From list' },
        on: { type: 'string', description: 'Date' },
      },
      required: ['id'],
      additionalProperties: false,
    },
  )
})

test('a time is split from a day only if it is one', () => {
  const cases: [text: string, day: string, time: string][] = [
    ['tomorrow 3pm', 'tomorrow', '15:00'],
    ['tomorrow at 3:30 p.m.', 'tomorrow', '15:30'],
    ['Freitag um 15 Uhr', 'Freitag', '15:00'],
    ['Freitag, 15.30 Uhr', 'Freitag', '15:30'],
    ['5 March 2026 10:00', '5 March 2026', '10:00'],
    ['2026-03-05T14:30', '2026-03-05', '14:30'],
    ['9:30 on Monday', 'Monday', '09:30'],
    ['15 Uhr am Freitag', 'Freitag', '15:00'],
    ['Friday noon', 'Friday', '12:00'],
  ]
  for (const [text, day, time] of cases) assert.deepEqual(splitTime(text), { day, time }, text)
  const others = ['Montag 5.12', 'in 3 days', 'tomorrow', '3pm', 'Friday 25:00', 'Friday 13pm', '']
  for (const text of [...others, 'x 3pm '.repeat(20_000)]) assert.equal(splitTime(text), undefined)
})
