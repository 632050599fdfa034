// The errors for files that are no lists of contacts.

import { phrase } from '../../languages/message.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'

/** Half of the bytes of Cyrillic text in UTF-16 look like control characters. */
export function rejectBinary(head: Uint8Array, isWide: boolean): void {
  const start = Buffer.from(head.subarray(0, 1024)).toString('latin1')
  if (start.startsWith('%PDF')) {
    throw new UnreadableFile(
      'pdf_file',
      phrase('This is a PDF, not a list of contacts.'),
      phrase('Export your contacts as CSV or vCard and import that file.'),
    )
  }
  if (start.startsWith('\xd0\xcf\x11\xe0')) {
    throw new UnreadableFile(
      'spreadsheet_file',
      phrase('This is an old Excel or Word document, not a plain-text list of contacts.'),
      phrase('Open it, save it as CSV (comma-separated), then import that file.'),
    )
  }
  if (KNOWN_BINARY.test(start) || (!isWide && mostlyControls(head))) {
    throw new UnreadableFile('binary_file', phrase('This is not a text file.'), SUPPORTED_FILES)
  }
}

// gzip, 7z, rar, PNG, JPEG, GIF, SQLite, ELF
const KNOWN_BINARY =
  /^(?:\x1f\x8b|7z\xbc\xaf|Rar!|\x89PNG|\xff\xd8\xff|GIF8|SQLite format 3|\x7fELF)/ // oxlint-disable-line no-control-regex -- the signatures are control characters

/** Ignores zero bytes, which UTF-16 text contains; contact files have few other control characters. */
function mostlyControls(head: Uint8Array): boolean {
  const sample = head.subarray(0, 4096)
  let controls = 0
  for (const byte of sample) {
    if (byte < 32 && byte !== 0 && (byte < 9 || byte > 13)) controls++
  }
  return controls > sample.length / 10
}

/** The error of a file without content. */
export function emptyFile(): UnreadableFile {
  return new UnreadableFile('empty_file', phrase('This file is empty.'), SUPPORTED_FILES)
}

const SUPPORTED_FILES = phrase(
  'Import a CSV file or spreadsheet (.xlsx) of contacts, a vCard (.vcf) file, or the zip that LinkedIn or Google sends.',
)

/** The error for text that is not a table unless it has a known header; null for text that can be one. */
export function otherText(head: string): UnreadableFile | null {
  const start = head.trimStart().slice(0, 1000)
  if (/^(?:[[{]\s*["[{\]}]|\[\s*\d)/.test(start)) {
    return new UnreadableFile(
      'json_file',
      phrase('This JSON file has no list of people with names, email addresses or phone numbers.'),
      SUPPORTED_FILES,
    )
  }
  if (/^<(?:!doctype|html|\?xml|[a-z!])/i.test(start)) {
    return new UnreadableFile(
      'html_file',
      phrase('This is a web page or an XML file.'),
      SUPPORTED_FILES,
    )
  }
  if (/^BEGIN:VCALENDAR/i.test(start)) {
    return new UnreadableFile(
      'calendar_file',
      phrase('This is a calendar, not a list of contacts.'),
      SUPPORTED_FILES,
    )
  }
  if (head.includes('\0')) {
    return new UnreadableFile('binary_file', phrase('This is not a text file.'), SUPPORTED_FILES)
  }
  return null
}

/** The error for a table with these columns, none of which is known. */
export function unknownColumns(
  columns: readonly string[],
  table: 'file' | 'sheet' = 'file',
): UnreadableFile {
  const names = columns.slice(0, 8).map((name) => name.replace(/\p{C}/gu, '').slice(0, 30))
  const more = columns.length - names.length
  const values = { columns: names.map((name) => `"${name}"`).join(', '), more }
  const known = more > 0 ? SOME_COLUMNS : ALL_COLUMNS
  const found = { source: columns.length > 1 ? known[table] : NO_HEADER[table], values }
  return new UnreadableFile('unknown_columns', found, EXPECTED, { columns: names })
}

const ALL_COLUMNS = {
  file: phrase('The file has the columns {columns}, but none of them is known.'),
  sheet: phrase('The sheet has the columns {columns}, but none of them is known.'),
}
const SOME_COLUMNS = {
  file: phrase('The file has the columns {columns} and {more} more, but none of them is known.'),
  sheet: phrase('The sheet has the columns {columns} and {more} more, but none of them is known.'),
}
const NO_HEADER = {
  file: phrase('The file has no header row.'),
  sheet: phrase('The sheet has no header row.'),
}

const EXPECTED = phrase(
  'Name the columns in the first line, such as Name, Email, Phone, Company, Title, or export the contacts as vCard.',
)
