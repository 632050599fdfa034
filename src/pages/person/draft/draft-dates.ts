/** Dates in words in the form of a person: `9 Dec 1906`, and birthdays also without a year. */

import { readYearlessDate } from '../../../dates/read-date.ts'
import { customFieldKey } from '../../../contact-files/contact/details.ts'
import { FIELD_NAMES } from '../../../connections/model/connection.ts'
import { readDay } from '../../../forms/date-field.ts'
import type { CustomField } from '../../../connections/model/custom-fields.ts'
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
    rows: {
      ...rows,
      dates: rows.dates.map((row) => ({
        ...row,
        date: storedDate(row['date'] ?? '', readBirthday, context),
      })),
    },
  }
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
