/** Reads the contacts of an uploaded file. */

import { availableParallelism } from 'node:os'
import { readUpload, type StoredUpload } from '../../jobs/uploads.ts'
import { ContinuedFile } from './continued-file.ts'
import type { ContactFile } from './formats/contact-file.ts'
import { openContactFile } from './formats/read-contacts.ts'
import { loadMappings, mappingLookup } from './column-mappings.ts'
import { openInThread } from './read-in-thread.ts'
import { readOptions, type FileReading } from './read-options.ts'
import { requestErrorOf } from './unreadable-error.ts'
import { mayHaveEarlierKeys } from '../model/renew-keys.ts'
import type { ImportRow } from '../model/contact.ts'
import type { MemberReader } from '../../db/database.ts'

/** The number of bytes read. */
interface FilePosition {
  bytes: number
}

/** @throws {RequestError} `unreadable_file` when the file is not a list of contacts. */
export function openUploadedContacts(
  reader: MemberReader,
  uploadId: string,
  reading: FileReading = {},
  { position = { bytes: 0 }, signal }: { position?: FilePosition; signal?: AbortSignal } = {},
): Promise<ContactFile> {
  const bytes = counted(readUpload(reader, uploadId), position, signal)
  return openContacts(reader, bytes, reading, signal)
}

interface ImportedUpload {
  readonly upload: StoredUpload
  readonly reading: FileReading
  readonly position: FilePosition
  /** Rows up to this one were imported before. */
  readonly done: number
  /** Stops reading; the file or its rows throw its reason. */
  readonly signal: AbortSignal
}

/** Starting a thread and compiling its code takes as long as reading about 20,000 rows, which are 2 MB. */
const MIN_THREAD_BYTES = 4 * 1024 * 1024
/** A thread for fewer bytes gains nothing, even if their rows have to be compared and saved. */
const MIN_REST_BYTES = 1024 * 1024

interface OpenedImport extends AsyncDisposable {
  readonly file: ContactFile
  /**
   * Reads the rest in a thread, if it is large enough for one. Call it when most rows so far have to be saved: rows that are in
   * the network already are read faster than a thread starts.
   */
  continueInThread(): void
}

/**
 * Opens an upload to import it. A large one is read in a thread, if the machine has a core for it.
 *
 * @throws {RequestError} `unreadable_file` when the file is not a list of contacts.
 */
export async function openImportedContacts(
  reader: MemberReader,
  { upload, reading, position, done, signal }: ImportedUpload,
): Promise<OpenedImport> {
  const { upload_id, bytes } = upload
  // Once, because the import remembers the mapping of its columns.
  const mappings = await loadMappings(reader)
  const withEarlierKeys = await mayHaveEarlierKeys(reader)
  const openThread = (after: number) => {
    const chunks = counted(readUpload(reader, upload_id), position, signal)
    return openInThread(chunks, { reading, mappings, done: after, withEarlierKeys }, signal)
  }
  const hasCore = availableParallelism() > 1
  if (bytes >= MIN_THREAD_BYTES && hasCore) return withoutRest(await openThread(done))
  const first = await openUploadedContacts(reader, upload_id, reading, { position, signal })
  // The parts of a zip or workbook would be in memory twice.
  if (first.extent || !hasCore) return withoutRest(first)
  const continued = new ContinuedFile(first, openThread)
  return {
    file: continued.file,
    continueInThread() {
      if (bytes - position.bytes >= MIN_REST_BYTES) continued.openRest()
    },
    [Symbol.asyncDispose]: () => continued[Symbol.asyncDispose](),
  }
}

function withoutRest(file: ContactFile & Partial<AsyncDisposable>): OpenedImport {
  return {
    file,
    continueInThread() {},
    [Symbol.asyncDispose]: async () => file[Symbol.asyncDispose]?.(),
  }
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
  signal?: AbortSignal,
): Promise<ContactFile> {
  const options = readOptions(reading, mappingLookup(await loadMappings(reader)))
  return readable(() => openContactFile(bytes, { ...options, ...(signal && { signal }) }))
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

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  position: FilePosition,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of bytes) {
    signal?.throwIfAborted()
    read += chunk.byteLength
    position.bytes = Math.max(position.bytes, read) // it is read from the start again for a thread
    yield chunk
  }
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw requestErrorOf(error)
  }
}
