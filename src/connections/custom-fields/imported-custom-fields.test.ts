import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeCustomTexts, type FieldRegistry } from './imported-custom-fields.ts'
import { MAX_CUSTOM_FIELDS, MAX_CUSTOM_LENGTH } from '../../base/limits.ts'
import type { CustomField } from './custom-fields.ts'

function registryOf(fields: readonly Partial<CustomField>[] = []): FieldRegistry {
  const known = fields.map((field, at): CustomField => {
    const name = field.name ?? `Field ${at}`
    const plain = { fieldId: at + 1, name, key: name.toLowerCase(), kind: 'text' } as const
    return { ...plain, choices: [], position: null, createdAt: 0, deletedAt: null, ...field }
  })
  return { known: new Map(known.map((one) => [one.key, one])), added: [], next: known.length + 1 }
}

function namedValues(registry: FieldRegistry, values: Readonly<Record<string, string>>) {
  const names = new Map([...registry.known.values()].map((one) => [String(one.fieldId), one.name]))
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [names.get(id), value]))
}

test('every value of a column that repeats is kept, whatever the kind of its field', () => {
  const registry = registryOf([{ name: 'Score', kind: 'number' }])
  const texts = ['2.5', '2.5', '7', 'many', '7'].map((value) => ({ field: 'Score', value }))
  assert.deepEqual(namedValues(registry, placeCustomTexts(registry, texts, 0)), {
    Score: '2.5',
    'Score (text)': '7\nmany',
  })
})

test('values that are too long together go into further fields', () => {
  const values = ['a', 'b', 'c'].map((letter) => letter.repeat(MAX_CUSTOM_LENGTH - 1))
  const texts = values.map((value) => ({ field: 'Log', value }))
  const [first, second, third] = values
  const few = registryOf()
  assert.deepEqual(namedValues(few, placeCustomTexts(few, texts, 0)), {
    Log: first,
    'Log (text)': second,
    'Log (text 2)': third,
  })
  const full = registryOf(Array.from({ length: MAX_CUSTOM_FIELDS }, () => ({})))
  assert.deepEqual(namedValues(full, placeCustomTexts(full, texts, 0)), {
    'Other columns': first,
    'Other columns (text)': second,
    'Other columns (text 2)': third,
  })
})
