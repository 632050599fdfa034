/** Dates and labels in words in the form of a person: `9 Dec 1906`, birthdays also without a year, and `home` in any language. */

import { readYearlessDate } from '../../../dates/read-date.ts'
import { customFieldKey } from '../../../contact-files/contact/details.ts'
import { labelText, storedLabel } from '../../../connections/person/label-words.ts'
import { dateText } from '../../../dates/format-date.ts'
import { FIELD_NAMES } from '../../../connections/model/connection.ts'
import { readDay } from '../../../forms/date-field.ts'
import { ROW_KINDS, type FormRows } from './form-rows.ts'
import type { CustomField } from '../../../connections/custom-fields/custom-fields.ts'
import type { DateContext } from '../../../dates/read-date.ts'
import type { PersonDraft } from './person-draft.ts'

/** The draft with dates as they are stored. Text that is no date stays as it is. */
export function withDates(
  { texts, rows }: PersonDraft,
  fields: readonly CustomField[],
  context: DateContext,
): PersonDraft {
  const read = (name: string, reader: typeof readDay) => {
    const text = texts[name]
    return text === undefined ? {} : { [name]: storedDate(text, reader, context) }
  }
  const custom = fields
    .filter(({ kind }) => kind === 'date')
    .map(({ fieldId }) => read(customFieldKey(fieldId), readDay))
  return {
    texts: {
      ...texts,
      ...read(FIELD_NAMES.birthday, readBirthday),
      ...read(FIELD_NAMES.connectedOn, readPastDay),
      ...(Object.assign({}, ...custom) as typeof texts),
    },
    rows: eachRow(rows, {
      label: storedLabel,
      relation: storedLabel,
      date: (text) => storedDate(text, readBirthday, context),
    }),
  }
}

/** The draft as people write it: the opposite of `withDates`. Dates that it would not read back stay as they are stored. */
export function inWords({ texts, rows }: PersonDraft, fields: readonly CustomField[]): PersonDraft {
  const dates = fields.filter(({ kind }) => kind === 'date')
  const names = [
    FIELD_NAMES.birthday,
    FIELD_NAMES.connectedOn,
    ...dates.map(({ fieldId }) => customFieldKey(fieldId)),
  ]
  const words = names.map((name) => [name, dateInWords(texts[name] ?? '')])
  return {
    texts: { ...texts, ...(Object.fromEntries(words) as typeof texts) },
    rows: eachRow(rows, { label: labelText, relation: labelText, date: dateInWords }),
  }
}

/** The stored date as it can be typed. One that would not be read back stays as it is stored. */
export function dateInWords(stored: string): string {
  if (!STORED.test(stored)) return stored
  const text = dateText(stored)
  return storedDate(text, readBirthday, SOME_DAY) === stored ? text : stored
}

/** Whole dates and days without a year do not depend on it. */
const SOME_DAY: DateContext = { timeZone: 'UTC', now: Date.UTC(2026, 0, 1) }

/** The rows with some of their controls changed. */
function eachRow(
  rows: FormRows,
  changes: Readonly<Record<string, (text: string) => string>>,
): FormRows {
  const changed = ROW_KINDS.map((kind) => [
    kind,
    rows[kind].map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, text]) => [name, changes[name]?.(text) ?? text]),
      ),
    ),
  ])
  // One entry for every kind of row.
  return Object.fromEntries(changed) as FormRows
}

/** A date, month, year or day without a year is stored as it is written. */
const STORED = /^(?:\d{4}(?:-\d\d){0,2}|--\d\d-\d\d)$/

function storedDate(text: string, reader: typeof readDay, context: DateContext): string {
  const typed = text.trim()
  return typed === '' || STORED.test(typed) ? text : reader(typed, context)
}

function readBirthday(text: string, context: DateContext): string {
  return readYearlessDate(text, context) ?? readPastDay(text, context)
}

function readPastDay(text: string, context: DateContext): string {
  return readDay(text, context, 'latest')
}
