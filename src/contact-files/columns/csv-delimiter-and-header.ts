// Finds the delimiter and the header of delimited text by its content, and splits the text into records.

import { guessHeader, identifiesPeople, knowsMore } from './table-columns.ts'
import { isAddress } from './column-contents.ts'
import { cellsOf, csvScanner, type Cells, type CsvRecord } from '../table/csv.ts'
import {
  headerIn,
  headerless,
  MAX_HEADER_ROW,
  SAMPLE_ROWS,
  type HeaderOptions,
  type TableHeader,
} from './table-header.ts'

interface CsvHeader extends TableHeader {
  readonly delimiter: string
  /** Where the rows start: character offset in the text, and line of the file. */
  readonly end: number
  readonly nextLine: number
}

/** The first line whose columns are known or mapped; a preamble may come before it. */
export function findHeader(head: string, options: HeaderOptions = {}): CsvHeader | null {
  let above = ''
  for (const line of linesOf(head, MAX_HEADER_ROW)) {
    const whole = wholeLine(head, line)
    const best =
      bestHeader(head, { ...line, above }, options) ??
      (whole === null ? null : bestHeader(head, { ...whole, above }, options))
    if (best !== null) return headerBelow(head, { ...best, text: line.text }, options) ?? best
    above = line.text
  }
  return firstRows(head) ?? guessedHeader(head, options)
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
  for (const { text, end, line } of linesOf(head, MAX_HEADER_ROW)) {
    for (const delimiter of DELIMITERS) {
      const names = cellsOf(text, delimiter).map((cell) => cell.trim())
      // Titles and remarks above a table have the separators of its other columns.
      if (names.length < 2 || (end < head.length && names.filter((name) => name !== '').length < 2))
        continue
      const columns = guessHeader(names, sampleRows(head.slice(end), delimiter))
      // The first person of a list must not become its header.
      if (!allowUnknown && (names.some(isAddress) || !identifiesPeople(columns, names))) return null
      return { columns, names, delimiter, end, nextLine: line + 1 }
    }
  }
  return null
}

/** With the delimiter under which the most columns are known. */
function bestHeader(
  head: string,
  { text, end, above, line }: HeadLine & { readonly above: string },
  options: HeaderOptions,
): CsvHeader | null {
  let best: CsvHeader | null = null
  let bestScore = 0
  const delimiters = DELIMITERS.filter((delimiter) => text.includes(delimiter))
  for (const delimiter of delimiters.length === 0 ? [','] : delimiters) {
    const row = { cells: cellsOf(text, delimiter), above: cellsOf(above, delimiter) }
    const header = headerIn(row, sampleRows(head.slice(end), delimiter), options)
    const score = header?.columns.targets.filter((target) => target !== null).length ?? 0
    if (header === null || score <= bestScore) continue
    bestScore = score
    best = { ...header, delimiter, end, nextLine: line + 1 }
  }
  return best
}

/** A file without a header row, below lines such as a title: its columns are recognized by their contents. */
function firstRows(head: string): CsvHeader | null {
  let start = 0
  for (const { text, end, line } of linesOf(head, MAX_HEADER_ROW)) {
    for (const delimiter of [...DELIMITERS, ':']) {
      if (!text.includes(delimiter)) continue
      const header = headerless(sampleRows(head.slice(start), delimiter))
      if (header !== null) return { ...header, delimiter, end: start, nextLine: line }
    }
    if (DELIMITERS.some((delimiter) => cellsOf(text, delimiter).filter(Boolean).length > 1)) break
    start = end
  }
  return null
}

const SAMPLE_LENGTH = 60_000 // characters

/** The first rows, without an incomplete last one. */
function sampleRows(text: string, delimiter: string): Cells[] {
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
  for (const { text } of linesOf(head, MAX_HEADER_ROW)) {
    for (const delimiter of DELIMITERS) {
      const cells = cellsOf(text, delimiter)
      if (cells.length > widest.length) widest = cells
    }
    if (widest.length > 1) break
  }
  return widest.map((cell) => cell.trim()).filter((cell) => cell !== '')
}

/** The records below a header, one batch per text block. */
export async function* csvRecords(
  { delimiter, names, nextLine, end }: CsvHeader,
  text: AsyncIterable<string>,
): AsyncGenerator<readonly CsvRecord[], void, undefined> {
  const scanner = csvScanner({ delimiter, columns: names.length, line: nextLine })
  let left = end
  for await (const block of text) {
    yield scanner.push(block.slice(left), false)
    left = 0
  }
  yield scanner.push('', true)
}

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
