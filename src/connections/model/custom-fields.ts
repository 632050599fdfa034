/** The custom fields of a network: their names, kinds, and values as text. */

import { reserveNumbers } from '../../tools/network-numbers.ts'
import { insertRows } from '../../db/insert-row.ts'
import { t } from '../../languages/message.ts'
import {
  type CustomFieldKind,
  type FieldDefinition,
} from '../../contact-files/contact/field-definition.ts'
import { RequestError } from '../../base/request-error.ts'
import { similarName } from '../../base/spelling/similar-name.ts'
import { normalize } from '../../base/tokenize.ts'
import { formatPublicId, parsePublicId } from '../../base/public-id.ts'
import { asProperties, memberStatement } from '../../db/statement.ts'
import { isPartialDate } from '../../contact-files/contact/clean-details.ts'
import { manyLines, oneLine } from '../../contact-files/contact/clean-text.ts'
import {
  MAX_CUSTOM_FIELDS,
  MAX_CUSTOM_LENGTH,
  MAX_TEXT_LENGTH,
} from '../../contact-files/contact/limits.ts'
import { linkIn } from '../../contact-files/contact/urls.ts'
import type { Details } from '../../contact-files/contact/details.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export interface CustomField {
  readonly fieldId: number
  readonly name: string
  /** Two fields of a network never have the same key. */
  readonly key: string
  readonly kind: CustomFieldKind
  /** The values that a choice can have; empty for other kinds. */
  readonly choices: readonly string[]
  /** The place in the member's order, 1 first; null, which comes last, until the member has moved a field. */
  readonly position: number | null
  readonly createdAt: number
  /** Values of a deleted field are hidden until it is restored or purged. */
  readonly deletedAt: number | null
}

/** Such as `cf_3`. */
export function customFieldId(fieldId: number): string {
  return formatPublicId(PREFIX, fieldId)
}

/** The number of a field; 0, which is never used, if the text is not a field ID. */
export function customFieldNumber(publicId: string): number {
  return parsePublicId(PREFIX, publicId) ?? 0
}

const PREFIX = 'cf'

/** Equal for names that differ only in case, accents, spaces, `_` or `-`. */
export function customFieldNameKey(text: string): string {
  const name = oneLine(text, MAX_TEXT_LENGTH)
  return (
    normalize(name)
      .replace(/[\s_-]+/g, ' ')
      .trim() || name
  )
}

/** The fields that are not deleted, in the member's order. */
export async function readCustomFields(reader: MemberReader): Promise<CustomField[]> {
  return (await readAllFields(reader)).filter(({ deletedAt }) => deletedAt === null)
}

/** Also the deleted fields that can be restored. */
export async function readAllFields(reader: MemberReader): Promise<CustomField[]> {
  return (await reader.all(FIELDS, {})).map(fieldOf)
}

/** The fields for which these details have a value. Reads nothing for details without custom values. */
export async function customFieldsOf(
  reader: MemberReader,
  ...all: readonly Details[]
): Promise<readonly CustomField[]> {
  if (all.every(({ custom }) => custom === undefined)) return NO_FIELDS
  const fields = await readCustomFields(reader)
  return fields.filter(({ fieldId }) => all.some(({ custom }) => custom?.[fieldId] !== undefined))
}

const NO_FIELDS: readonly CustomField[] = []

/** Their IDs come from the registry, see `loadFieldRegistry`. */
export async function insertCustomFields(
  tx: MemberTransaction,
  fields: readonly CustomField[],
): Promise<void> {
  await insertRows(
    tx,
    'custom_fields',
    fields.map((field) =>
      Object.assign(rowOf(field), { position: field.position, created_at: field.createdAt }),
    ),
  )
}

/** The columns that change. */
function rowOf(field: CustomField) {
  return {
    field_id: field.fieldId,
    name: field.name,
    name_key: field.key,
    kind: field.kind,
    choices: JSON.stringify(field.choices),
    deleted_at: field.deletedAt,
  }
}

/** Stores every property of the field but its ID and its position. */
export async function updateCustomField(tx: MemberTransaction, field: CustomField): Promise<void> {
  await tx.run(UPDATE_FIELD, rowOf(field))
}

/** 1 is the first place. The member's other fields keep theirs. */
export async function setFieldPosition(
  tx: MemberTransaction,
  fieldId: number,
  position: number,
): Promise<void> {
  await tx.run(SET_POSITION, { field_id: fieldId, position })
}

/** Removes a field as if it had never been defined. Its values stay in the connections but are not shown. */
export async function removeCustomField(
  tx: MemberTransaction,
  { fieldId }: CustomField,
): Promise<void> {
  await tx.run(DELETE_FIELD, { field_id: fieldId })
}

/** The value as the field stores it; undefined if it is invalid for the field. */
export function customValueOf(
  { kind, choices }: Pick<CustomField, 'kind' | 'choices'>,
  text: string,
): string | undefined {
  const value = manyLines(text, MAX_CUSTOM_LENGTH)
  if (value === '') return undefined
  if (kind === 'number') return NUMBER.test(value) ? value : undefined
  if (kind === 'date') return isPartialDate(value) ? value : undefined
  if (kind === 'url') return linkIn(value) ?? undefined
  if (kind === 'choice') return choices.find((choice) => normalize(choice) === normalize(value))
  return value
}

/** As JSON writes a number, also with a plus sign or a leading zero. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Says which values a field takes, for an error. */
export function expectedValue({ kind, choices }: Pick<CustomField, 'kind' | 'choices'>): string {
  if (kind === 'number') return t('a number such as 12 or 2.5')
  if (kind === 'date') return t('a date (YYYY-MM-DD, YYYY-MM, YYYY or --MM-DD)')
  if (kind === 'url') return t('a URL')
  if (kind === 'choice') return t('one of: {choices}', { choices: choices.join(', ') })
  return t('a text')
}

/**
 * The field with this name.
 *
 * @throws {RequestError} `invalid_request` when none has it; `pointer` is the argument with the name.
 */
export function requireCustomField(
  fields: readonly CustomField[],
  name: string,
  pointer: string,
): CustomField {
  const key = customFieldNameKey(name)
  const field = fields.find((one) => one.key === key)
  if (field) return field
  const meant = similarName(
    name,
    fields.map((one) => one.name),
  )
  throw new RequestError(
    'invalid_request',
    `${pointer.slice(1)}: custom field “${name.slice(0, 60).toWellFormed()}” not found.`,
    {
      hint:
        meant === undefined
          ? 'get_network_summary lists the defined fields. Define this one first: set_custom_field ' +
            JSON.stringify({ name: name.slice(0, 60).toWellFormed() })
          : `Did you mean “${meant}”? get_network_summary lists all fields; set_custom_field defines a new one.`,
      errors: [{ pointer, detail: 'must name defined fields' }],
    },
  )
}

/** The number of the newest field; 0 before the first. */
export async function lastFieldNumber(reader: MemberReader): Promise<number> {
  return (await reader.get(LAST_FIELD, {}))?.last_custom_field ?? 0
}

/**
 * Adds the fields whose names no field of the network has, not even a deleted one, and returns them. Their order is kept in a
 * network that has no fields yet.
 */
export async function addMissingFields(
  tx: MemberTransaction,
  definitions: readonly FieldDefinition[],
  now: number,
): Promise<CustomField[]> {
  const fields = await readAllFields(tx)
  const taken = new Set(fields.map(({ key }) => key))
  const missing = definitions
    .map((definition) => ({ ...definition, key: customFieldNameKey(definition.name) }))
    .filter(({ key }) => !taken.has(key) && taken.add(key))
    .slice(0, Math.max(0, MAX_CUSTOM_FIELDS - fields.length))
  if (missing.length === 0) return []
  const first = await reserveNumbers(tx, 'last_custom_field', missing.length)
  const added = missing.map(({ name, key, kind, choices, position = null }, index) => ({
    fieldId: first + index,
    name,
    key,
    kind,
    choices,
    position: fields.length === 0 ? position : null,
    createdAt: now,
    deletedAt: null,
  }))
  await insertCustomFields(tx, added)
  return added
}

type FieldRow = Omit<CustomField, 'choices'> & { readonly choices: string }

function fieldOf(row: FieldRow): CustomField {
  return { ...row, choices: JSON.parse(row.choices) as string[] }
}

/** A member has a few hundred at most. */
const FIELDS = memberStatement<object, FieldRow>()(`
  select ${asProperties('field_id, name, kind, choices, position, created_at, deleted_at')}, name_key as key
  from custom_fields
  where member_id = :member_id order by position is null, position, name_key, field_id`)

const LAST_FIELD = memberStatement<object, { last_custom_field: number }>()(
  'select last_custom_field from networks where member_id = :member_id',
)

const SET_POSITION = memberStatement<{ field_id: number; position: number }>()(`
  update custom_fields set position = :position
  where member_id = :member_id and field_id = :field_id`)

const DELETE_FIELD = memberStatement<{ field_id: number }>()(
  'delete from custom_fields where member_id = :member_id and field_id = :field_id',
)

const UPDATE_FIELD = memberStatement<ReturnType<typeof rowOf>>()(`
  update custom_fields
  set name = :name, name_key = :name_key, kind = :kind, choices = :choices, deleted_at = :deleted_at
  where member_id = :member_id and field_id = :field_id`)
