/** Reads the values that a member, or an agent for them, typed for one connection. */

import { t } from '../../languages/message.ts'
import { invalidArgument, type RequestError } from '../../base/request-error.ts'
import { isVisible } from '../../base/schema.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { isDay } from '../../dates/calendar-day.ts'
import { emailsIn, phoneIn } from '../../contact-files/contact/emails-and-phones.ts'
import { MAX_VALUES } from '../../base/limits.ts'
import { linkIn, profileUrlIn } from '../../contact-files/contact/urls.ts'
import { FIELD_NAMES, TEXT_FIELDS, type ListField, type TextField } from '../model/connection.ts'

/** Typed values. Null clears a field; an omitted field is unchanged. */
export type TypedValues = Partial<Record<TextField, string | null>>

/** The values as they are stored. */
export function readTypedValues(values: TypedValues): TypedValues {
  const read: TypedValues = {}
  for (const field of TEXT_FIELDS) {
    const value = values[field]
    if (value === undefined) continue
    const text = value === null ? '' : value.replace(/\s+/g, ' ').trim()
    read[field] = text === '' ? null : readText(field, text)
  }
  return read
}

function readText(field: TextField, text: string): string {
  if (field === 'name' && !isVisible(text)) reject('name', t('must have a visible character'))
  if (/\p{Cc}/u.test(text)) reject(FIELD_NAMES[field], t('must not contain control characters'))
  if (field === 'profileUrl')
    return profileUrlIn(text) ?? linkIn(text) ?? reject('profile_url', t('must be a web address'))
  if (field === 'birthday' && !isDay(text.startsWith('--') ? `${LEAP_YEAR}${text.slice(1)}` : text))
    reject('birthday', t('must be a valid date (YYYY-MM-DD or --MM-DD)'))
  return field === 'connectedOn' ? requireDay(text, FIELD_NAMES.connectedOn) : text
}

/** A leap year, so that --02-29 is valid. */
const LEAP_YEAR = 2000

/** The values of a list as they are stored, each once. `argument` names it in an error. */
export function readList(field: ListField, values: readonly string[], argument: string): string[] {
  const read = values.map((value) => {
    if (field === 'emails')
      return (
        emailsIn(value.trim())[0] ??
        reject(argument, t('{value} is not an email address', { value: quoted(value) }))
      )
    if (field === 'phones')
      return (
        phoneIn(value)[0] ??
        reject(argument, t('{value} is not a phone number', { value: quoted(value) }))
      )
    return (
      linkIn(value) ?? reject(argument, t('{value} is not a web address', { value: quoted(value) }))
    )
  })
  return [...new Set(read)]
}

function quoted(value: string): string {
  return `“${value.slice(0, 60).toWellFormed()}”`
}

/** The error for a list that would be too long. */
export function tooMany(field: ListField | 'tags'): RequestError {
  return invalidArgument(`${field}/add`, `a connection has at most ${MAX_VALUES} ${field}`)
}

function reject(argument: string, detail: string): never {
  throw invalidArgument(argument, detail)
}
