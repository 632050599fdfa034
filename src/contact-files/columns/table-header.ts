// Finds the header of a table among its first rows.

import type { ImportFormat } from '../contact/contact.ts'
import { customFieldInHeader } from '../fields/column-fields.ts'
import { targetNamed } from '../fields/header-words.ts'
import { readContents, readHeader, type ColumnMapping, type TableColumns } from './table-columns.ts'
import { isAddress } from './column-contents.ts'
import type { Cells } from '../table/csv.ts'

export interface TableHeader {
  readonly columns: TableColumns
  /** Names as in the file; generated when the file has no header. */
  readonly names: Cells
}

export interface HeaderOptions {
  readonly hint?: ImportFormat | 'auto'
  /** The member's mapping for the header with these names. */
  readonly mappingOf?: (names: readonly string[]) => ColumnMapping | undefined
  /** Reads a table without known columns, so that the member can map them. */
  readonly allowUnknown?: boolean
}

/** LinkedIn's preamble has 3 lines; people add notes above it. */
export const MAX_HEADER_ROW = 60
/** Number of rows below a header that are read for columns with unknown names. */
export const SAMPLE_ROWS = 50

/** The header in a row, below a row that can have headings; null if its columns are neither known nor mapped. */
export function headerIn(
  { cells, above }: { readonly cells: Cells; readonly above: Cells },
  sample: readonly Cells[],
  options: HeaderOptions,
): TableHeader | null {
  const names = withHeadings(cells.map(headerName), above)
  const isData = names.some((name) => name.includes('@') && customFieldInHeader(name) === null)
  const columns = isData ? null : columnsOf({ names, mapped: names }, sample, options)
  return columns && { columns, names }
}

/** The columns with these names. `mapped` are the names by which the member maps them. */
export function columnsOf(
  { names, mapped }: { readonly names: Cells; readonly mapped: Cells },
  sample: readonly Cells[],
  { mappingOf, hint }: HeaderOptions,
): TableColumns | null {
  const mapping = mappingOf?.(mapped)
  return readHeader({
    names,
    sample: sample.slice(0, SAMPLE_ROWS),
    ...(mapping !== undefined && { mapping }),
    ...(hint !== undefined && { hint }),
  })
}

/** The columns of a table whose first row is already data, by the contents of its rows; null for any other table. */
export function headerless(rows: readonly Cells[]): TableHeader | null {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const isTable = sample.every((cells) => cells.length > 1)
  if (!isTable || sample[0]?.some((cell) => isAddress(cell) || /\d{5}/.test(cell)) !== true)
    return null
  const columns = readContents(sample)
  return columns && { columns, names: columns.targets.map((_target, at) => `Column ${at + 1}`) }
}

/** The name of a column in one line. */
function headerName(cell: string): string {
  return cell.trim().replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space))
}

/**
 * The names of columns that repeat, with the headings above them: _Phone_ and _Email_ below _Work_ and below _Home_ become
 * `Work Phone`, `Work Email`, `Home Phone` and `Home Email`.
 */
export function withHeadings(
  names: readonly string[],
  above: readonly string[],
): readonly string[] {
  const headings = spread(above, names.length)
  const [first = ''] = names
  const isSideBySide = first !== '' && names.includes(first, 1)
  if (isSideBySide || new Set(headings).size < 3) return names
  return names.map((name, at) => {
    const heading = headings[at] ?? ''
    const isRepeated = name !== '' && names.indexOf(name) !== names.lastIndexOf(name)
    if (
      !isRepeated ||
      heading === '' ||
      headings[names.indexOf(name)] === headings[names.lastIndexOf(name)]
    )
      return name
    const full = `${heading} ${name}`
    const isFirst = names.indexOf(name) === at
    return isFirst && !hasLabel(full) ? name : full
  })
}

function hasLabel(name: string): boolean {
  const target = targetNamed(name)
  return target !== null && 'label' in target && target.label !== undefined
}

/** Each heading over the columns up to the next one. Empty for a line that is no row of headings. */
function spread(above: readonly string[], width: number): readonly string[] {
  const texts = above.map((cell) => cell.trim())
  const isRow = texts.length <= width && texts.every((text) => text.length <= MAX_HEADING_LENGTH)
  if (!isRow) return []
  let heading = ''
  return Array.from({ length: width }, (_, at) => (heading = texts[at] || heading))
}

const MAX_HEADING_LENGTH = 40 // characters
