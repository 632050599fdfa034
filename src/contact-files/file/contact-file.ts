// An opened contact file: its format, its columns and its rows.

import type { ImportFormat, ImportRow } from '../contact/contact.ts'
import type { NetworkSettings } from '../contact/network-settings.ts'
import type { FileColumn } from '../columns/file-columns.ts'

export interface ContactFile {
  readonly format: ImportFormat
  /** The columns of the header, or the properties of the cards, with the values read so far. */
  readonly columns: () => readonly FileColumn[]
  /** Set only for an export of Weft. */
  readonly settings?: NetworkSettings
  /** The names of all columns, as in the file; none for vCard. */
  readonly header: readonly string[]
  /** Batches of a few hundred rows. Read them once. */
  readonly rowBatches: AsyncIterable<ImportRow[]>
  /** Set only for a file with parts, such as a zip or a workbook, whose bytes are all read before its first row. */
  readonly extent?: Extent
}

/** How much of the parts with contacts has been read, in bytes without compression. `read` grows with the rows. */
export interface Extent {
  read: number
  readonly total: number
}
