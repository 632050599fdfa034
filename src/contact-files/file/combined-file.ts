// Reads several lists of contacts, such as the files of a zip or the sheets of a workbook, as one file.

import type { ImportedContact, ImportRow } from '../contact/contact.ts'
import type { ContactFile, Extent } from './contact-file.ts'
import { joinedColumns } from '../columns/file-columns.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'
import { emptyFile } from './rejected-files.ts'

export interface Part {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Whether it is left out without a report if it is not a list of contacts. */
  readonly isOptional?: boolean
  /**
   * `onRead` is called with the number of bytes that are read next.
   *
   * @throws {UnreadableFile} when the part is not a list of contacts.
   */
  open(onRead: OnRead): Promise<ContactFile>
}

export type OnRead = (bytes: number) => void

interface Combination {
  readonly parts: readonly Part[]
  /** Skips contacts that an earlier part already contained. */
  readonly skipCopies: boolean
  /** Completes a contact from other files of the zip. */
  readonly complete?: (contact: ImportedContact) => ImportedContact
}

/** Opens the first part that holds contacts; the others are opened when their rows are read. */
export async function combinedFile({
  parts,
  skipCopies,
  complete,
}: Combination): Promise<ContactFile> {
  const extent: Extent = { read: 0, total: sizeOf(parts) }
  const onRead = (bytes: number) => {
    extent.read = Math.min(extent.read + bytes, extent.total)
  }
  const opened: Opened[] = []
  for (const part of parts) {
    opened.push(await openIfReadable(part, onRead))
    if (opened.at(-1)?.file) break
  }
  const first = opened.at(-1)?.file
  if (!first) throw opened[0]?.problem ?? emptyFile()
  const files = [first]
  const isNew = copyFilter(skipCopies)

  async function* rowBatches(): AsyncGenerator<ImportRow[], void, undefined> {
    let offset = 0
    let unread = extent.total
    const groups: ImportRow[] = []
    for (const [at, part] of parts.entries()) {
      // Parts that were not read to their end, such as one without contacts.
      extent.read = Math.max(extent.read, extent.total - unread)
      unread -= part.size
      const { file, problem } = opened[at] ?? (await openIfReadable(part, onRead))
      if (problem && part.isOptional !== true && problem.code !== 'empty_file')
        yield [
          { row: ++offset, line: 1, rejected: `${part.name}: ${problem.message} ${problem.hint}` },
        ]
      if (!file) continue
      if (file !== first) files.push(file)
      const name = file === first && offset === 0 ? '' : part.name
      let last = 0
      for await (const batch of file.rowBatches) {
        last = batch.at(-1)?.row ?? last
        const rows = batch.filter((row) => !isHeld(row, groups))
        if (rows.length > 0)
          yield rows.map((row) => placed(isNew(row, part.name), { offset, name, complete }))
      }
      offset += last
    }
    if (groups.length > 0)
      yield groups.map((row, at) => Object.assign({}, row, { row: offset + at + 1 }))
  }

  const columns = () => joinedColumns(files.map((file) => file.columns()))
  const { format, header } = first
  return { format, header, columns, rowBatches: rowBatches(), extent }
}

const MAX_GROUPS = 10_000

/** Groups become the last rows, because a later part may have their members. */
function isHeld(row: ImportRow, groups: ImportRow[]): boolean {
  if (!('group' in row) || groups.length === MAX_GROUPS) return false
  groups.push(row)
  return true
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0)
}

/** A part, or why it is not a list of contacts. */
interface Opened {
  readonly file?: ContactFile
  readonly problem?: UnreadableFile
}

/** @throws {UnreadableFile} when the part is damaged or its encoding is not known. */
async function openIfReadable(part: Part, onRead: OnRead): Promise<Opened> {
  try {
    return { file: await part.open(onRead) }
  } catch (cause) {
    if (cause instanceof UnreadableFile && NO_CONTACTS.has(cause.code)) return { problem: cause }
    throw cause
  }
}

const NO_CONTACTS: ReadonlySet<string> = new Set([
  'unknown_columns',
  'empty_file',
  'spreadsheet_file',
  'binary_file',
  'pdf_file',
  'html_file',
  'json_file',
  'calendar_file',
])

interface Placement {
  readonly offset: number
  readonly name: string
  readonly complete: Combination['complete']
}

/** Rows are numbered through all parts; a problem names its part. */
function placed(row: ImportRow, { offset, name, complete }: Placement): ImportRow {
  if (offset === 0 && complete === undefined) return row
  const number = row.row + offset
  if ('rejected' in row)
    return {
      ...row,
      row: number,
      rejected: name === '' ? row.rejected : `${name}: ${row.rejected}`,
    }
  if ('contact' in row && complete !== undefined)
    return { ...row, row: number, contact: complete(row.contact) }
  return { ...row, row: number }
}

const MAX_REMEMBERED = 200_000 // contacts

/** Takeout has a file for all contacts and one for each group. */
function copyFilter(skipCopies: boolean) {
  const seen = new Map<string, string>()
  return (row: ImportRow, name: string): ImportRow => {
    if (!skipCopies || !('contact' in row)) return row
    const key = JSON.stringify({ ...row.contact, labels: [] })
    const before = seen.get(key)
    if (before !== undefined && before !== name)
      return {
        row: row.row,
        line: row.line,
        skipped: 'This contact is also in another file of the zip',
      }
    if (seen.size < MAX_REMEMBERED) seen.set(key, name)
    return row
  }
}
