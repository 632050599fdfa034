// Splits delimited text (RFC 4180 and what spreadsheets make of it) into records, as it streams in.
// Own reader: one broken quotation mark must cost one row, which needs going back to the line after
// it; csv-parse can not, and reads half as many rows a second (the tests hold this one against it).

export interface CsvRecord {
  /** The line of the file the record starts on, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** Why the record could not be read; it then has no cells. */
  readonly broken?: string
}

export interface CsvScanner {
  /** The records that `text` completes; `last` says that no more text comes. */
  push(text: string, last: boolean): readonly CsvRecord[]
}

export interface CsvShape {
  readonly delimiter: string
  /** How many columns the header names. */
  readonly columns: number
  /** The line of the file the text starts on. */
  readonly line: number
}

/** The cells of one physical line by itself. */
export function cellsOf(line: string, delimiter: string): readonly string[] {
  return csvScanner({ delimiter, columns: 0, line: 1 }).push(line, true)[0]?.cells ?? []
}

export function csvScanner(shape: CsvShape): CsvScanner {
  const reader = recordReader(shape.delimiter)
  let text = '' // what is not told yet: starts at the start of a record
  let base = 0 // characters of the file before `text`
  let line = shape.line
  let guardedUntil = 0 // a broken quotation mark makes the quotes up to here doubtful
  let skipping = false // inside a line too long to keep

  /** Drops the line at `at`; the next one is read with care, as the quote may have meant it too. */
  function rejectLine(at: number, records: CsvRecord[], last: boolean): number {
    if (base + at >= guardedUntil) guardedUntil = last ? Infinity : base + at + RUNAWAY_CHARACTERS
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
    const continuesBrokenRow = cells.length === 1 && base + at < guardedUntil
    const blank = cells.length === 1 && cells[0] === ''
    if (!blank && !continuesBrokenRow) {
      const short = base + at < guardedUntil && cells.length < shape.columns
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

const MORE = -1 // the record may go on in text that is still to come
const FAULT = -2

const RUNAWAY_CHARACTERS = 100_000 // no cell people write is longer and spans many lines
const RUNAWAY_LINES = 20
const CELL_CAP = 1_000_000 // characters
const RECORD_CAP = 4_000_000 // characters: bounds what one line can make us hold
const CELLS_CAP = 2000 // columns: ten times the widest export; more are not kept

const NEVER_CLOSED = 'A quotation mark opened in this row is never closed'
const CELL_TOO_LONG = 'A cell of this row is longer than 1,000,000 characters'
const ROW_TOO_LONG = 'This row is longer than 4,000,000 characters'
const PART_OF_A_ROW =
  'This row has fewer columns than the header and follows a row whose quotation mark is never closed'

const QUOTE = 34
const LF = 10
const CR = 13
const SPACE = 32

interface RecordReader {
  cells: string[]
  /** Line breaks inside the cells. */
  breaks: number
  fault: string
  /** The index after the record, MORE or FAULT. `guarded`: a cell may span few lines only. */
  read(text: string, from: number, last: boolean, escapeFormula: boolean): number
}

// One loop over characters: this is the hot path of an import (40 MB/s and more).
function recordReader(delimiter: string): RecordReader {
  const delimiterCode = delimiter.charCodeAt(0)

  function endsCell(code: number): boolean {
    return code === delimiterCode || code === LF || code === CR || Number.isNaN(code)
  }

  /** Reads the quoted cell opened at `open`; answers the index after it. */
  function readQuoted(text: string, open: number, last: boolean, escapeFormula: boolean): number {
    let value = ''
    let kept = open + 1 // `value` holds the cell up to here
    let from = open + 1
    let breaks = 0
    for (;;) {
      const quote = text.indexOf('"', from)
      const reach = quote === -1 ? text.length : quote
      breaks += breaksIn(text, from, reach)
      const fault = faultOf(reach - open, breaks, escapeFormula)
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
      // A lone quote is a slip of the writer's, kept as text. After a line break it more likely
      // opens a cell of another row: then the quote before it was never meant to reach this far.
      if (breaks > 0) return failed(NEVER_CLOSED)
      from = quote + 1
    }
  }

  function failed(fault: string): number {
    reader.fault = fault
    return FAULT
  }

  function keep(cell: string): void {
    if (reader.cells.length < CELLS_CAP) reader.cells.push(cell)
  }

  const reader: RecordReader = {
    cells: [],
    breaks: 0,
    fault: '',
    read(text, from, last, escapeFormula) {
      reader.cells = []
      reader.breaks = 0
      let at = from
      for (;;) {
        let start = at
        while (text.charCodeAt(start) === SPACE) start++
        if (text.charCodeAt(start) === QUOTE) {
          at = readQuoted(text, start, last, escapeFormula)
          if (at < 0) return at
        } else {
          while (start < text.length && !endsCell(text.charCodeAt(start))) start++
          if (start - at > CELL_CAP) return failed(CELL_TOO_LONG)
          if (start >= text.length && !last) {
            return start - from > RECORD_CAP ? failed(ROW_TOO_LONG) : MORE
          }
          keep(text.slice(at, start))
          at = start
        }
        if (at - from > RECORD_CAP) return failed(ROW_TOO_LONG)
        if (text.charCodeAt(at) !== delimiterCode) return afterBreak(text, at, last)
        at++
      }
    },
  }
  return reader
}

function faultOf(characters: number, breaks: number, escapeFormula: boolean): string {
  if (breaks > RUNAWAY_LINES && (escapeFormula || characters > RUNAWAY_CHARACTERS))
    return NEVER_CLOSED
  return characters > CELL_CAP ? CELL_TOO_LONG : ''
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

/** The index after the line break at `at`; MORE when a \r may yet prove to be half of \r\n. */
function afterBreak(text: string, at: number, last: boolean): number {
  if (text.charCodeAt(at) !== CR) return Math.min(at + 1, text.length)
  if (at + 1 >= text.length && !last) return MORE
  return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
}
