// Opens a contact file, detects its format from the content and yields its contacts.

import { appExport } from './app-export.ts'
import { contactFile, type ContactFile } from './file/contact-file.ts'
import { guessHeader } from './columns/table-columns.ts'
import type { ImportedContact } from './contact/contact.ts'
import { csvRecords, findHeader, likelyColumns } from './columns/csv-delimiter-and-header.ts'
import { columnsOf, type HeaderOptions } from './columns/table-header.ts'
import { tableFile } from './rows/table-file.ts'
import { newestFirst } from './contact/clean-details.ts'
import { markedEncoding, type Encoding } from './bytes/encodings.ts'
import { archiveOf, otherDocument } from './archive.ts'
import { combinedFile, type OnRead } from './file/combined-file.ts'
import type { LastContacts } from './table/linkedin-messages.ts'
import { holdsJcard, jcardText } from './vcard/jcard.ts'
import { holdsJsonObjects, readJsonTable } from './table/json-table.ts'
import { holdsLdif, ldifText } from './vcard/ldif.ts'
import { emptyFile, otherText, rejectBinary, unknownColumns } from './file/rejected-files.ts'
import { workbookParts } from './spreadsheet/workbook.ts'
import { isWorkbook, sheetsOf } from './spreadsheet/xlsx.ts'
import { filesInZip, looksLikeZip, type ZipEntry } from './bytes/zip.ts'
import { decodeText, evenSizedBlocks } from './bytes/text.ts'
import { holdsRecipients, recipientRecords } from './table/recipients.ts'
import { UnreadableFile } from './bytes/unreadable-file.ts'
import { holdsCard, vcardRowBatches } from './vcard/vcard.ts'
import { CardColumns } from './vcard/vcard-fields.ts'
import { cardText, type CardText } from './vcard/vcard-text.ts'

export { UnreadableFile }

/** The member's options for reading a file. */
export interface ReadOptions extends HeaderOptions {
  readonly encoding?: Encoding | 'auto'
}

/**
 * Reads only as far as needed to detect the format; the rest is read with the rows. Rows throw too, when a zip turns
 * out to be damaged partway.
 *
 * @throws {UnreadableFile} when the file is not a list of contacts; `code` says what it is instead.
 */
export async function openContactFile(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): Promise<ContactFile> {
  const source = await peeked(evenSizedBlocks(bytes))
  try {
    if (source.head === undefined) throw emptyFile()
    if (!looksLikeZip(source.head)) return await openText(source, options)
    return await openZip(await filesInZip(source.all), options)
  } catch (cause) {
    await source.close()
    throw cause
  }
}

async function openZip(entries: readonly ZipEntry[], options: ReadOptions): Promise<ContactFile> {
  if (isWorkbook(entries)) return openWorkbook(entries, options)
  const { files, lastContacts, hasCopies, settings, names = [] } = await archiveOf(entries)
  const parts = files.map((file) => ({
    name: file.name,
    size: file.size,
    isOptional: file.name.toLowerCase().endsWith('.txt'),
    open: (onRead: OnRead) => openPart(counted(file.open(), onRead), options),
  }))
  const file = await combinedFile({
    parts,
    skipCopies: hasCopies,
    ...(lastContacts !== null && { complete: withLastContact(lastContacts) }),
  })
  if (settings === undefined) return file
  const { readSettings } = await import('./weft/weft-settings.ts')
  return { ...file, settings: await readSettings(settings, names) }
}

/** A file in a zip: a text, or a workbook. */
async function openPart(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<ContactFile> {
  const source = await peeked(evenSizedBlocks(bytes))
  if (source.head === undefined) throw emptyFile()
  if (!looksLikeZip(source.head)) return openText(source, options)
  const entries = await filesInZip(source.all)
  if (!isWorkbook(entries)) throw otherDocument()
  return openWorkbook(entries, options)
}

async function openWorkbook(
  entries: readonly ZipEntry[],
  options: ReadOptions,
): Promise<ContactFile> {
  const parts = workbookParts(await sheetsOf(entries), options)
  return combinedFile({ parts, skipCopies: false })
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onRead: OnRead,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of bytes) {
    onRead(chunk.length)
    yield chunk
  }
}

/** Adds the days of the last message and invitation to the people they are about. */
function withLastContact({ messages, invitations }: LastContacts) {
  return (contact: ImportedContact): ImportedContact => {
    const url = contact.profileUrl ?? ''
    const message = messages.get(url)
    const invitation = invitations.get(url)
    if (message === undefined && invitation === undefined) return contact
    const interactions = [
      ...(message === undefined ? [] : [{ kind: 'message', on: message }]),
      ...(invitation === undefined ? [] : [{ kind: 'invitation', on: invitation }]),
    ]
    return {
      ...contact,
      details: { ...contact.details, interactions: newestFirst(interactions) },
    }
  }
}

/** A stream whose first item was already read. */
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

async function openText(source: Peeked<Uint8Array>, options: ReadOptions): Promise<ContactFile> {
  const { encoding = 'auto' } = options
  const start = source.head ?? new Uint8Array()
  const isWide = (encoding === 'auto' ? markedEncoding(start) : wideEncoding(encoding)) !== null
  rejectBinary(start, isWide)
  if (!isWide && holdsWeftConnections(binaryText(start)))
    return await weftFile(decodeText(source.all, { encoding: 'utf-8' }))
  if (!isWide && holdsCard(binaryText(start)))
    return cardFile(binaryBlocks(source.all), cardText(encoding))
  const text = await peeked(decodeText(source.all, { encoding }))
  const head = text.head ?? ''
  try {
    if (head.trim() === '' && source.head !== undefined && head.length < MAX_BLANK_LENGTH) {
      throw emptyFile()
    }
    if (holdsCard(head)) return cardFile(text.all)
    if (holdsJcard(head)) return cardFile(jcardText(text.all))
    if (holdsLdif(head)) return cardFile(ldifText(text.all))
    const readExport = appExport(head)
    if (readExport !== undefined) return await readExport(text.all)
    const other = otherText(head)
    if (other !== null && holdsJsonObjects(head)) return await jsonFile(text.all, options, other)
    if (holdsRecipients(head)) return recipientsFile(text.all, options)
    const header = findHeader(head, other === null ? options : { ...options, allowUnknown: false })
    if (header !== null) return tableFile(header, csvRecords(header, text.all))
    throw other ?? unknownColumns(likelyColumns(head))
  } catch (cause) {
    await text.close()
    throw cause
  }
}

const MAX_BLANK_LENGTH = 60_000 // characters: a longer blank start is reported as an unknown format, not as empty

function recipientsFile(text: AsyncIterable<string>, options: ReadOptions): ContactFile {
  const names = ['Name', 'Email']
  const columns = columnsOf({ names, mapped: names }, [], options)
  if (columns === null) throw unknownColumns(names)
  return tableFile({ names, columns }, recipientRecords(text))
}

/** Reads people from JSON; if there are none, the file is rejected with the given error. */
async function jsonFile(
  text: AsyncIterable<string>,
  options: ReadOptions,
  otherwise: UnreadableFile,
): Promise<ContactFile> {
  const table = await readJsonTable(text)
  if (table === null) throw otherwise
  const { names, rows } = table
  const columns = columnsOf({ names, mapped: names }, rows, options) ?? guessHeader(names, rows)
  async function* records() {
    for (let at = 0; at < rows.length; at += BATCH_ROWS)
      yield rows.slice(at, at + BATCH_ROWS).map((cells, of) => ({ line: at + of + 1, cells }))
  }
  return tableFile({ names, columns }, records())
}

const BATCH_ROWS = 500

function cardFile(blocks: AsyncIterable<string>, text?: CardText): ContactFile {
  const columns = new CardColumns()
  const table = { header: [], columns: () => columns.get() }
  return contactFile('vcard', vcardRowBatches(blocks, text, columns), table)
}

/** Whether the text is `connections.json` of Weft's own export, including that of an empty network. */
function holdsWeftConnections(head: string): boolean {
  return /^\[\n\{"connection_id":"c_\d+"/.test(head) || head === '[]\n'
}

/** Loads schemas, which take longer to load than most files to read. */
async function weftFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const { weftRowBatches } = await import('./weft/weft-connections.ts')
  return contactFile('table', weftRowBatches(blocks))
}

/** Text with one character per byte. */
function binaryText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

async function* binaryBlocks(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const block of blocks) yield binaryText(block)
}

/** Encodings whose lines cannot be found without decoding; null for any other. */
function wideEncoding(encoding: Encoding): Encoding | null {
  return /^(?:utf-16|utf-32|iso-2022)/.test(encoding) ? encoding : null
}
