// Finds the header of a table among its first rows, and so the delimiter of a text.

import type { ImportFormat } from '../contact/contact.ts'
import { customFieldInHeader } from '../fields/column-fields.ts'
import { plainHeader, targetNamed } from '../fields/header-words.ts'
import {
  guessHeader,
  identifiesPeople,
  readContents,
  readHeader,
  type ColumnMapping,
  type TableColumns,
} from './table-columns.ts'
import { numberedRole } from './numbered-roles.ts'
import { isAddress } from './column-contents.ts'
import type { CsvHead, CsvRow } from '../table/csv-head.ts'
import { SAMPLE_ROWS, type HeadRow } from '../table/head-row.ts'
import type { Cells, CsvPlace } from '../table/csv.ts'

export interface HeaderOptions {
  readonly hint?: ImportFormat | 'auto'
  /** The member's mapping for the header with these names. */
  readonly mappingOf?: (names: readonly string[]) => ColumnMapping | undefined
  /** Reads a table without known columns, so that the member can map them. */
  readonly allowUnknown?: boolean
}

interface Header<Row> {
  readonly row: Row
  readonly columns: TableColumns
}

/** A table in a text. */
interface CsvTable {
  readonly columns: TableColumns
  readonly delimiter: string
  /** Where its rows begin. */
  readonly start: CsvPlace
}

/** Finds the table of a text by its first lines; null if no column is known, mapped or recognized. */
export function findCsvTable(head: CsvHead, options: HeaderOptions): CsvTable | null {
  const found = findHeader(head.rows, options)
  if (found !== null) return below(found)
  for (const { data, ...place } of head.dataRows()) {
    const columns = headerless(data)
    if (columns !== null) return { columns, ...place }
  }
  const guessed = guessedHeader(head.rows.flat(), options)
  return guessed && below(guessed)
}

function below({ columns, row: { delimiter, end } }: Header<CsvRow>): CsvTable {
  return { columns, delimiter, start: end }
}

/**
 * The first row whose columns are known or mapped; a preamble may come before it. A row of merged headings, such as _Person_
 * and _Address_, has the names of the columns below it.
 */
export function findHeader<Row extends HeadRow>(
  rows: readonly (readonly Row[])[],
  options: HeaderOptions,
): Header<Row> | null {
  for (const row of rows) {
    const best = bestHeader(row, options)
    if (best === null) continue
    const next = bestHeader(best.row.below(), options)
    return next !== null && knowsMore(next.columns.names, best.columns.names) ? next : best
  }
  return null
}

/** Whether more names of a header are known than of another one. */
function knowsMore(names: Cells, others: Cells): boolean {
  const known = (header: Cells) =>
    header.filter((name) => numberedRole(plainHeader(name)) ?? targetNamed(name)).length
  return known(names) > known(others)
}

/** With the delimiter under which the most columns are known. */
function bestHeader<Row extends HeadRow>(
  rows: readonly Row[],
  options: HeaderOptions,
): Header<Row> | null {
  let best: Header<Row> | null = null
  let bestScore = 0
  for (const row of rows) {
    const columns = headerIn(row, options)
    const score = columns?.targets.filter((target) => target !== null).length ?? 0
    if (columns === null || score <= bestScore) continue
    bestScore = score
    best = { row, columns }
  }
  return best
}

function headerIn(row: HeadRow, options: HeaderOptions): TableColumns | null {
  const names = withHeadings(row.cells.map(headerName), row.above)
  const isData = names.some((name) => name.includes('@') && customFieldInHeader(name) === null)
  return isData ? null : columnsOf({ names, mapped: names }, row.sample(), options)
}

/** The first line with several columns, if the following rows reveal their meaning. */
function guessedHeader(
  rows: readonly CsvRow[],
  { allowUnknown = false }: HeaderOptions,
): Header<CsvRow> | null {
  for (const row of rows) {
    const names = row.cells.map((cell) => cell.trim())
    // Titles and remarks above a table have the separators of its other columns.
    if (names.length < 2 || (!row.isLast && names.filter((name) => name !== '').length < 2))
      continue
    const columns = guessHeader(names, row.sample())
    // The first person of a list must not become its header.
    const isKnown = allowUnknown || (!names.some(isAddress) && identifiesPeople(columns))
    return isKnown ? { row, columns } : null
  }
  return null
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
export function headerless(rows: readonly Cells[]): TableColumns | null {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const isTable = sample.every((cells) => cells.length > 1)
  const isData = sample[0]?.some((cell) => isAddress(cell) || /\d{5}/.test(cell)) === true
  return isTable && isData ? readContents(sample) : null
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
