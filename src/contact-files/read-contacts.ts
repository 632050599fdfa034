// Opens a contact file, detects its format from the content and yields its contacts.

import { appExport, WEFT_EXPORT } from './app-export.ts'
import type { ContactFile } from './file/contact-file.ts'
import { guessHeader } from './columns/table-columns.ts'
import type { ImportedContact } from './contact/contact.ts'
import { csvRecords } from './table/csv.ts'
import { csvHead } from './table/csv-head.ts'
import { columnsOf, findCsvTable, type HeaderOptions } from './columns/table-header.ts'
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
import { binaryBlocks, binaryText, peeked, readBlocks, type Peeked } from './bytes/blocks.ts'
import { decodeText } from './bytes/text.ts'
import { holdsRecipients, recipientRecords } from './table/recipients.ts'
import { UnreadableFile } from './bytes/unreadable-file.ts'
import { cardFile, holdsCard } from './vcard/vcard.ts'
import { cardText } from './vcard/vcard-text.ts'

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
  return openFile(bytes, options, openArchive)
}

type OpenZip = (entries: readonly ZipEntry[], options: ReadOptions) => Promise<ContactFile>

/** Opens a text, a workbook, or with `openZip` any other zip. */
async function openFile(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  openZip: OpenZip,
): Promise<ContactFile> {
  const blocks = await readBlocks(bytes)
  try {
    if (blocks.head === undefined) throw emptyFile()
    if (!looksLikeZip(blocks.head)) return await openText(blocks, options)
    const entries = await filesInZip(blocks.all)
    if (!isWorkbook(entries)) return await openZip(entries, options)
    const parts = workbookParts(await sheetsOf(entries), options)
    return await combinedFile({ parts, skipCopies: false })
  } catch (cause) {
    await blocks.close()
    throw cause
  }
}

async function openArchive(
  entries: readonly ZipEntry[],
  options: ReadOptions,
): Promise<ContactFile> {
  const { files, lastContacts, hasCopies, settings, names = [] } = await archiveOf(entries)
  const parts = files.map((file) => ({
    name: file.name,
    size: file.size,
    isOptional: file.name.toLowerCase().endsWith('.txt'),
    open: (onRead: OnRead) =>
      openFile(counted(file.open(), onRead), options, () => {
        throw otherDocument()
      }),
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

async function openText(blocks: Peeked<Uint8Array>, options: ReadOptions): Promise<ContactFile> {
  const { encoding = 'auto' } = options
  const start = blocks.head ?? new Uint8Array()
  const isWide = (encoding === 'auto' ? markedEncoding(start) : wideEncoding(encoding)) !== null
  rejectBinary(start, isWide)
  const binary = isWide ? '' : binaryText(start)
  if (holdsCard(binary)) return cardFile(binaryBlocks(blocks.all), cardText(encoding))
  const isOwn = WEFT_EXPORT.test(binary)
  const text = await peeked(decodeText(blocks, isOwn ? 'utf-8' : encoding))
  try {
    return await openDecoded(text, options)
  } catch (cause) {
    await text.close()
    throw cause
  }
}

async function openDecoded(text: Peeked<string>, options: ReadOptions): Promise<ContactFile> {
  const head = text.head ?? ''
  if (head.trim() === '' && head.length < MAX_BLANK_LENGTH) throw emptyFile()
  if (holdsCard(head)) return cardFile(text.all)
  if (holdsJcard(head)) return cardFile(jcardText(text.all))
  if (holdsLdif(head)) return cardFile(ldifText(text.all))
  const readExport = appExport(head)
  if (readExport !== undefined) return readExport(text.all)
  const other = otherText(head)
  if (other !== null && holdsJsonObjects(head)) return jsonFile(text.all, options, other)
  if (holdsRecipients(head)) return recipientsFile(text.all, options)
  const lines = csvHead(head)
  const table = findCsvTable(lines, other === null ? options : { ...options, allowUnknown: false })
  if (table === null) throw other ?? unknownColumns(lines.likelyColumns)
  return tableFile(table.columns, csvRecords(text.all, table, table.columns.names.length))
}

const MAX_BLANK_LENGTH = 60_000 // characters: a longer blank start is reported as an unknown format, not as empty

function recipientsFile(text: AsyncIterable<string>, options: ReadOptions): ContactFile {
  const names = ['Name', 'Email']
  const columns = columnsOf({ names, mapped: names }, [], options)
  if (columns === null) throw unknownColumns(names)
  return tableFile(columns, recipientRecords(text))
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
  return tableFile(columns, records())
}

const BATCH_ROWS = 500

/** Encodings whose lines cannot be found without decoding; null for any other. */
function wideEncoding(encoding: Encoding): Encoding | null {
  return /^(?:utf-16|utf-32|iso-2022)/.test(encoding) ? encoding : null
}
