// Opens a contact file of unknown kind: recognizes its format by content and yields its contacts.

import { meaningsOf, type FileColumn } from './file-columns.ts'
import type { ImportFormat, ImportRow } from '../../model/contact.ts'
import type { CsvHeader } from './csv-contacts.ts'
import { csvRowBatches, findHeader, likelyColumns } from './csv-contacts.ts'
import { connectionsInZip, looksLikeZip } from './linkedin-zip.ts'
import { decodeText, evenSizedBlocks } from './text.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { holdsCard, startsWithCard, vcardRowBatches } from './vcard.ts'

export { UnreadableFile }

export interface ContactFile {
  readonly format: ImportFormat
  /** The columns of the header; none for vCard. */
  readonly columns: readonly FileColumn[]
  readonly rows: AsyncIterable<ImportRow>
  /** The same rows a few hundred at a time, which is faster. Read `rows` or this, once. */
  readonly rowBatches: AsyncIterable<ImportRow[]>
}

/**
 * Reads as far as it takes to know the format; the rest is read as the rows are.
 * Throws UnreadableFile, also from the rows where a zip proves damaged half way.
 */
export async function openContactFile(
  bytes: AsyncIterable<Uint8Array>,
  hint: ImportFormat | 'auto' = 'auto',
): Promise<ContactFile> {
  const source = await peeked(evenSizedBlocks(bytes))
  try {
    if (source.head === undefined) throw emptyFile()
    if (!looksLikeZip(source.head)) return await openText(source, hint)
    return await openText(await peeked(evenSizedBlocks(await connectionsInZip(source.all))), hint)
  } catch (cause) {
    await source.close()
    throw cause
  }
}

/** A stream whose first item is known already. */
interface Peeked<T> {
  readonly head: T | undefined
  readonly all: AsyncIterable<T>
  close(): Promise<void>
}

async function peeked<T>(items: AsyncGenerator<T, void, undefined>): Promise<Peeked<T>> {
  const first = await items.next()
  async function* all() {
    try {
      if (first.done !== true) yield first.value
      yield* items
    } finally {
      await items.return()
    }
  }
  return {
    head: first.done === true ? undefined : first.value,
    all: all(),
    close: async () => void (await items.return()),
  }
}

async function openText(
  source: Peeked<Uint8Array>,
  hint: ImportFormat | 'auto',
): Promise<ContactFile> {
  refuseBinary(source.head ?? new Uint8Array())
  const text = await peeked(decodeText(source.all))
  const head = text.head ?? ''
  try {
    if (head.trim() === '' && source.head !== undefined && head.length < BLANK_CAP) {
      throw emptyFile()
    }
    const header = startsWithCard(head) ? null : findHeader(head, hint)
    if (header !== null) return csvFile(header, text.all)
    if (holdsCard(head)) return contactFile('vcard', [], vcardRowBatches(text.all))
    throw unknownText(head)
  } catch (cause) {
    await text.close()
    throw cause
  }
}

const BLANK_CAP = 60_000 // characters: a whole first block of blanks is no contact file either

function csvFile(header: CsvHeader, text: AsyncIterable<string>): ContactFile {
  const columns = meaningsOf(header.columns, COLUMNS_TOLD, header.draftOf).map(
    ({ name, becomes }) => ({ name: name.slice(0, NAME_TOLD), becomes }),
  )
  return contactFile(header.format, columns, csvRowBatches(header, after(text, header.end)))
}

function contactFile(
  format: ImportFormat,
  columns: readonly FileColumn[],
  rowBatches: AsyncIterable<ImportRow[]>,
): ContactFile {
  return { format, columns, rowBatches, rows: oneByOne(rowBatches) }
}

async function* oneByOne(batches: AsyncIterable<ImportRow[]>): AsyncGenerator<ImportRow> {
  for await (const batch of batches) yield* batch
}

async function* after(text: AsyncIterable<string>, characters: number): AsyncGenerator<string> {
  let left = characters
  for await (const block of text) {
    yield left === 0 ? block : block.slice(left)
    left = 0
  }
}

const COLUMNS_TOLD = 200
const NAME_TOLD = 60 // characters: never more of a file in one place of an answer

function refuseBinary(head: Uint8Array): void {
  const start = Buffer.from(head.subarray(0, 1024)).toString('latin1')
  if (start.startsWith('%PDF')) {
    throw new UnreadableFile(
      'pdf_file',
      'This is a PDF, not a list of contacts.',
      'Export your contacts as CSV or vCard and send that file.',
    )
  }
  if (start.startsWith('\xd0\xcf\x11\xe0')) {
    throw new UnreadableFile(
      'spreadsheet_file',
      'This is an old Excel or Word document, not a list of contacts in plain text.',
      'Open it and save it as CSV (comma separated), then send that file.',
    )
  }
  if (KNOWN_BINARY.test(start) || mostlyControls(head)) {
    throw new UnreadableFile('binary_file', 'This is not a text file.', WHAT_TO_SEND)
  }
}

// gzip, 7z, rar, PNG, JPEG, GIF, SQLite, ELF
const KNOWN_BINARY =
  /^(?:\x1f\x8b|7z\xbc\xaf|Rar!|\x89PNG|\xff\xd8\xff|GIF8|SQLite format 3|\x7fELF)/ // oxlint-disable-line no-control-regex -- the signatures are control characters

/** UTF-16 has zero bytes too, one in every pair; a contact file has few other controls. */
function mostlyControls(head: Uint8Array): boolean {
  const sample = head.subarray(0, 4096)
  let controls = 0
  for (const byte of sample) {
    if (byte < 32 && byte !== 0 && (byte < 9 || byte > 13)) controls++
  }
  return controls > sample.length / 10
}

function emptyFile(): UnreadableFile {
  return new UnreadableFile('empty_file', 'This file is empty.', WHAT_TO_SEND)
}

const WHAT_TO_SEND =
  "Send LinkedIn's Connections.csv or its zip, a Google or Outlook contacts CSV, or a vCard (.vcf) file."

/** Why text without a header and without a card can not be read. */
function unknownText(head: string): UnreadableFile {
  const start = head.trimStart().slice(0, 1000)
  if (/^(?:[[{]\s*["[{\]}]|\[\s*\d)/.test(start)) {
    return new UnreadableFile('json_file', 'This is a JSON file.', WHAT_TO_SEND)
  }
  if (/^<(?:!doctype|html|\?xml|[a-z!])/i.test(start)) {
    return new UnreadableFile('html_file', 'This is a web page or an XML file.', WHAT_TO_SEND)
  }
  if (/^BEGIN:VCALENDAR/i.test(start)) {
    return new UnreadableFile(
      'calendar_file',
      'This is a calendar, not a list of contacts.',
      WHAT_TO_SEND,
    )
  }
  if (head.includes('\0')) {
    return new UnreadableFile('binary_file', 'This is not a text file.', WHAT_TO_SEND)
  }
  return unknownColumns(likelyColumns(head))
}

function unknownColumns(columns: readonly string[]): UnreadableFile {
  const shown = columns.slice(0, 8).map((name) => name.replace(/\p{C}/gu, '').slice(0, 30))
  const more = columns.length > shown.length ? ` and ${columns.length - shown.length} more` : ''
  const found =
    columns.length > 1
      ? `The columns found are ${shown.map((name) => `"${name}"`).join(', ')}${more}`
      : 'No row of column names was found'
  return new UnreadableFile('unknown_columns', `${found}; no known format has these.`, EXPECTED)
}

const EXPECTED =
  'LinkedIn: First Name, Last Name, URL, Email Address, Company, Position, Connected On. ' +
  'Google: First Name, Last Name, E-mail 1 - Value, Phone 1 - Value, Organization Name. ' +
  'Outlook: First Name, Last Name, E-mail Address, Company, Job Title, Business Phone. ' +
  'Rename the columns to one of these sets, or export the contacts as vCard.'
