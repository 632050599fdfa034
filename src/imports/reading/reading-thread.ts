/** Runs in a worker thread: reads contact files, one at a time. */

import type { ReadableStream, WritableStream, WritableStreamDefaultWriter } from 'node:stream/web'
import { parentPort } from 'node:worker_threads'
import { threadErrorOf, type ThreadError } from '../../base/concurrency/thread-error.ts'
import type { FileColumn } from '../../contact-files/columns/file-columns.ts'
import type { ImportRow } from '../../contact-files/contact/contact.ts'
import type { ContactFile, Extent } from '../../contact-files/file/contact-file.ts'
import { openContactFile } from '../../contact-files/read-contacts.ts'
import { mappingLookup, type StoredMappings } from './column-mappings.ts'
import { readOptions, type FileReading } from './read-options.ts'
import { requestErrorOf } from './unreadable-error.ts'

/** How to read the file. */
export interface ReadingTask {
  readonly reading: FileReading
  readonly mappings: StoredMappings
  /** Size of the file. */
  readonly bytes: number
  /** Rows up to this one were imported before. */
  readonly done: number
}

/** Starts the reading of a file. */
export interface ReadingRequest {
  readonly task: ReadingTask
  readonly bytes: ReadableStream<Uint8Array>
  readonly answers: WritableStream<FromReadingThread>
}

export type FromReadingThread =
  /** What is known of the file before its rows. */
  | {
      readonly kind: 'opened'
      readonly file: Pick<ContactFile, 'format' | 'header' | 'settings'> & {
        readonly extent: Extent
      }
    }
  | {
      readonly kind: 'rows'
      readonly rows: ImportRow[]
      /** Bytes of the extent that are read. */
      readonly read: number
    }
  | { readonly kind: 'end'; readonly columns: readonly FileColumn[] }
  | ThreadError

parentPort?.on('message', ({ task, bytes, answers }: ReadingRequest) => {
  const writer = answers.getWriter()
  void sendFile(bytes, task, writer)
    .catch((error: unknown) => writer.write(threadErrorOf(requestErrorOf(error))))
    .then(() => writer.close())
    .then(() => parentPort?.postMessage('finished'))
})

async function sendFile(
  bytes: AsyncIterable<Uint8Array>,
  { reading, mappings, bytes: total, done }: ReadingTask,
  answers: WritableStreamDefaultWriter<FromReadingThread>,
): Promise<void> {
  const whole = { read: 0, total }
  const file = await openContactFile(
    counted(bytes, whole),
    readOptions(reading, mappingLookup(mappings)),
  )
  const { format, header, settings, extent = whole } = file
  await answers.write({
    kind: 'opened',
    file: { format, header, extent, ...(settings && { settings }) },
  })
  for await (const batch of file.rowBatches) {
    const rows = batch.filter(({ row }) => row > done)
    if (rows.length === 0) continue
    await answers.write({ kind: 'rows', rows, read: extent.read })
  }
  await answers.write({ kind: 'end', columns: file.columns() })
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  extent: Extent,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    extent.read += chunk.byteLength
    yield chunk
  }
}
