// Reads contacts from delimited text: finds the header by its content, then reads row by row.

import type { ImportFormat, ImportRow } from '../contact/contact.ts'
import { cellsOf, csvScanner } from './csv.ts'
import { withHeadings } from './merged-headings.ts'
import { customFieldInHeader } from '../columns/custom-column.ts'
import type { FileColumn } from '../columns/file-columns.ts'
import {
  guessHeader,
  knowsMore,
  readContents,
  readHeader,
  type ColumnMapping,
  type TableColumns,
} from '../columns/table-columns.ts'
import { tableRowReader, type TableRowReader } from './table-records.ts'

export interface CsvHeader {
  readonly columns: TableColumns
  /** As in the file; generated when the file has no header. */
  readonly names: readonly string[]
  readonly delimiter: string
  /** Where the rows start: character offset in the text, and line of the file. */
  readonly end: number
  readonly nextLine: number
}

export interface HeaderOptions {
  readonly hint?: ImportFormat | 'auto'
  /** The member's mapping for the header with these names. */
  readonly mappingOf?: (names: readonly string[]) => ColumnMapping | undefined
  /** Reads a table without known columns, so that the member can map them. */
  readonly allowUnknown?: boolean
}

/** The first line whose columns are known or mapped; a preamble may come before it. */
export function findHeader(head: string, options: HeaderOptions = {}): CsvHeader | null {
  let above = ''
  for (const line of linesOf(head, MAX_HEADER_LINE)) {
    const whole = wholeLine(head, line)
    const best =
      bestHeader(head, { ...line, above }, options) ??
      (whole === null ? null : bestHeader(head, { ...whole, above }, options))
    if (best !== null) return headerBelow(head, { ...best, text: line.text }, options) ?? best
    above = line.text
  }
  return headerless(head) ?? guessedHeader(head, options)
}

/** A line together with the lines below it that continue its last cell; null if no cell continues. */
function wholeLine(head: string, line: HeadLine): HeadLine | null {
  if (hasPairedQuotes(line.text)) return null
  let { text, end } = line
  for (const next of linesOf(head.slice(line.end), MAX_HEADER_LINES)) {
    text = `${text}\n${next.text}`
    end = line.end + next.end
    if (hasPairedQuotes(text)) return { text, end, line: line.line + next.line }
  }
  return null
}

const MAX_HEADER_LINES = 20 // of one header

function hasPairedQuotes(text: string): boolean {
  return (text.match(/"/g)?.length ?? 0) % 2 === 0
}

/** The name of a column in one line. */
function headerName(cell: string): string {
  return cell.trim().replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space))
}

/** A row of merged headings, such as _Person_ and _Address_, has the names of the columns below it. */
function headerBelow(
  head: string,
  above: CsvHeader & { readonly text: string },
  options: HeaderOptions,
): CsvHeader | null {
  const [line] = linesOf(head.slice(above.end), 1)
  if (line === undefined) return null
  const below = { ...line, end: above.end + line.end, line: above.nextLine, above: above.text }
  const header = bestHeader(head, below, options)
  return header !== null && knowsMore(header.names, above.names) ? header : null
}

/** The first line with several columns, if the following rows reveal their meaning. */
function guessedHeader(head: string, { allowUnknown = false }: HeaderOptions): CsvHeader | null {
  for (const { text, end, line } of linesOf(head, MAX_HEADER_LINE)) {
    for (const delimiter of DELIMITERS) {
      const names = cellsOf(text, delimiter).map((cell) => cell.trim())
      // Titles and remarks above a table have the separators of its other columns.
      if (names.length < 2 || (end < head.length && names.filter((name) => name !== '').length < 2))
        continue
      const { columns, isSure } = guessHeader({
        names,
        sample: sampleRows(head.slice(end), delimiter),
      })
      if (!isSure && !allowUnknown) return null
      return { columns, names, delimiter, end, nextLine: line + 1 }
    }
  }
  return null
}

/** With the delimiter under which the most columns are known. */
function bestHeader(
  head: string,
  line: HeadLine & { readonly above: string },
  options: HeaderOptions,
): CsvHeader | null {
  let best: CsvHeader | null = null
  let bestScore = 0
  const { text, end, above } = line
  const delimiters = DELIMITERS.filter((delimiter) => text.includes(delimiter))
  for (const delimiter of delimiters.length === 0 ? [','] : delimiters) {
    const names = withHeadings(cellsOf(text, delimiter).map(headerName), cellsOf(above, delimiter))
    if (names.some((name) => name.includes('@') && customFieldInHeader(name) === null)) continue // a row of data
    const mapping = options.mappingOf?.(names)
    const sample = sampleRows(head.slice(end), delimiter)
    const columns = readHeader({
      names,
      sample,
      ...(mapping !== undefined && { mapping }),
      ...(options.hint !== undefined && { hint: options.hint }),
    })
    const score = columns?.targets.filter((target) => target !== null).length ?? 0
    if (columns === null || score <= bestScore) continue
    bestScore = score
    best = { columns, names, delimiter, end, nextLine: line.line + 1 }
  }
  return best
}

/** A file without a header row: its columns are recognized by their contents. */
function headerless(head: string): CsvHeader | null {
  for (const delimiter of DELIMITERS) {
    const sample = sampleRows(head, delimiter)
    const width = sample[0]?.length ?? 0
    const isTable = width > 1 && sample.every((cells) => cells.length === width)
    if (!isTable || !sample[0]?.some((cell) => cell.includes('@') || /\d{5}/.test(cell))) continue
    const columns = readContents(sample)
    if (columns === null) continue
    const names = Array.from({ length: width }, (_, at) => `Column ${at + 1}`)
    return { columns, names, delimiter, end: 0, nextLine: 1 }
  }
  return null
}

const SAMPLE_ROWS = 50
const SAMPLE_LENGTH = 60_000 // characters

/** The first rows, without an incomplete last one. */
function sampleRows(text: string, delimiter: string): (readonly string[])[] {
  const records = csvScanner({ delimiter, columns: 0, line: 1 }).push(
    text.slice(0, SAMPLE_LENGTH),
    text.length < SAMPLE_LENGTH,
  )
  return records
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .slice(0, SAMPLE_ROWS)
    .map(({ cells }) => cells)
}

/** The apparent columns of the file, for the error message when no format matches. */
export function likelyColumns(head: string): readonly string[] {
  let widest: readonly string[] = []
  for (const { text } of linesOf(head, MAX_HEADER_LINE)) {
    for (const delimiter of DELIMITERS) {
      const cells = cellsOf(text, delimiter)
      if (cells.length > widest.length) widest = cells
    }
    if (widest.length > 1) break
  }
  return widest.map((cell) => cell.trim()).filter((cell) => cell !== '')
}

interface CsvRows {
  /** The rows after the header, one batch per text block. Read once. */
  readonly batches: AsyncIterable<ImportRow[]>
  /** The use of the columns in the rows read so far. */
  readonly columns: () => readonly FileColumn[]
}

/** Reads the rows below a header, and counts the values of each column. */
export function csvRows(header: CsvHeader, text: AsyncIterable<string>): CsvRows {
  const read = tableRowReader(header.columns, header.names)
  return {
    batches: csvRowBatches(header, text, read),
    columns: () => read.columns(),
  }
}

async function* csvRowBatches(
  { delimiter, names, nextLine }: CsvHeader,
  text: AsyncIterable<string>,
  read: TableRowReader,
): AsyncGenerator<ImportRow[], void, undefined> {
  const scanner = csvScanner({ delimiter, columns: names.length, line: nextLine })
  for await (const block of text) {
    const rows = read.rows(scanner.push(block, false))
    if (rows.length > 0) yield rows
  }
  const rest = read.rows(scanner.push('', true))
  if (rest.length > 0) yield rest
}

const MAX_HEADER_LINE = 60 // LinkedIn's preamble has 3 lines; people add notes above it

const DELIMITERS = [',', ';', '\t', '|']

interface HeadLine {
  readonly text: string
  readonly end: number
  readonly line: number
}

// By physical line, not by record, because an unbalanced quotation mark in a preamble must not hide the header.
function* linesOf(head: string, count: number): Generator<HeadLine> {
  let from = 0
  for (let line = 1; line <= count && from < head.length; line++) {
    const found = /\r\n|\n|\r/g
    found.lastIndex = from
    const lineBreak = found.exec(head)
    const text = head.slice(from, lineBreak?.index ?? head.length)
    from = lineBreak === null ? head.length : found.lastIndex
    yield { text, end: from, line }
  }
}
