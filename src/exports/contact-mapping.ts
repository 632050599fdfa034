/**
 * The part of a connection that fits into a contact file, cleaned like imported text: an import reads the same values,
 * and no text can end its row or card.
 */

import { cleanDetails } from '../contact-files/contact/clean-details.ts'
import { dayAt } from '../dates/calendar-day.ts'
import { manyLines, oneLine, textOrNull } from '../contact-files/contact/clean-text.ts'
import { MAX_NOTE_LENGTH } from '../base/limits.ts'
import { cadenceText } from '../connections/cadence/reconnect-reason.ts'
import { portableLabels, portableUrls } from '../connections/model/portable-values.ts'
import type { Connection } from '../connections/model/connection.ts'
import type { ContactDetails } from '../contact-files/contact/details.ts'
import type { ExportedConnection } from './exported-connection.ts'

export interface PortableContact extends Pick<
  Connection,
  | 'name'
  | 'givenName'
  | 'familyName'
  | 'company'
  | 'title'
  | 'location'
  | 'emails'
  | 'phones'
  | 'birthday'
  | 'connectedOn'
> {
  /** The profile URL comes first. */
  readonly urls: readonly string[]
  readonly labels: readonly string[]
  /** YYYY-MM-DD */
  readonly lastContactOn: string | null
  /** How often to keep in touch, in words. */
  readonly cadence: string
  /** All notes as one text, with an empty line between. */
  readonly note: string
  /** Custom fields have their names. */
  readonly details: ContactDetails
}

/** The parts of a contact file that its reader may have. */
export interface ReadableParts {
  readonly notes: boolean
  readonly interactions: boolean
  readonly details: boolean
}

export const EVERYTHING: ReadableParts = { notes: true, interactions: true, details: true }

export function portableContact(
  exported: ExportedConnection,
  readable: ReadableParts = EVERYTHING,
): PortableContact {
  const { connection, tags, notes, times } = exported
  const { name, givenName, familyName, company, title, location, emails, phones } = connection
  const urls = portableUrls(connection)
  return {
    name: oneLine(name, Infinity),
    givenName: cleaned(givenName),
    familyName: cleaned(familyName),
    company: cleaned(company),
    title: cleaned(title),
    location: cleaned(location),
    emails,
    phones,
    birthday: connection.birthday,
    connectedOn: connection.connectedOn,
    urls,
    lastContactOn: times?.lastContactOn ?? null,
    cadence: times?.cadence ? cadenceText(times.cadence) : '',
    labels: tags.flatMap(portableLabels),
    note: readable.notes ? noteOf(notes.map(({ text }) => manyLines(text, Infinity))) : '',
    details: readable.details
      ? detailsOf(exported, new Set([...emails, ...phones, ...urls]), readable)
      : {},
  }
}

function cleaned(text: string | null): string | null {
  return text === null ? null : textOrNull(oneLine(text, Infinity))
}

/** Labels of `values` only: those of URLs that are omitted would label nothing. */
function detailsOf(
  { connection: { details }, fields, interactions }: ExportedConnection,
  values: ReadonlySet<string>,
  readable: ReadableParts,
): ContactDetails {
  const custom = fields.flatMap(({ fieldId, name }) => {
    const value = details.custom?.[fieldId]
    return value === undefined ? [] : [{ field: name, value }]
  })
  const labels = Object.fromEntries(
    Object.entries(details.labels ?? {}).filter(([value]) => values.has(value)),
  )
  const contacts = interactions.map(({ kind, local_at, subject, text }) => ({
    kind,
    on: dayAt(local_at),
    ...(readable.notes && { subject: subject ?? '', text: text ?? '' }),
  }))
  const shown = readable.interactions ? contacts : []
  return cleanDetails({ ...details, labels, custom, interactions: shown }, new Map()) ?? {}
}

/** The department of the current position. */
export function departmentOf({ company, details }: PortableContact): string {
  const position = details.organizations?.find(
    ({ name, current }) => current && (name === undefined || name === company),
  )
  return position?.department ?? ''
}

/** As many as fit, oldest first. The JSON has all of them. */
function noteOf(texts: readonly string[]): string {
  let note = ''
  for (const text of texts) {
    const longer = note === '' ? text : `${note}\n\n${text}`
    if (longer.length > MAX_NOTE_LENGTH) break
    note = longer
  }
  return note
}
