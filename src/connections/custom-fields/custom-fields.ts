/** The custom fields of a network: their names, kinds, choices and order. */

import { idsOf } from '../model/connection.ts'
import { deleteRow, updateRow } from '../../db/change-row.ts'
import { column, jsonColumn, selected } from '../../records/columns.ts'
import { insertDrafts, numberIn, recordedTable, type RowIn } from '../../records/recorded-table.ts'
import { isLive, undoerOf } from '../../records/undo-rows.ts'
import { changedSince } from '../../tools/undo.ts'
import { t } from '../../languages/message.ts'
import {
  type CustomFieldKind,
  type FieldDefinition,
} from '../../contact-files/contact/field-definition.ts'
import { RequestError } from '../../base/request-error.ts'
import { similarName } from '../../base/spelling/similar-name.ts'
import { normalize } from '../../base/tokenize.ts'
import { formatPublicId } from '../../base/public-id.ts'
import { memberStatement } from '../../db/statement.ts'
import { oneLine } from '../../contact-files/contact/clean-text.ts'
import { MAX_CUSTOM_FIELDS, MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { recordDeletion } from '../model/record-deletion.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { Details } from '../../contact-files/contact/details.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export const CUSTOM_FIELDS = recordedTable({
  table: 'custom_fields',
  key: 'fieldId',
  counter: 'last_custom_field',
  prefix: 'cf',
  noun: 'custom_field',
  plural: 'custom_fields',
  title: 'Custom field',
  listedBy: 'get_network_summary',
  actions: { add: 'custom_field.set', change: 'custom_field.set', remove: 'custom_field.delete' },
  isKept: true,
  isWhole: true,
  columns: {
    fieldId: column<number>(),
    name: column<string>(),
    /** Two fields of a network never have the same key. */
    key: column<string>('name_key'),
    kind: column<CustomFieldKind>(),
    /** The values that a choice can have; empty for other kinds. */
    choices: jsonColumn<readonly string[]>(),
    /** The place in the member's order, 1 first; null, which comes last, until the member has moved a field. */
    position: column<number | null>(),
    createdAt: column<number>(),
  },
  logged: {
    custom_field_id: { write: ({ fieldId }) => customFieldId(fieldId) },
    name: {
      write: ({ name }) => name,
      // Safe: as written above.
      read: (name) => ({ name: name as string, key: customFieldNameKey(name as string) }),
    },
    kind: 'kind',
    choices: 'choices',
  },
  conflict: (id, _fields, { name = id }) =>
    t('the custom field {value}', { value: name as string }),
  async assertFree(tx, restored) {
    const fields = await readCustomFields(tx)
    const taken = restored.find(({ key, fieldId }) =>
      fields.some((one) => one.key === key && one.fieldId !== fieldId),
    )
    if (taken) throw changedSince(t('another custom field is named {name}', { name: taken.name }))
  },
  /** Values appear and disappear with their field, and cards have its name. */
  async written(tx, { changes, now }) {
    for (const { before, after } of changes)
      if (before && (isLive(before) !== isLive(after) || before.name !== after.name)) {
        const values = await readValues(tx, after)
        await recordSearchChanges(tx, idsOf(values))
        if (!isLive(after)) await recordDeletion(tx, now)
      }
  },
})

/** Values of a deleted field are hidden until it is restored or purged. */
export type CustomField = RowIn<typeof CUSTOM_FIELDS> & { readonly deletedAt: number | null }

export const customFieldUndoer = undoerOf(CUSTOM_FIELDS)

/** The values that connections have for a field, deleted connections included. Scans the network. */
export async function readValues(
  reader: MemberReader,
  { fieldId }: Pick<CustomField, 'fieldId'>,
): Promise<{ readonly connectionId: number; readonly value: string }[]> {
  const rows = await reader.all(WITH_VALUE, { pattern: `%"custom":{%"${fieldId}":%` })
  return rows.flatMap(({ connection_id, details }) => {
    // The service wrote it.
    const value = (JSON.parse(details) as Details).custom?.[fieldId]
    return value === undefined ? [] : [{ connectionId: connection_id, value }]
  })
}

/** Such as `cf_3`. */
export function customFieldId(fieldId: number): string {
  return formatPublicId('cf', fieldId)
}

/** The number of a field; 0, which is never used, if the text is not a field ID. */
export function customFieldNumber(publicId: string): number {
  return numberIn(CUSTOM_FIELDS, publicId)
}

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

/** 1 is the first place. The member's other fields keep theirs. */
export async function setFieldPosition(
  tx: MemberTransaction,
  fieldId: number,
  position: number,
): Promise<void> {
  await updateRow(tx, 'custom_fields', { fieldId }, { position })
}

/** Removes a field as if it had never been defined. Its values stay in the connections but are not shown. */
export async function removeCustomField(
  tx: MemberTransaction,
  { fieldId }: CustomField,
): Promise<void> {
  await deleteRow(tx, 'custom_fields', { fieldId })
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
  const drafts = missing.map(({ name, key, kind, choices, position = null }) => ({
    name,
    key,
    kind,
    choices,
    position: fields.length === 0 ? position : null,
    createdAt: now,
  }))
  const added = await insertDrafts(CUSTOM_FIELDS, tx, drafts)
  return added.map((field) => Object.assign(field, { deletedAt: null }))
}

type FieldRow = Omit<CustomField, 'choices'> & { readonly choices: string }

function fieldOf(row: FieldRow): CustomField {
  return { ...row, choices: JSON.parse(row.choices) as string[] }
}

/** A member has a few hundred at most. */
const FIELDS = memberStatement<object, FieldRow>()(`
  select ${selected(CUSTOM_FIELDS.columns, 'f')}, f.deleted_at as "deletedAt" from custom_fields f
  where f.member_id = :member_id order by f.position is null, f.position, f.name_key, f.field_id`)

const LAST_FIELD = memberStatement<object, { last_custom_field: number }>()(
  'select last_custom_field from networks where member_id = :member_id',
)

/** Scans the member's connections. */
const WITH_VALUE = memberStatement<
  { pattern: string },
  { connection_id: number; details: string }
>()(`
  select connection_id, details from connections
  where member_id = :member_id and details like :pattern order by connection_id`)
