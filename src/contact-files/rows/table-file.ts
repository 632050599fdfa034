// Turns the records of a table into rows. Lists that people keep also have titles, repeated headers, further tables and
// totals, which are not people.

import { phrase } from '../../languages/message.ts'
import { memoize } from '../../base/memoize.ts'
import { type ImportRow } from '../contact/contact.ts'
import { rowOf } from '../contact/contact-draft.ts'
import type { CsvRecord } from '../table/csv.ts'
import { countValue, fileColumns, joinedColumns, noValues } from '../columns/file-columns.ts'
import { readHeader, type TableColumns } from '../columns/table-columns.ts'
import { isAddress } from '../columns/column-contents.ts'
import { NAME_FIELDS } from '../fields/column-fields.ts'
import { targetNamed } from '../fields/header-words.ts'
import type { ContactFile } from '../file/contact-file.ts'
import { tableReader } from './row-reader.ts'
import { isTotal, isRemark } from './remarks.ts'

/** The contacts of a table. Of the columns after the first `own`, which readers add, only those with values are reported. */
export function tableFile(
  columns: TableColumns,
  batches: AsyncIterable<readonly CsvRecord[]>,
  own = columns.names.length,
): ContactFile {
  const reader = rowReader(columns)
  async function* rowBatches() {
    for await (const records of batches) {
      const rows = reader.rows(records)
      if (rows.length > 0) yield rows
    }
  }
  return {
    format: columns.format,
    header: columns.names.slice(0, own),
    columns: () => reader.columns().filter(({ filled }, at) => at < own || filled > 0),
    rowBatches: rowBatches(),
  }
}

/** Counts the values of each column. */
function rowReader(columns: TableColumns) {
  const tables = [openTable(columns)]
  let row = 0

  function rowsOf({ line, cells, broken }: CsvRecord, next: CsvRecord | undefined): ImportRow[] {
    const table = tables.at(-1)
    if (broken !== undefined || table === undefined)
      return [{ row: ++row, line, rejected: broken ?? '' }]
    const kind = kindOf(cells, next?.cells, table)
    if (kind === 'other_header') {
      const other = readHeader({ names: cells.map((cell) => cell.trim()), sample: [] })
      if (other) tables.push(openTable(other))
    }
    if (kind === 'total') return [{ row: ++row, line, rejected: REASONS.total }]
    if (kind !== undefined) return [{ row: ++row, line, skipped: REASONS[kind] }]
    return table.blocksOf(cells).flatMap((block, at): ImportRow[] => {
      if (block.some(isValue)) {
        const people = table.read(block, row + 1, line)
        row += people.length
        return people
      }
      return at === 0 ? [{ row: ++row, line, skipped: phrase('This row is empty') }] : []
    })
  }

  return {
    rows: (records: readonly CsvRecord[]) =>
      records.flatMap((record, at) => rowsOf(record, records[at + 1])),
    /** The columns of the rows read so far. */
    columns: () => joinedColumns(tables.map((table) => table.columns())),
  }
}

const REASONS = {
  header: phrase('This row repeats the header'),
  other_header: phrase('This row is the header of another table'),
  title: phrase('This row is the title of a table'),
  remark: phrase('This row is a remark, not a person'),
  total: phrase('This row is a total, not a person'),
  placeholder: phrase('This row is for a person who has not given a name yet'),
}

type OpenTable = ReturnType<typeof openTable>

function openTable(columns: TableColumns) {
  const { names: all } = columns
  const width = blockWidth(columns)
  const own = width === all.length ? columns : firstBlock(columns, width)
  const values = own.names.map(noValues)
  const peopleOf = tableReader(own)
  return {
    names: all,
    targets: own.targets,
    columns: () => fileColumns(own, values),
    /** The cells of each person in a row. */
    blocksOf(cells: readonly string[]): readonly (readonly string[])[] {
      if (width === all.length) return [cells]
      const count = Math.ceil(all.length / width)
      return Array.from({ length: count }, (_, at) => cells.slice(at * width, (at + 1) * width))
    },
    /** Reads the people of a row, numbered from `row`, and counts its values. */
    read(cells: readonly string[], row: number, line: number): ImportRow[] {
      const { drafts, leftOut } = peopleOf(cells)
      const read = drafts.map((draft, at) => rowOf(row + at, line, draft))
      const isRejected = read.every((one) => 'rejected' in one)
      for (const [at, column] of values.entries()) {
        const cell = cells[at] ?? ''
        if (isValue(cell)) countValue(column, cell, isRejected)
        if (!isRejected && leftOut.includes(at)) column.leftOut += 1
      }
      return read
    },
  }
}

function firstBlock(columns: TableColumns, width: number): TableColumns {
  const [names, targets] = [columns.names.slice(0, width), columns.targets.slice(0, width)]
  return { ...columns, names, targets, others: [] }
}

function isValue(cell: string): boolean {
  return cell !== '' && cell.trim() !== '' && !RULE.test(cell)
}

/** The line below the header of a table in Markdown. */
const RULE = /^ *:?-{3,}:? *$/

/**
 * How many columns one person has. Lists that are printed side by side have the same header twice or more, often with an empty
 * column between them.
 */
function blockWidth({ names, targets }: TableColumns): number {
  const [first = ''] = names
  if (first === '' || !names.includes(first, 1)) return names.length
  const width = names.indexOf(first, 1)
  const block = names.slice(0, width)
  const isRepeated = names.every((name, at) => name === block[at % width] || name === '')
  const hasName = targets.slice(0, width).some((target) => NAME_FIELDS.has(target?.field ?? ''))
  const isWhole =
    names.length % width === 0 || names.length % width === block.findLastIndex(isText) + 1
  return isRepeated && hasName && isWhole && block.filter(isText).length > 1 ? width : names.length
}

function isText(text: string): boolean {
  return text.trim() !== ''
}

/** What a record is if it is not about a person. */
function kindOf(
  cells: readonly string[],
  next: readonly string[] | undefined,
  table: OpenTable,
): keyof typeof REASONS | undefined {
  const header = headerKind(cells, table)
  if (header !== undefined) return header
  const texts = cells.filter(isText)
  const [text = ''] = texts
  if (texts.length === 1 && isRemark(text)) return 'remark'
  if (texts.length === 1 && next && headerKind(next, table) !== undefined) return 'title'
  // Programs for tickets write it for each field of a guest.
  if (texts.filter((one) => one === 'Info Requested').length > 1) return 'placeholder'
  if (isPlaceholder(cells, table)) return 'placeholder'
  const isNamed = cells.some((cell, at) => isText(cell) && isNameColumn(table, at))
  return isNamed && isTotal(texts) ? 'total' : undefined
}

/** `tba` or `Untitled` as the only name, without an email or a phone number. */
function isPlaceholder(cells: readonly string[], table: OpenTable): boolean {
  const names = cells.filter((cell, at) => isText(cell) && isNameColumn(table, at))
  return (
    names.length === 1 &&
    PLACEHOLDER.test(names[0]?.trim() ?? '') &&
    !cells.some((cell) => isAddress(cell))
  )
}

const PLACEHOLDER = /^(?:untitled|unnamed|unknown|facebook user|tba|tbd|t\.b\.a\.|n\.n\.)$/i

function isNameColumn({ targets }: OpenTable, at: number): boolean {
  return NAME_FIELDS.has(targets[at]?.field ?? '')
}

function headerKind(
  cells: readonly string[],
  { names }: OpenTable,
): 'header' | 'other_header' | undefined {
  if (cells.some(isNoName)) return undefined
  const texts = cells.filter(isText)
  if (texts.length < 2) return undefined
  const repeats = cells.every((cell, at) => !isText(cell) || cell.trim() === names[at]?.trim())
  if (repeats) return 'header'
  // The last one first: titles recur, unlike names, so that the result is known.
  const isHeader = isKnownName(texts.at(-1) ?? '') && texts.every(isKnownName)
  return isHeader && readHeader({ names: cells, sample: [] }) !== null ? 'other_header' : undefined
}

/** Whether a cell cannot be the name of a column. Most rows have one. */
function isNoName(cell: string): boolean {
  return cell.includes('@') || cell.includes('://') || cell.length > MAX_NAME_LENGTH
}

const MAX_NAME_LENGTH = 60 // characters

const isKnownName = memoize((text) => targetNamed(text) !== null)
