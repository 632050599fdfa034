/** Reads contact files with the member's column mappings, and divides their rows into batches. */

import type { ContactFile } from '../../contact-files/file/contact-file.ts'
import { openContactFile } from '../../contact-files/read-contacts.ts'
import { loadMappings, mappingLookup } from './column-mappings.ts'
import { readOptions, type FileReading } from './read-options.ts'
import { readable } from './unreadable-error.ts'
import type { ImportRow } from '../../contact-files/contact/contact.ts'
import type { MemberReader } from '../../db/database.ts'

/**
 * Reads a file in this thread, so it must only be called by computations. Columns are mapped as in the member's earlier
 * imports.
 *
 * @throws {RequestError} `unreadable_file` when it is not a list of contacts.
 */
export async function openContacts(
  reader: MemberReader,
  bytes: AsyncIterable<Uint8Array>,
  reading: FileReading,
): Promise<ContactFile> {
  const options = readOptions(reading, mappingLookup(await loadMappings(reader)))
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
