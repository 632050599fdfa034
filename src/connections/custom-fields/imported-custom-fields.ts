/** The custom fields of a network during an import, which adds a text field for every column that has none. */

import { reserveNumbers } from '../../tools/network-numbers.ts'
import { oneLine } from '../../contact-files/contact/clean-text.ts'
import { MAX_CUSTOM_FIELDS, MAX_CUSTOM_LENGTH, MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { writtenNumberIn } from './written-number.ts'
import type { CustomText } from '../../contact-files/contact/details.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import { insertNumberedRows } from '../../records/recorded-table.ts'
import {
  CUSTOM_FIELDS,
  type CustomField,
  customFieldNameKey,
  readAllFields,
  lastFieldNumber,
} from './custom-fields.ts'
import { customValueOf } from './custom-values.ts'

/** The fields of a network during an import, which adds a text field for every column that has none. */
export interface FieldRegistry {
  readonly known: Map<string, CustomField>
  /** Fields that this import adds. Their numbers are reserved when it is saved. */
  readonly added: CustomField[]
  next: number
}

/** The fields that an import can use, and the next free ID. Returns `before` if it was loaded already. */
export async function loadFieldRegistry(
  reader: MemberReader,
  before?: FieldRegistry,
): Promise<FieldRegistry> {
  if (before) return before
  const fields = await readAllFields(reader)
  const last = await lastFieldNumber(reader)
  // Values of a deleted field's column go into the deleted field, so that the column does not become a new field.
  const byAge = fields.toSorted(
    (one, other) => Number(one.deletedAt === null) - Number(other.deletedAt === null),
  )
  return { known: new Map(byAge.map((field) => [field.key, field])), added: [], next: last + 1 }
}

/** The field with this number, if the registry has it. */
export function fieldNumbered(
  registry: FieldRegistry | undefined,
  id: string,
): CustomField | undefined {
  return [...(registry?.known.values() ?? [])].find(({ fieldId }) => String(fieldId) === id)
}

/** The field with this name, if the registry has it. */
export function fieldCalled(registry: FieldRegistry, name: string): CustomField | undefined {
  return registry.known.get(customFieldNameKey(oneLine(name, MAX_TEXT_LENGTH)))
}

/**
 * Values by field number. A value that is invalid for its field, or for which the field has no room, goes into another text
 * field.
 */
export function placeCustomTexts(
  registry: FieldRegistry,
  texts: readonly CustomText[],
  now: number,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const { field: name, value } of texts) {
    const field = fieldNamed(registry, name, now)
    const read = customValueOf(field, value) ?? writtenNumber(field, value)
    if (read !== undefined && addValue(values, field, read)) continue
    for (const suffix of FURTHER_FIELDS)
      if (addValue(values, fieldNamed(registry, field.name + suffix, now), value)) break
  }
  return values
}

/** Further text fields of a column: far more than real files need. */
const FURTHER_FIELDS = [' (text)', ...Array.from({ length: 19 }, (_, at) => ` (text ${at + 2})`)]

function writtenNumber({ kind }: CustomField, text: string): string | undefined {
  return kind === 'number' ? writtenNumberIn(text) : undefined
}

/** A text field that repeats has all of its values. Returns false if the field has no room for this one. */
function addValue(
  values: Record<string, string>,
  { fieldId, kind }: CustomField,
  text: string,
): boolean {
  const before = values[fieldId]
  if (before === undefined) values[fieldId] = text
  else if (before === text || before.split('\n').includes(text)) return true
  else if (kind !== 'text' || before.length + text.length >= MAX_CUSTOM_LENGTH) return false
  else values[fieldId] = `${before}\n${text}`
  return true
}

function fieldNamed(registry: FieldRegistry, text: string, now: number): CustomField {
  const name = oneLine(text, MAX_TEXT_LENGTH)
  const key = customFieldNameKey(name)
  const known = registry.known.get(key)
  if (known) return known
  if (registry.known.size >= MAX_CUSTOM_FIELDS && !name.startsWith(OTHER_COLUMNS))
    return fieldNamed(registry, OTHER_COLUMNS, now)
  const field: CustomField = {
    fieldId: registry.next,
    name,
    key,
    kind: 'text',
    choices: [],
    position: null,
    createdAt: now,
    deletedAt: null,
  }
  registry.next += 1
  registry.known.set(key, field)
  registry.added.push(field)
  return field
}

/** Collects the values of further columns once the network has the maximum number of fields. */
const OTHER_COLUMNS = 'Other columns'

/** Stores the fields that an import added since the last call. */
export async function saveFieldRegistry(
  tx: MemberTransaction,
  { added }: FieldRegistry,
): Promise<void> {
  if (added.length === 0) return
  const first = await reserveNumbers(tx, 'last_custom_field', added.length)
  if (first !== added[0]?.fieldId) throw new Error('the numbers of new fields are taken')
  await insertNumberedRows(CUSTOM_FIELDS, tx, added)
}
