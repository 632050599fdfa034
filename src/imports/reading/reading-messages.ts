/** The messages between an import and the thread that reads its file. The thread asks for bytes, the import for rows. */

import type { MessagePort } from 'node:worker_threads'
import type { ThreadError } from '../../base/thread-error.ts'
import type { StoredMappings } from './column-mappings.ts'
import type { ContactFile } from '../../contact-files/file/contact-file.ts'
import type { FileColumn } from '../../contact-files/columns/file-columns.ts'
import type { FileReading } from './read-options.ts'

/** How to read the file. */
export interface ReadingTask {
  readonly reading: FileReading
  readonly mappings: StoredMappings
  /** Rows up to this one were imported before. */
  readonly done: number
}

/** Starts the reading of a file, whose messages use the port. */
export interface ReadingRequest {
  readonly task: ReadingTask
  readonly port: MessagePort
}

export type ToReadingThread =
  /** The next bytes of the file; null after the last. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array | null }
  /** Asks for one more batch. */
  | { readonly kind: 'next' }

/** What a thread knows of its file before the rows. */
export type OpenedFile = Pick<ContactFile, 'format' | 'header' | 'customFields' | 'extent'>

export type FromReadingThread =
  /** Asks for the next bytes. */
  | { readonly kind: 'more' }
  | { readonly kind: 'opened'; readonly file: OpenedFile }
  | {
      readonly kind: 'rows'
      /** By `encodeRows`. Bytes are not on the heap of the import until it needs the rows. */
      readonly rows: Uint8Array<ArrayBuffer>
      readonly columns: readonly FileColumn[]
      /** Bytes of the extent that are read; 0 without one. */
      readonly read: number
    }
  | { readonly kind: 'end'; readonly columns: readonly FileColumn[] }
  | ThreadError
