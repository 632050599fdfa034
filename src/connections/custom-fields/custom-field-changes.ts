/** Defines, renames, changes and deletes custom fields. */

import { entryOf } from '../../records/activity-entry.ts'
import { isChanged } from '../../records/record-rows.ts'
import { addRow, storeRows } from '../../records/recorded-table.ts'
import { t } from '../../languages/message.ts'
import { isVisible } from '../../base/schema.ts'
import { RequestError } from '../../base/request-error.ts'
import { similarName } from '../../base/spelling/similar-name.ts'
import { oneLine } from '../../contact-files/contact/clean-text.ts'
import {
  CUSTOM_FIELDS,
  customFieldNameKey,
  readAllFields,
  readCustomFields,
  readValues,
  type CustomField,
} from './custom-fields.ts'
import { customValueOf, expectedValue } from './custom-values.ts'
import { type CustomFieldKind } from '../../contact-files/contact/field-definition.ts'
import { MAX_CHOICES, MAX_CUSTOM_FIELDS, MAX_TEXT_LENGTH } from '../../base/limits.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Change, WriteCall } from '../../tools/tool.ts'

/** A requested definition of a field. Omitted properties stay unchanged. */
interface FieldDefinition {
  readonly name: string
  readonly kind?: CustomFieldKind | undefined
  /** All choices of the field. */
  readonly choices?: readonly string[] | undefined
  /** Instead of all choices: some to add and some to remove. */
  readonly choiceChanges?: ChoiceChanges | undefined
  readonly renameTo?: string | undefined
}

interface ChoiceChanges {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

interface ChangedField {
  readonly field: Omit<CustomField, 'deletedAt'>
  readonly isNew: boolean
  /** For the activity log; undefined if nothing changed. */
  readonly change: Change | undefined
}

/**
 * Defines a field, or changes the one with this name.
 *
 * @throws {RequestError} `invalid_request` when the definition is invalid.
 * @throws {RequestError} `conflict` when another field has the name, or when values of connections do not fit.
 */
export async function setCustomField(
  tx: MemberTransaction,
  definition: FieldDefinition,
  now: number,
): Promise<ChangedField> {
  const fields = await readCustomFields(tx)
  const key = customFieldNameKey(definition.name)
  const before = fields.find((field) => field.key === key)
  return before
    ? changeField({ tx, now }, before, definition, fields)
    : addField(tx, definition, now)
}

async function addField(
  tx: MemberTransaction,
  {
    name: text,
    choiceChanges,
    choices = choiceChanges?.add ?? [],
    kind = choices.length > 0 ? 'choice' : 'text',
    renameTo,
  }: FieldDefinition,
  now: number,
): Promise<ChangedField> {
  if (renameTo !== undefined) throw noField(text, await readCustomFields(tx))
  if ((await readAllFields(tx)).length >= MAX_CUSTOM_FIELDS)
    throw new RequestError(
      'conflict',
      t('A network has at most {maxCustomFields} custom fields.', {
        maxCustomFields: MAX_CUSTOM_FIELDS,
      }),
      {
        hint: t('Delete one first. Deleted fields count for 30 days.'),
      },
    )
  const name = nameIn(text)
  const draft = {
    name,
    key: customFieldNameKey(name),
    kind,
    choices: choicesIn(kind, choices),
    position: null,
    createdAt: now,
  }
  const field = await addRow(CUSTOM_FIELDS, tx, draft, now)
  return { field, isNew: true, change: entryOf(CUSTOM_FIELDS, [{ after: field }]) }
}

async function changeField(
  { tx, now }: Pick<WriteCall, 'tx' | 'now'>,
  before: CustomField,
  { kind = before.kind, choices: all, choiceChanges, renameTo }: FieldDefinition,
  fields: readonly CustomField[],
): Promise<ChangedField> {
  const name = renameTo === undefined ? before.name : nameIn(renameTo)
  const key = customFieldNameKey(name)
  if (fields.some((one) => one.key === key && one !== before))
    throw new RequestError('conflict', t('Another custom field is named “{name}”.', { name }), {
      errors: [{ pointer: '/rename_to', detail: t('is the name of another field') }],
    })
  const choices = all ?? changedChoices(before, choiceChanges)
  const field = {
    ...before,
    name,
    key,
    kind,
    choices: choicesIn(kind, kind === 'choice' ? choices : []),
  }
  const change = { before, after: field }
  if (!isChanged(CUSTOM_FIELDS, before, field))
    return { field: before, isNew: false, change: undefined }
  await requireFittingValues(tx, field)
  await storeRows(CUSTOM_FIELDS, tx, [change], now)
  return { field, isNew: false, change: entryOf(CUSTOM_FIELDS, [change]) }
}

function changedChoices(
  { choices }: CustomField,
  { add, remove }: ChoiceChanges = { add: [], remove: [] },
): readonly string[] {
  const removed = new Set(remove.map(customFieldNameKey))
  return [...choices.filter((choice) => !removed.has(customFieldNameKey(choice))), ...add]
}

function choicesIn(kind: CustomFieldKind, texts: readonly string[]): string[] {
  const choices = new Map(
    texts
      .map((text) => oneLine(text, MAX_TEXT_LENGTH))
      .map((text) => [customFieldNameKey(text), text]),
  )
  choices.delete('')
  if (choices.size > MAX_CHOICES)
    throw new RequestError(
      'invalid_request',
      t('A field has at most {maxChoices} choices.', { maxChoices: MAX_CHOICES }),
      {
        errors: [{ pointer: '/choices', detail: `are limited to ${MAX_CHOICES}` }],
      },
    )
  if ((kind === 'choice') === choices.size > 0) return [...choices.values()]
  const detail =
    kind === 'choice'
      ? t('is required for the kind choice')
      : t('must be omitted unless the kind is choice')
  throw new RequestError('invalid_request', `choices ${detail}. ${CHOICES_EXAMPLE}`, {
    errors: [{ pointer: '/choices', detail }],
  })
}

const CHOICES_EXAMPLE = 'For example {"kind": "choice", "choices": ["Gold", "Silver"]}.'

/** A field with values changes its kind only if every value fits. */
async function requireFittingValues(reader: MemberReader, field: CustomField): Promise<void> {
  if (field.kind === 'text') return
  for (const { value } of await readValues(reader, field))
    if (customValueOf(field, value) === undefined)
      throw new RequestError(
        'conflict',
        t('“{text}” is a value of {name}, which is not {field}.', {
          text: value.slice(0, 60).toWellFormed(),
          name: field.name,
          field: expectedValue(field),
        }),
        { hint: t('Change the values that do not fit first, or define another field.') },
      )
}

/**
 * Deletes a field. Its values are hidden, and restored with it within 30 days.
 *
 * @throws {RequestError} `not_found` when the member has no such field.
 */
export async function deleteCustomField(
  tx: MemberTransaction,
  name: string,
  now: number,
): Promise<{ readonly field: CustomField; readonly change: Change }> {
  const fields = await readCustomFields(tx)
  const key = customFieldNameKey(name)
  const field = fields.find((one) => one.key === key)
  if (!field) throw noField(name, fields)
  const change = { before: field, after: { ...field, deletedAt: now } }
  await storeRows(CUSTOM_FIELDS, tx, [change], now)
  return { field, change: entryOf(CUSTOM_FIELDS, [{ before: field }]) }
}

function nameIn(text: string): string {
  const name = oneLine(text, MAX_TEXT_LENGTH)
  if (isVisible(name)) return name
  throw new RequestError('invalid_request', t('A custom field needs a name.'), {
    errors: [{ pointer: '/name', detail: t('must have a visible character') }],
  })
}

function noField(name: string, fields: readonly CustomField[]): RequestError {
  const meant = similarName(
    name,
    fields.map((field) => field.name),
  )
  return new RequestError(
    'not_found',
    t('Custom field “{text}” not found.', {
      text: name.slice(0, 60).toWellFormed(),
    }),
    {
      hint:
        meant === undefined
          ? 'get_network_summary lists the defined fields.'
          : t('Did you mean “{meant}”?', { meant }),
    },
  )
}
