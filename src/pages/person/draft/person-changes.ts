/** What a submitted form of a person changes, as arguments of add_connections and update_connections, and its errors. */

import { phrase, t } from '../../../languages/message.ts'
import * as Type from '../../../base/type.ts'
import { FormValues, NewConnectionInput } from '../../../connections/editing/connection-input.ts'
import {
  FIELD_NAMES,
  LIST_FIELDS,
  TEXT_FIELDS,
  type ListField,
} from '../../../connections/model/connection.ts'
import { customFieldKey, detailName, NAME_DETAILS } from '../../../contact-files/contact/details.ts'
import { labelText } from '../../../connections/person/label-words.ts'
import { emailsIn, phoneIn } from '../../../contact-files/contact/emails-and-phones.ts'
import { MAX_TEXT_LENGTH } from '../../../base/limits.ts'
import { linkIn } from '../../../contact-files/contact/urls.ts'
import {
  controlName,
  filledRows,
  ROW_FORMS,
  ROW_KINDS,
  type Row,
  type RowKind,
} from './form-rows.ts'
import { draftOf, EMPTY_PERSON, type FormConnection, type PersonDraft } from './person-draft.ts'
import { type FieldErrors, fieldError } from '../../../forms/field-errors.ts'
import type { ListChange } from '../../../connections/editing/edit.ts'
import type { CustomField } from '../../../connections/custom-fields/custom-fields.ts'

export const NewForm = Type.Closed({
  ...NewConnectionInput.properties,
  emails: FormValues,
  phones: FormValues,
  links: FormValues,
})

type Arguments = Readonly<Record<string, unknown>>

/** The differences from the stored connection, as arguments of update_connections. */
export function editsOf(
  draft: PersonDraft,
  stored: FormConnection,
  fields: readonly CustomField[],
): Arguments {
  const shown = draftOf(stored, fields)
  const isChanged = (name: string) => textOf(draft, name) !== shown.texts[name]
  const changed = TEXT_FIELDS.map((field) => FIELD_NAMES[field]).filter(isChanged)
  const isFilled = (name: string) => textOf(draft, name) !== ''
  // The name is required, so it is never cleared.
  const clear = changed.filter((name) => !isFilled(name) && name !== 'name')
  const details = detailsOf(draft, stored, fields)
  return {
    ...Object.fromEntries(changed.filter(isFilled).map((name) => [name, textOf(draft, name)])),
    ...(clear.length > 0 && { clear }),
    ...Object.fromEntries(LIST_FIELDS.flatMap((field) => listEdits(field, draft, stored))),
    ...(details.length > 0 && { details }),
  }
}

/** The arguments of add_connections, without empty fields. */
export function argumentsOf(draft: PersonDraft, fields: readonly CustomField[]): Arguments {
  const names = [...TEXT_FIELDS.map((field) => FIELD_NAMES[field]), 'note']
  const tags = textOf(draft, 'tags').split(/[\n,]/)
  const lists = [
    ...LIST_FIELDS.map((field) => [field, valuesOf(field, draft, EMPTY_PERSON)] as const),
    ['tags', tags.map((tag) => tag.trim()).filter((tag) => tag !== '')] as const,
  ]
  const details = detailsOf(draft, EMPTY_PERSON, fields)
  return {
    ...Object.fromEntries(
      names.map((name) => [name, textOf(draft, name)]).filter(([, text]) => text !== ''),
    ),
    ...Object.fromEntries(lists.filter(([, all]) => all.length > 0)),
    ...(details.length > 0 && { details }),
  }
}

/** One check per new value of a list and per label, for `checkAll`. */
export function rowChecks({ rows }: PersonDraft, stored: FormConnection): (() => void)[] {
  const lists = LIST_FIELDS.flatMap((kind) =>
    filledRows(kind, rows).flatMap(({ row, index }) => [
      () => stored[kind].includes(valueIn(row)) || checkValue(kind, index, row),
      () => {
        if ((row['label'] ?? '').trim().length > MAX_TEXT_LENGTH)
          throw fieldError(
            controlName(kind, index, 'label'),
            t('has more than {count} characters', { count: MAX_TEXT_LENGTH }),
          )
      },
    ]),
  )
  const addresses = filledRows('addresses', rows).map(({ row, index }) => () => {
    const isLabelOnly = Object.entries(row).every(
      ([name, text]) => name === 'label' || text.trim() === '',
    )
    if (isLabelOnly) throw fieldError(controlName('addresses', index, 'street'), t('is required'))
  })
  return [...lists, ...addresses]
}

function checkValue(kind: ListField, index: number, row: Row): void {
  const text = valueIn(row)
  const name = controlName(kind, index, 'value')
  if (text === '') throw fieldError(name, t('is required'))
  const found = READERS[kind](text)
  if (found.length === 1) return
  throw fieldError(
    name,
    found.length > 1
      ? t('has several values. Add one {one} per row', { one: t(ROW_FORMS[kind].one) })
      : t('must be {kind}', { kind: t(EXPECTED[kind]) }),
  )
}

const READERS: Readonly<Record<ListField, (text: string) => readonly string[]>> = {
  emails: emailsIn,
  phones: phoneIn,
  links: (text) => {
    const link = linkIn(text)
    return link === null ? [] : [link]
  },
}

const EXPECTED: Readonly<Record<ListField, string>> = {
  emails: phrase('an email address such as ada@example.com'),
  phones: phrase('a phone number'),
  links: phrase('a web address such as https://example.com'),
}

/** Names the control of each error: `details/dates/0/date` is a control of the first filled row. */
export function errorsInControls(
  errors: FieldErrors,
  draft: PersonDraft,
  fields: readonly CustomField[],
): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, detail]) => [controlOf(name, draft, fields), detail]),
  )
}

function controlOf(name: string, { rows }: PersonDraft, fields: readonly CustomField[]): string {
  const field = fields.find((one) => name === `details/custom/${one.name}`)
  if (field) return customFieldKey(field.fieldId)
  const [, list, at, control] =
    /^details\/([a-z]+)\/(?:replace\/)?(\d+)(?:\/([a-z_]+))?$/.exec(name) ?? []
  const kind = ROW_KINDS.find((one) => one === list)
  if (kind === undefined) return name.replace(/^details\/|\/(?:add|remove)$/g, '')
  const index = filledRows(kind, rows)[Number(at)]?.index ?? 0
  return controlName(kind, index, control ?? ROW_FORMS[kind].controls[0].name)
}

function textOf({ texts }: PersonDraft, name: string): string {
  return (texts[name] ?? '').trim()
}

/** As they are stored; a text that is no value stays as it is. */
function valuesOf(kind: ListField, draft: PersonDraft, stored: FormConnection): string[] {
  const all = filledRows(kind, draft.rows).map(({ row }) => storedValue(kind, row, stored))
  return [...new Set(all.filter((value) => value !== ''))]
}

function storedValue(kind: ListField, row: Row, stored: FormConnection): string {
  const text = valueIn(row)
  return stored[kind].includes(text) ? text : (READERS[kind](text)[0] ?? text)
}

function valueIn(row: Row): string {
  return (row['value'] ?? '').trim()
}

/** Values are added at the end, so everything after the first difference is removed and added again in its order. */
function listEdits(
  field: ListField,
  draft: PersonDraft,
  stored: FormConnection,
): [ListField, ListChange][] {
  const [before, after] = [stored[field], valuesOf(field, draft, stored)]
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const edit = { add: after.slice(same), remove: before.slice(same) }
  return edit.add.length + edit.remove.length > 0 ? [[field, edit]] : []
}

/** Builds the argument `details`. Values are JSON, so that texts are kept exactly. An empty value clears a field. */
function detailsOf(
  draft: PersonDraft,
  stored: FormConnection,
  fields: readonly CustomField[],
): string[] {
  const shown = draftOf(stored, fields)
  const isChanged = (name: string) => textOf(draft, name) !== shown.texts[name]
  const names = NAME_DETAILS.map(detailName).filter(isChanged)
  const custom = fields.filter(({ fieldId }) => isChanged(customFieldKey(fieldId)))
  const customTexts = custom.map(({ fieldId, name }) => [
    name,
    textOf(draft, customFieldKey(fieldId)),
  ])
  const labels = labelEdits(draft, stored)
  const lists = ROW_KINDS.filter((kind) => !isListField(kind)).flatMap((kind) => {
    const [was, is] = [shown, draft].map(({ rows }) =>
      filledRows(kind, rows).map(({ row }) => valueOf(kind, row)),
    )
    const isSame = JSON.stringify(was, asShown) === JSON.stringify(is, asShown)
    return isSame ? [] : [`${kind}={"replace":${JSON.stringify(is)}}`]
  })
  return [
    ...names.map((name) => `${name}=${JSON.stringify(textOf(draft, name))}`),
    ...(labels.length > 0 ? [`labels=${JSON.stringify(Object.fromEntries(labels))}`] : []),
    ...lists,
    ...(customTexts.length > 0
      ? [`custom=${JSON.stringify(Object.fromEntries(customTexts))}`]
      : []),
  ]
}

/** A label of another program may be the same word in the language of the page. */
function asShown(name: string, value: unknown): unknown {
  return (name === 'label' || name === 'relation') && typeof value === 'string'
    ? labelText(value)
    : value
}

function isListField(kind: RowKind): kind is ListField {
  return kind === 'emails' || kind === 'phones' || kind === 'links'
}

function labelEdits(draft: PersonDraft, stored: FormConnection): [string, string][] {
  const labels = new Map<string, string>()
  for (const kind of LIST_FIELDS)
    for (const { row } of filledRows(kind, draft.rows)) {
      const value = storedValue(kind, row, stored)
      // The first of two rows with the same value counts.
      if (!labels.has(value)) labels.set(value, (row['label'] ?? '').trim())
    }
  return [...labels].filter(
    ([value, label]) => labelText(label) !== labelText(stored.details.labels?.[value] ?? ''),
  )
}

/** A value of a list as tools take it. */
function valueOf(kind: RowKind, row: Row): object {
  const texts = Object.entries(row).map(([name, text]) => [name, text.trim()] as const)
  const filled = texts.filter(([name, text]) => text !== '' && name !== 'current')
  const value = Object.fromEntries(filled)
  return kind === 'organizations' ? { ...value, current: row['current'] === 'yes' } : value
}
