import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Check } from 'typebox/schema'
import * as Type from './type.ts'
import { checkSchema } from './schema.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

const PERSON = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
    sort: Type.Optional(Type.Enum(['up', 'down'])),
    tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
    'a/b~c': Type.Optional(Type.Boolean()),
    title: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
  },
  { additionalProperties: false },
)

function problems(value: unknown): string[] {
  const checked = checkSchema(PERSON, value)
  return checked.ok ? [] : checked.problems.map(({ pointer, detail }) => `${pointer} ${detail}`)
}

test('a value that fits comes back as it is: nothing coerced, nothing filled in', () => {
  const value = { name: 'Ada', age: 36, title: null }
  assert.deepEqual(checkSchema(PERSON, value), { ok: true, value })
  assert.deepEqual(problems({ name: 'Ada', age: '36' }), ['/age must be an integer'])
})

test('each mistake is named where it is, in a sentence', () => {
  assert.deepEqual(problems({}), ['/name is required'])
  assert.deepEqual(problems({ name: '' }), ['/name must not be empty'])
  assert.deepEqual(problems({ name: 'Augusta' }), ['/name must have at most 5 characters'])
  assert.deepEqual(problems({ name: 'A', age: 151 }), ['/age must be at most 150'])
  assert.deepEqual(problems({ name: 'A', age: -1 }), ['/age must be at least 0'])
  assert.deepEqual(problems({ name: 'A', sort: 'x' }), ['/sort must be one of "up", "down"'])
  assert.deepEqual(problems({ name: 'A', tags: [] }), ['/tags must have at least 1 item'])
  assert.deepEqual(problems({ name: 'A', tags: ['', 1] }), ['/tags/1 must be a string'])
  assert.deepEqual(problems({ name: 'A', who: 1 }), ['/who is not a known field'])
  assert.deepEqual(problems({ name: 'A', title: 'long' }), [
    '/title must have at most 3 characters, or null',
  ])
  assert.deepEqual(problems({ name: 'A', title: 5 }), ['/title must be a string, or null'])
  assert.deepEqual(problems([]), [' must be an object'])
  assert.deepEqual(problems({ name: 1, age: 'x' }), [
    '/name must be a string',
    '/age must be an integer',
  ])
})

test('pointers escape what RFC 6901 escapes, and a long name is cut', () => {
  assert.deepEqual(problems({ name: 'A', 'x/y~z': 1 }), ['/x~1y~0z is not a known field'])
  const [said = ''] = problems({ name: 'A', ['x'.repeat(500)]: 1 })
  assert.ok(said.length < 100)
})

test('of a thousand mistakes the first few are named', () => {
  const strange = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`x${at}`, 1]))
  const said = problems({ name: 'A', ...strange })
  assert.ok(said.length >= 5 && said.length <= 20)
  assert.equal(said[0], '/x0 is not a known field')
  const lacking = Type.Object(
    Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x${at}`, Type.Null()])),
  )
  const checked = checkSchema(lacking, {})
  assert.ok(!checked.ok && checked.problems.length === 20)
})

const ANY_PART = Type.Object(
  {
    ...PERSON.properties,
    kind: Type.Optional(Type.Literal('one')),
    size: Type.Optional(Type.Number({ minimum: 0.5 })),
    code: Type.Optional(Type.String({ minLength: 2, pattern: '^[a-z]+$' })),
    names: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    either: Type.Optional(Type.Union([Type.Boolean(), Type.Object({}, { minProperties: 1 })])),
    scalar: Type.Optional(Type.Unsafe({ type: ['string', 'number'] })),
  },
  { additionalProperties: false },
)

test('accepts exactly the values that TypeBox accepts', () => {
  const text = unicodeText({ maxLength: 7 })
  const value = fc.oneof(
    fc.constantFrom(null, 'up', 'one', 0.5, 2, true, -0, 'ab'),
    text,
    fc.integer({ min: -2, max: 160 }),
    fc.array(text, { maxLength: 3 }),
    fc.dictionary(text, fc.oneof(fc.integer(), text), { maxKeys: 2 }),
  )
  const names = fc.constantFrom(...Object.keys(ANY_PART.properties), 'x', '__proto__')
  const given = fc.tuple(
    fc.constantFrom({}, { name: 'Ada' }, { name: '\u{1f600}\u{1f600}\u{1f600}' }),
    fc.dictionary(names, value, { maxKeys: 3 }),
  )
  fc.assert(
    fc.property(given, ([person, more]) => {
      const whole = { ...person, ...more }
      assert.equal(checkSchema(ANY_PART, whole).ok, Check(ANY_PART, whole))
    }),
  )
})
