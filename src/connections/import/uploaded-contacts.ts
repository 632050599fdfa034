/** Reads the contacts of an uploaded file. */

import { RequestError } from '../../base/request-error.ts'
import { readUpload } from '../../jobs/uploads.ts'
import type { ContactFile } from './formats/contact-file.ts'
import { openContactFile, UnreadableFile } from './formats/read-contacts.ts'
import { loadMappings } from './column-mappings.ts'
import { readOptions, type FileReading } from './read-options.ts'
import type { ImportRow } from '../model/contact.ts'
import type { MemberReader } from '../../db/database.ts'

/** The number of rows read. */
interface FilePosition {
  bytes: number
}

/** @throws {RequestError} `unreadable_file` when the file is not a list of contacts. */
export function openUploadedContacts(
  reader: MemberReader,
  uploadId: string,
  reading: FileReading = {},
  position: FilePosition = { bytes: 0 },
): Promise<ContactFile> {
  return openContacts(reader, counted(readUpload(reader, uploadId), position), reading)
}

/**
 * Reads a file that is not an upload. Columns are mapped as in the member's earlier imports.
 *
 * @throws {RequestError} `unreadable_file` when it is not a list of contacts.
 */
export async function openContacts(
  reader: MemberReader,
  bytes: AsyncIterable<Uint8Array>,
  reading: FileReading,
): Promise<ContactFile> {
  const options = readOptions(reading, await loadMappings(reader))
  return readable(() => openContactFile(bytes, options))
}

/**
 * The rows after row `done`, in batches of `size`, independent of the reader's; the last batch has the rest, or the
 * rows before the damage.
 *
 * @throws {RequestError} `unreadable_file` when the file turns out to be damaged partway.
 */
export async function* batchesOf(
  { rowBatches }: ContactFile,
  size: number,
  done = 0,
): AsyncGenerator<ImportRow[], void> {
  const iterator = rowBatches[Symbol.asyncIterator]()
  let rows: ImportRow[] = []
  try {
    for (;;) {
      const next = await readable(() => iterator.next())
      if (next.done === true) break
      for (const row of next.value) if (row.row > done) rows.push(row)
      let at = 0
      for (; rows.length - at >= size; at += size) yield rows.slice(at, at + size)
      rows = rows.slice(at)
    }
  } catch (error) {
    if (rows.length > 0) yield rows
    throw error
  } finally {
    await iterator.return?.()
  }
  if (rows.length > 0) yield rows
}

/** The batches in groups of at most `size`. A batch with photos, which take memory, is a group of its own. */
export async function* batchGroups(
  batches: AsyncIterable<readonly ImportRow[]>,
  size: number,
): AsyncGenerator<(readonly ImportRow[])[], void> {
  let group: (readonly ImportRow[])[] = []
  try {
    for await (const rows of batches) {
      const isLarge = rows.some((row) => 'contact' in row && row.photo !== undefined)
      if (isLarge && group.length > 0) {
        yield group
        group = []
      }
      group.push(rows)
      if (!isLarge && group.length < size) continue
      yield group
      group = []
    }
  } catch (error) {
    if (group.length > 0) yield group
    throw error
  }
  if (group.length > 0) yield group
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  position: FilePosition,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    position.bytes += chunk.byteLength
    yield chunk
  }
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    throw new RequestError('unreadable_file', error.message, {
      hint: error.hint,
      members: {
        reason: error.code,
        ...(error.guesses.length > 0 && { guesses: error.guesses }),
        ...(error.columns.length > 0 && { columns: error.columns }),
      },
    })
  }
}
