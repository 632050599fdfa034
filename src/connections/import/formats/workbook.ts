// Reads contacts from the sheets of a workbook, as from a CSV file.

import { tableRowReader, type HeaderOptions } from './csv-contacts.ts'
import type { Part } from './combined-file.ts'
import { oneByOne, type ContactFile } from './contact-file.ts'
import { readHeader, type TableColumns } from './table-columns.ts'
import { UnreadableFile } from './unreadable-file.ts'
import type { ImportRow } from '../../model/contact.ts'
import type { Sheet, SheetRow } from './xlsx.ts'

/** A part per sheet. */
export function workbookParts(sheets: readonly Sheet[], options: HeaderOptions): readonly Part[] {
  return sheets.map((sheet) => ({ name: sheet.name, open: () => openSheet(sheet, options) }))
}

const MAX_HEADER_ROW = 60
const SAMPLE_ROWS = 50

async function openSheet(sheet: Sheet, options: HeaderOptions): Promise<ContactFile> {
  const batches = sheet.rows()
  const head: SheetRow[] = []
  while (head.length < MAX_HEADER_ROW + SAMPLE_ROWS) {
    const next = await batches.next()
    if (next.done === true) break
    head.push(...next.value)
  }
  const found = sheetHeader(head, options)
  if (found === null) {
    await batches.return()
    throw unknownSheet(head)
  }
  const { columns, names, at } = found
  const reader = tableRowReader(columns, names)
  const read = ({ number, cells }: SheetRow) => reader.row({ line: number, cells })
  async function* rowBatches(): AsyncGenerator<ImportRow[], void, undefined> {
    const rest = head.slice(at + 1).map(read)
    if (rest.length > 0) yield rest
    for await (const rows of batches) yield rows.map(read)
  }
  const all = rowBatches()
  return {
    format: columns.format,
    header: names,
    columns: () => reader.columns(),
    rowBatches: all,
    rows: oneByOne(all),
  }
}

interface SheetHeader {
  readonly columns: TableColumns
  readonly names: readonly string[]
  /** The index of the header row. */
  readonly at: number
}

function sheetHeader(
  rows: readonly SheetRow[],
  { mappingOf, hint }: HeaderOptions,
): SheetHeader | null {
  for (const [at, { cells }] of rows.slice(0, MAX_HEADER_ROW).entries()) {
    const names = cells.map((cell) => cell.trim())
    if (names.every((name) => name === '') || names.some((name) => name.includes('@'))) continue
    const sample = rows.slice(at + 1, at + 1 + SAMPLE_ROWS).map((row) => row.cells)
    const mapping = mappingOf?.(names)
    const columns = readHeader({
      names,
      sample,
      ...(mapping !== undefined && { mapping }),
      ...(hint !== undefined && { hint }),
    })
    if (columns !== null) return { columns, names, at }
  }
  return null
}

function unknownSheet(head: readonly SheetRow[]): UnreadableFile {
  const widest = head.reduce<readonly string[]>(
    (most, { cells }) => (cells.length > most.length ? cells : most),
    [],
  )
  const names = widest.slice(0, 8).map((name) => `"${name.replace(/\p{C}/gu, '').slice(0, 30)}"`)
  return new UnreadableFile(
    'unknown_columns',
    names.length === 0
      ? 'The sheet is empty.'
      : `The sheet has the columns ${names.join(', ')}, but none of them is known.`,
    'Name the columns in the first row, such as Name, Email, Company, Title, or map the columns.',
  )
}
