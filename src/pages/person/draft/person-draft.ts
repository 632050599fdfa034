/** The form of a person: the text of every control, from a stored connection or as submitted. */

import {
  FIELD_NAMES,
  LIST_FIELDS,
  NO_VALUES,
  TEXT_FIELDS,
  type Connection,
} from '../../../connections/model/connection.ts'
import {
  customFieldKey,
  detailName,
  detailOf,
  NAME_DETAILS,
} from '../../../contact-files/contact/details.ts'
import { detailsJsonOf } from '../../../contact-files/contact/details-json.ts'
import {
  blankRow,
  readFormRows,
  ROW_KINDS,
  type Row,
  type RowKind,
  type FormRows,
} from './form-rows.ts'
import type { CustomField } from '../../../connections/custom-fields/custom-fields.ts'

export interface PersonDraft {
  /** Texts of the controls outside of rows, by name. */
  readonly texts: Readonly<Record<string, string>>
  readonly rows: FormRows
}

/** The values of a connection that the form shows. */
export type FormConnection = Pick<
  Connection,
  'details' | (typeof TEXT_FIELDS)[number] | (typeof LIST_FIELDS)[number]
>

export const EMPTY_PERSON: FormConnection = { ...NO_VALUES, name: '' }

/** The values of a connection as the texts of the form. */
export function draftOf(connection: FormConnection, fields: readonly CustomField[]): PersonDraft {
  const { details } = connection
  const texts = [
    ...TEXT_FIELDS.map((field) => [FIELD_NAMES[field], connection[field] ?? '']),
    ...NAME_DETAILS.map((field) => [detailName(field), details[field] ?? '']),
    ...fields.map(({ fieldId }) => {
      const key = customFieldKey(fieldId)
      return [key, detailOf(details, key) ?? '']
    }),
  ]
  const rows = ROW_KINDS.map((kind) => [kind, rowsOf(connection, kind)])
  // One entry for every kind of row.
  return { texts: Object.fromEntries(texts), rows: Object.fromEntries(rows) }
}

/** `others` are further controls outside of rows. */
export function readDraft(
  form: URLSearchParams,
  fields: readonly CustomField[],
  others: readonly string[],
): PersonDraft {
  const controls = [...Object.keys(draftOf(EMPTY_PERSON, fields).texts), ...others]
  const texts = controls.map((name) => [name, form.get(name) ?? ''])
  return { texts: Object.fromEntries(texts) as PersonDraft['texts'], rows: readFormRows(form) }
}

function rowsOf(connection: FormConnection, kind: RowKind): Row[] {
  const { details } = connection
  if (kind === 'emails' || kind === 'phones' || kind === 'links')
    return connection[kind].map((value) => ({ value, label: details.labels?.[value] ?? '' }))
  const values: readonly Readonly<Record<string, string | boolean>>[] =
    detailsJsonOf(details, [])?.[kind] ?? []
  return values.map((value) =>
    Object.fromEntries(
      Object.keys(blankRow(kind)).map((name) => [name, textOf(value[name] ?? '')]),
    ),
  )
}

function textOf(value: string | boolean): string {
  return typeof value === 'string' ? value : value ? 'yes' : 'no'
}
