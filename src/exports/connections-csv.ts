/** Connections as CSV with the headers of Google Contacts, which most address books and Weft can import. */

import { escapeFormula } from '../connections/import/formats/formula-guard.ts'
import type { PortableContact } from './contact-mapping.ts'

/** The last column of a kind holds all further values, joined as Google joins them. */
const COLUMNS_OF_A_KIND = 3

const numbered = (kind: string) =>
  Array.from({ length: COLUMNS_OF_A_KIND }, (_, index) => [
    `${kind} ${index + 1} - Label`,
    `${kind} ${index + 1} - Value`,
  ]).flat()

/** Google's current headers have no `Name`. It keeps names that are not composed of the other two. */
const HEADER = [
  'Name',
  'First Name',
  'Last Name',
  'Organization Name',
  'Organization Title',
  'Location',
  'Birthday',
  'Notes',
  'Labels',
  ...numbered('E-mail'), // prose-ok: Google's header
  ...numbered('Phone'),
  ...numbered('Website'),
]

export const CSV_HEADER = lineOf(HEADER)

export function csvLine(contact: PortableContact): string {
  return lineOf([
    contact.name,
    contact.givenName ?? '',
    contact.familyName ?? '',
    single(contact.company),
    single(contact.title),
    contact.location ?? '',
    contact.birthday ?? '',
    contact.note,
    joined(contact.labels),
    ...cellsOf(contact.emails),
    ...cellsOf(contact.phones),
    ...cellsOf(contact.urls),
  ])
}

/** Separates the values of a cell. A value that contains it would read as two. */
const SEPARATOR = ':::'

function single(text: string | null): string {
  return text === null || text.includes(SEPARATOR) ? '' : text
}

function joined(values: readonly string[]): string {
  return values.filter((value) => !value.includes(SEPARATOR)).join(` ${SEPARATOR} `)
}

/** An empty label and a value for each column. */
function cellsOf(values: readonly string[]): string[] {
  const last = COLUMNS_OF_A_KIND - 1
  return Array.from({ length: COLUMNS_OF_A_KIND }, (_, index) => [
    '',
    joined(index < last ? values.slice(index, index + 1) : values.slice(last)),
  ]).flat()
}

/** RFC 4180. Formulas are escaped, because the file may be opened in a spreadsheet program. */
function lineOf(cells: readonly string[]): string {
  const quoted = cells
    .map(escapeFormula)
    .map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${quoted.join(',')}\r\n`
}
