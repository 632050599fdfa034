/** Connections under the headers of Google Contacts' CSV, which most address books and Weft itself read. */

import { escapeFormula } from '../connections/import/formats/formula-guard.ts'
import type { PortableContact } from './contact-mapping.ts'

/** As many columns of each kind; the last holds what is left, as Google writes several values in one. */
const COLUMNS_OF_A_KIND = 3

const numbered = (kind: string) =>
  Array.from({ length: COLUMNS_OF_A_KIND }, (_, index) => [
    `${kind} ${index + 1} - Label`,
    `${kind} ${index + 1} - Value`,
  ]).flat()

/** `Name` is no column of Google's present headers: it keeps a name that is not made of the other two. */
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
  ...numbered('E-mail'),
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

/** Between several values of one cell; a value that contains it cannot be told from two. */
const SEPARATOR = ':::'

function single(text: string | null): string {
  return text === null || text.includes(SEPARATOR) ? '' : text
}

function joined(values: readonly string[]): string {
  return values.filter((value) => !value.includes(SEPARATOR)).join(` ${SEPARATOR} `)
}

/** A label, which is left empty, and a value for each column. */
function cellsOf(values: readonly string[]): string[] {
  const last = COLUMNS_OF_A_KIND - 1
  return Array.from({ length: COLUMNS_OF_A_KIND }, (_, index) => [
    '',
    joined(index < last ? values.slice(index, index + 1) : values.slice(last)),
  ]).flat()
}

/** RFC 4180; a name that somebody gave themselves is no formula in whatever opens the file. */
function lineOf(cells: readonly string[]): string {
  const quoted = cells
    .map(escapeFormula)
    .map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${quoted.join(',')}\r\n`
}
