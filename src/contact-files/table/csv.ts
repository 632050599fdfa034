// Splits streamed delimited text (RFC 4180 and spreadsheet variants) into records.
// A custom parser, because a broken quotation mark must cost only one row, which requires continuing at the next line.
// csv-parse cannot do that and reads half as many rows per second. The tests compare the two.

import { phrase } from '../../languages/message.ts'

/** The texts of a row, one for each column. */
export type Cells = readonly string[]

export interface CsvRecord {
  /** The line of the file where the record starts, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** Why the record could not be read. It then has no cells. */
  readonly broken?: string
}

interface CsvScanner {
  /** The records that `text` completes; `last` marks the end of the text. */
  push(text: string, last: boolean): readonly CsvRecord[]
}

interface CsvOptions {
  readonly delimiter: string
  readonly columns: number
  /** The line of the file where the text starts. */
  readonly line: number
}

/** A place between two lines of a text. */
export interface CsvPlace {
  /** Offset in the text, in characters. */
  readonly at: number
  /** Number of the line after it. */
  readonly line: number
}

export const START: CsvPlace = { at: 0, line: 1 }

/** The records of a table that begins somewhere in a text, one batch per block. */
export async function* csvRecords(
  text: AsyncIterable<string>,
  { delimiter, start }: Pick<CsvOptions, 'delimiter'> & { readonly start: CsvPlace } = {
    delimiter: ',',
    start: START,
  },
  columns = 0,
): AsyncGenerator<readonly CsvRecord[], void, undefined> {
  const scanner = csvScanner({ delimiter, columns, line: start.line })
  let left = start.at
  for await (const block of text) {
    yield scanner.push(block.slice(left), false)
    left = 0
  }
  yield scanner.push('', true)
}

export function cellsOf(line: string, delimiter: string): readonly string[] {
  return csvScanner({ delimiter, columns: 0, line: 1 }).push(line, true)[0]?.cells ?? []
}

/** Splits text that arrives in blocks. Broken rows are reported and do not affect the others. */
export function csvScanner(options: CsvOptions): CsvScanner {
  const reader = recordReader(options.delimiter)
  let text = '' // text not returned as records yet; starts at a record boundary
  let base = 0 // characters of the file before `text`
  let line = options.line
  let guardedUntil = 0 // after a broken quotation mark, quotes up to here are doubtful
  let skipping = false // inside a line that is too long to keep

  /** Rejects the line at `at`. The following text is read strictly, because the quoted cell may continue there. */
  function rejectLine(at: number, records: CsvRecord[], last: boolean): number {
    if (base + at >= guardedUntil)
      guardedUntil = last ? Infinity : base + at + MAX_MULTILINE_CELL_LENGTH
    records.push({ line, cells: [], broken: reader.fault })
    return skipLine(at, last)
  }

  function skipLine(at: number, last: boolean): number {
    const end = breakAfter(text, at)
    const next = end === -1 ? -1 : afterBreak(text, end, last)
    skipping = next === -1
    if (!skipping) line++
    return skipping ? (end === -1 ? text.length : end) : next
  }

  function takeRecord(at: number, next: number, records: CsvRecord[]): void {
    const { cells, breaks } = reader
    const blank = cells.length === 1 && cells[0] === ''
    if (!blank) {
      const short = base + at < guardedUntil && cells.length < options.columns
      records.push(short ? { line, cells: [], broken: PART_OF_A_ROW } : { line, cells })
    }
    if (next > at) line += breaks + 1
  }

  return {
    push(more, last) {
      text += more
      const records: CsvRecord[] = []
      let at = 0
      while (at < text.length) {
        if (skipping) {
          const next = skipLine(at, last)
          if (skipping) {
            at = last ? text.length : next
            break
          }
          at = next
          continue
        }
        const next = reader.read(text, at, last, base + at < guardedUntil)
        if (next === MORE) break
        if (next === FAULT) {
          at = rejectLine(at, records, last)
          continue
        }
        takeRecord(at, next, records)
        at = next
      }
      base += at
      text = text.slice(at)
      return records
    },
  }
}

const MORE = -1 // the record may continue in text that has not arrived yet
const FAULT = -2

const MAX_MULTILINE_CELL_LENGTH = 150_000 // the longest text field of Salesforce has 131,072 characters
const MAX_CELL_LINES = 20
const MAX_CELL_LENGTH = 1_000_000 // characters
const MAX_RECORD_LENGTH = 4_000_000 // characters: bounds the memory that one line can take
const MAX_CELLS = 2000 // columns: ten times the widest known export; the rest is dropped

const NEVER_CLOSED = phrase('A quotation mark opened in this row is never closed')
const CELL_TOO_LONG = phrase('A cell of this row is longer than 1,000,000 characters')
const ROW_TOO_LONG = phrase('This row is longer than 4,000,000 characters')
const PART_OF_A_ROW = phrase(
  'This row has fewer columns than the header and follows a row whose quotation mark is never closed',
)

const QUOTE = 34
const LF = 10
const CR = 13
const SPACE = 32

interface RecordReader {
  cells: string[]
  /** Line breaks inside the cells. */
  breaks: number
  fault: string
  /** Returns the index after the record, MORE or FAULT. `strict` limits the lines of a cell. */
  read(text: string, from: number, last: boolean, strict: boolean): number
}

// One loop over the characters, because this is the hot path of an import (40 MB/s and more).
function recordReader(delimiter: string): RecordReader {
  const delimiterCode = delimiter.charCodeAt(0)

  function endsCell(code: number): boolean {
    return code === delimiterCode || code === LF || code === CR || Number.isNaN(code)
  }

  /** Reads the quoted cell that starts at `open` and returns the index after it. */
  function readQuoted(text: string, open: number, last: boolean, strict: boolean): number {
    let value = ''
    let kept = open + 1 // `value` holds the cell up to here
    let from = open + 1
    let breaks = 0
    for (;;) {
      const quote = text.indexOf('"', from)
      const reach = quote === -1 ? text.length : quote
      breaks += breaksIn(text, from, reach)
      const fault = faultOf(reach - open, breaks, strict)
      if (fault !== '') return failed(fault)
      if (quote === -1) return last ? failed(NEVER_CLOSED) : MORE
      let after = quote + 1
      if (text.charCodeAt(after) === QUOTE) {
        value += text.slice(kept, after)
        kept = from = after + 1
        continue
      }
      while (text.charCodeAt(after) === SPACE) after++
      if (after >= text.length && !last) return MORE
      if (endsCell(text.charCodeAt(after))) {
        reader.breaks += breaks
        keep(value + text.slice(kept, quote))
        return after
      }
      // A lone quotation mark is kept as text. After a line break it more likely opens a cell of
      // another row, so the earlier quotation mark was never closed.
      if (breaks > 0) return failed(NEVER_CLOSED)
      from = quote + 1
    }
  }

  function failed(fault: string): number {
    reader.fault = fault
    return FAULT
  }

  function keep(cell: string): void {
    if (reader.cells.length < MAX_CELLS) reader.cells.push(cell)
  }

  const reader: RecordReader = {
    cells: [],
    breaks: 0,
    fault: '',
    read(text, from, last, strict) {
      reader.cells = []
      reader.breaks = 0
      let at = from
      for (;;) {
        let start = at
        while (text.charCodeAt(start) === SPACE) start++
        if (text.charCodeAt(start) === QUOTE) {
          at = readQuoted(text, start, last, strict)
          if (at < 0) return at
        } else {
          while (start < text.length && !endsCell(text.charCodeAt(start))) start++
          if (start - at > MAX_CELL_LENGTH) return failed(CELL_TOO_LONG)
          if (start >= text.length && !last) {
            return start - from > MAX_RECORD_LENGTH ? failed(ROW_TOO_LONG) : MORE
          }
          keep(text.slice(at, start))
          at = start
        }
        if (at - from > MAX_RECORD_LENGTH) return failed(ROW_TOO_LONG)
        if (text.charCodeAt(at) !== delimiterCode) return afterBreak(text, at, last)
        at++
      }
    },
  }
  return reader
}

function faultOf(characters: number, breaks: number, strict: boolean): string {
  if (breaks > MAX_CELL_LINES && (strict || characters > MAX_MULTILINE_CELL_LENGTH))
    return NEVER_CLOSED
  return characters > MAX_CELL_LENGTH ? CELL_TOO_LONG : ''
}

function breaksIn(text: string, from: number, to: number): number {
  let breaks = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) breaks++
  }
  return breaks
}

function breakAfter(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LF || code === CR) return at
  }
  return -1
}

/** The index after the line break at `at`; MORE when a \r may be the first half of \r\n. */
function afterBreak(text: string, at: number, last: boolean): number {
  if (text.charCodeAt(at) !== CR) return Math.min(at + 1, text.length)
  if (at + 1 >= text.length && !last) return MORE
  return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
}
