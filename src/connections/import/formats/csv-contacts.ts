// Reads contacts from delimited text: finds the header by its content, then reads row by row.

import type { ContactDraft, ImportFormat, ImportRow } from '../../model/contact.ts'
import { rowOf } from '../../model/contact.ts'
import type { CsvRecord } from './csv.ts'
import { cellsOf, csvScanner } from './csv.ts'
import { googleColumns } from './google.ts'
import { linkedinColumns } from './linkedin.ts'
import { outlookColumns } from './outlook.ts'

export interface CsvHeader {
  readonly format: Exclude<ImportFormat, 'vcard'>
  readonly columns: readonly string[]
  readonly delimiter: string
  readonly draftOf: (cells: readonly string[]) => ContactDraft
  /** Where the rows start: character offset in the text, and line of the file. */
  readonly end: number
  readonly nextLine: number
}

/** The first line that a format recognizes as its header; a preamble may come before it. */
export function findHeader(head: string, hint: ImportFormat | 'auto'): CsvHeader | null {
  for (const { text, end, line } of linesOf(head, MAX_HEADER_LINE)) {
    let best: CsvHeader | null = null
    let bestScore = 0
    for (const delimiter of DELIMITERS) {
      if (!text.includes(delimiter)) continue
      const columns = cellsOf(text, delimiter).map((cell) => cell.trim())
      for (const [format, read] of FORMATS) {
        const reading = read(columns.map(plainName))
        if (reading === null) continue
        const score = reading.score + (format === hint ? 0.5 : 0) // the hint breaks a tie
        if (score <= bestScore) continue
        bestScore = score
        best = { format, columns, delimiter, draftOf: reading.draftOf, end, nextLine: line + 1 }
      }
    }
    if (best !== null) return best
  }
  return null
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

/** The rows after the header, one batch per text block. */
export async function* csvRowBatches(
  header: CsvHeader,
  text: AsyncIterable<string>,
): AsyncGenerator<ImportRow[], void, undefined> {
  const { delimiter, columns, nextLine } = header
  const scanner = csvScanner({ delimiter, columns: columns.length, line: nextLine })
  let row = 0
  const rowsOf = (records: readonly CsvRecord[]) =>
    records.map((record) => rowFrom(header, record, ++row))
  for await (const block of text) {
    const rows = rowsOf(scanner.push(block, false))
    if (rows.length > 0) yield rows
  }
  const rest = rowsOf(scanner.push('', true))
  if (rest.length > 0) yield rest
}

function rowFrom(header: CsvHeader, record: CsvRecord, row: number): ImportRow {
  const { line, cells, broken } = record
  if (broken !== undefined) return { row, line, rejected: broken }
  if (cells.every((cell) => cell.trim() === '')) return { row, line, skipped: 'This row is empty' }
  return rowOf(row, line, header.draftOf(cells))
}

const MAX_HEADER_LINE = 60 // LinkedIn's preamble has 3 lines; people add notes above it

const DELIMITERS = [',', ';', '\t', '|']

const FORMATS = [
  ['linkedin', linkedinColumns],
  ['google', googleColumns],
  ['outlook', outlookColumns],
] as const

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

/** Normalizes case, spaces and dashes: `  Phone 1 – Value ` becomes `phone 1 - value`. */
function plainName(column: string): string {
  return column
    .slice(0, 100)
    .replace(/\p{Pd}/gu, '-')
    .replace(/[\s\p{Cc}\ufeff]+/gu, ' ')
    .trim()
    .normalize('NFC')
    .toLowerCase()
}
