// The first lines of delimited text, as rows at every delimiter that they may have. columns/table-header.ts chooses one.

import { cellsOf, csvScanner, START, type Cells, type CsvPlace } from './csv.ts'
import { MAX_HEADER_ROW, SAMPLE_ROWS, type HeadRow } from './head-row.ts'

/** A line of a text, split at one of its delimiters. */
export interface CsvRow extends HeadRow {
  readonly delimiter: string
  readonly start: CsvPlace
  readonly end: CsvPlace
  /** Whether the text ends with it. */
  readonly isLast: boolean
}

interface HeadLine {
  readonly text: string
  readonly start: CsvPlace
  readonly end: CsvPlace
}

/** What a table can be in the first lines of a text. */
export interface CsvHead {
  /** The rows in which a header can be: each line at each of its delimiters, then also with the lines that continue it. */
  readonly rows: readonly (readonly CsvRow[])[]
  /** The rows from each line on, at each delimiter that a table without a header may have. */
  dataRows(): Iterable<DataRows>
  /** The apparent columns, for the error message when no format matches. */
  readonly likelyColumns: readonly string[]
}

interface DataRows extends Pick<CsvRow, 'delimiter' | 'start'> {
  readonly data: readonly Cells[]
}

/** Reads the first lines of a text. */
export function csvHead(head: string): CsvHead {
  const lines = [...linesOf(head, START, MAX_HEADER_ROW)]
  return {
    rows: lines.flatMap((line, at) => {
      const above = lines[at - 1]?.text ?? ''
      return [line, ...wholeLine(head, line)].map((one) => rowsIn(head, one, above))
    }),
    dataRows: () => dataRows(head, lines),
    likelyColumns: likelyColumns(lines),
  }
}

const DELIMITERS = [',', ';', '\t', '|']

function rowsIn(head: string, line: HeadLine, above: string): readonly CsvRow[] {
  const delimiters = DELIMITERS.filter((delimiter) => line.text.includes(delimiter))
  return (delimiters.length === 0 ? [','] : delimiters).map((delimiter) => ({
    delimiter,
    start: line.start,
    end: line.end,
    isLast: line.end.at === head.length,
    cells: cellsOf(line.text, delimiter),
    above: cellsOf(above, delimiter),
    sample: () => rowsFrom(head, line.end, delimiter),
    below: () => [...linesOf(head, line.end, 1)].flatMap((next) => rowsIn(head, next, line.text)),
  }))
}

/** Up to the first line with several cells. */
function* dataRows(head: string, lines: readonly HeadLine[]): Generator<DataRows> {
  for (const { text, start } of lines) {
    for (const delimiter of [...DELIMITERS, ':'])
      if (text.includes(delimiter))
        yield { delimiter, start, data: rowsFrom(head, start, delimiter) }
    if (DELIMITERS.some((delimiter) => cellsOf(text, delimiter).filter(Boolean).length > 1)) return
  }
}

function likelyColumns(lines: readonly HeadLine[]): readonly string[] {
  let widest: readonly string[] = []
  for (const { text } of lines) {
    for (const delimiter of DELIMITERS) {
      const cells = cellsOf(text, delimiter)
      if (cells.length > widest.length) widest = cells
    }
    if (widest.length > 1) break
  }
  return widest.map((cell) => cell.trim()).filter((cell) => cell !== '')
}

// By physical line, not by record, because an unbalanced quotation mark in a preamble must not hide the header.
function* linesOf(head: string, from: CsvPlace, count: number): Generator<HeadLine> {
  let start = from
  while (start.line < from.line + count && start.at < head.length) {
    const found = /\r\n|\n|\r/g
    found.lastIndex = start.at
    const lineBreak = found.exec(head)
    const end = { at: lineBreak === null ? head.length : found.lastIndex, line: start.line + 1 }
    yield { text: head.slice(start.at, lineBreak?.index ?? head.length), start, end }
    start = end
  }
}

/** A line together with the lines below it that continue its last cell; none if no cell continues. */
function wholeLine(head: string, line: HeadLine): readonly HeadLine[] {
  if (hasPairedQuotes(line.text)) return []
  let { text } = line
  for (const next of linesOf(head, line.end, MAX_HEADER_LINES)) {
    text = `${text}\n${next.text}`
    if (hasPairedQuotes(text)) return [{ text, start: line.start, end: next.end }]
  }
  return []
}

const MAX_HEADER_LINES = 20 // of one header

function hasPairedQuotes(text: string): boolean {
  return (text.match(/"/g)?.length ?? 0) % 2 === 0
}

const SAMPLE_LENGTH = 60_000 // characters

/** The first rows from a place, without an incomplete last one. */
function rowsFrom(head: string, { at }: CsvPlace, delimiter: string): readonly Cells[] {
  const text = head.slice(at, at + SAMPLE_LENGTH)
  const isWhole = head.length - at < SAMPLE_LENGTH
  return csvScanner({ delimiter, columns: 0, line: 1 })
    .push(text, isWhole)
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .slice(0, SAMPLE_ROWS)
    .map(({ cells }) => cells)
}
