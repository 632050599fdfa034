// A row among the first ones of a table, which can be its header.

import type { Cells } from './csv.ts'

export interface HeadRow {
  readonly cells: Cells
  /** The cells of the row above it; none for the first row. */
  readonly above: Cells
  /** The first rows below it. */
  sample(): readonly Cells[]
  /** The next row. */
  below(): readonly this[]
}

/** LinkedIn's preamble has 3 lines; people add notes above it. */
export const MAX_HEADER_ROW = 60
/** Number of rows below a header that are read for columns with unknown names. */
export const SAMPLE_ROWS = 50
