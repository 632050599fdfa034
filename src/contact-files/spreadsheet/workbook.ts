// Reads contacts from the sheets of a workbook, as from a CSV file.

import { MAX_URI_LENGTH } from '../../base/limits.ts'
import type { TableColumns } from '../columns/table-columns.ts'
import type { Cells } from '../table/csv.ts'
import { MAX_HEADER_ROW, SAMPLE_ROWS, type HeadRow } from '../table/head-row.ts'
import type { OnRead, Part } from '../file/combined-file.ts'
import type { ContactFile } from '../file/contact-file.ts'
import { unknownColumns } from '../file/rejected-files.ts'
import { columnsOf, findHeader, headerless, type HeaderOptions } from '../columns/table-header.ts'
import { tableFile } from '../rows/table-file.ts'
import type { CellLinks } from './xlsx-links.ts'
import type { Sheet, SheetRow } from './xlsx.ts'

/** A part per sheet. */
export function workbookParts(sheets: readonly Sheet[], options: HeaderOptions): readonly Part[] {
  return sheets.map((sheet) => ({
    name: sheet.name,
    size: sheet.size,
    isOptional: true,
    open: (onRead) => openSheet(sheet, options, onRead),
  }))
}

async function openSheet(
  sheet: Sheet,
  options: HeaderOptions,
  onRead: OnRead,
): Promise<ContactFile> {
  const batches = sheet.rows(onRead)
  const head: SheetRow[] = []
  while (head.length < MAX_HEADER_ROW + SAMPLE_ROWS) {
    const next = await batches.next()
    if (next.done === true) break
    head.push(...next.value)
  }
  const found = sheetHeader(head, options)
  if (found === null) {
    await batches.return()
    throw unknownColumns(widestRow(head), 'sheet')
  }
  const rest = head.slice(found.at + 1)
  const { columns, cellsOf } = await withLinks(sheet, found, head, options)
  const read = (rows: readonly SheetRow[]) =>
    rows.map((row) => ({ line: row.number, cells: cellsOf(row) }))
  async function* records() {
    yield read(rest)
    for await (const rows of batches) yield read(rows)
  }
  return tableFile(columns, records(), found.columns.names.length)
}

interface LinkedTable {
  readonly columns: TableColumns
  /** The cells of a row, one per column. */
  readonly cellsOf: (row: SheetRow) => Cells
}

async function withLinks(
  sheet: Sheet,
  found: SheetHeader,
  head: readonly SheetRow[],
  options: HeaderOptions,
): Promise<LinkedTable> {
  const links = await sheet.links()
  const plain = { columns: found.columns, cellsOf: ({ cells }: SheetRow) => cells }
  const inFormulas = head.flatMap((row) => [...(row.links?.keys() ?? [])])
  if (links.size === 0 && inFormulas.length === 0) return plain
  const inSheet = Array.from(links.values(), (row) => [...row.keys()]).flat()
  const { names: mapped } = found.columns
  const { names, cellsOf } = linkColumns(mapped, links, new Set([...inSheet, ...inFormulas]))
  const columns = columnsOf({ names, mapped }, head.slice(found.at + 1).map(cellsOf), options)
  return columns === null ? plain : { columns, cellsOf }
}

/**
 * The header with a column after the others for each one whose cells link to something that they do not show, and the
 * cells of a row in that order.
 */
function linkColumns(
  names: Cells,
  links: CellLinks,
  columns: ReadonlySet<number>,
): Pick<LinkedTable, 'cellsOf'> & { readonly names: Cells } {
  const linked = [...columns]
  const width = names.length
  return {
    names: [...names, ...linked.map((at) => `${names[at] ?? `Column ${at + 1}`} link`)],
    cellsOf({ number, cells, links: own }: SheetRow): readonly string[] {
      const targets = links.get(number) ?? own
      return [
        ...Array.from({ length: width }, (_, at) => cells[at] ?? ''),
        ...linked.map((at) => unshown(targets?.get(at), cells[at] ?? '')),
        ...cells.slice(width),
      ]
    },
  }
}

/** The target of a link, unless the text of its cell has it. */
function unshown(target: string | undefined, text: string): string {
  if (target === undefined) return ''
  const plain = target.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/i, '').replace(/\/$/, '')
  const [address = ''] = plain.split('?', 1)
  const isShown =
    address.length <= MAX_URI_LENGTH && text.toLowerCase().includes(address.toLowerCase())
  return isShown ? '' : target.replace(/^(?:mailto|tel):/i, '')
}

interface SheetHeader {
  readonly columns: TableColumns
  /** The index of the header row. */
  readonly at: number
}

function sheetHeader(rows: readonly SheetRow[], options: HeaderOptions): SheetHeader | null {
  const headRows = rows.slice(0, MAX_HEADER_ROW).map((_row, at) => [headRow(rows, at)])
  const found = findHeader(headRows, options)
  if (found !== null) return { columns: found.columns, at: found.row.at }
  const filled = rows.filter(({ cells }) => cells.filter(Boolean).length > 1)
  const [first] = filled
  const columns = first ? headerless(filled.map(({ cells }) => cells)) : null
  return first && columns ? { columns, at: rows.indexOf(first) - 1 } : null
}

interface SheetHeadRow extends HeadRow {
  readonly at: number
}

function headRow(rows: readonly SheetRow[], at: number): SheetHeadRow {
  return {
    at,
    cells: rows[at]?.cells ?? [],
    above: rows[at - 1]?.cells ?? [],
    sample: () => rows.slice(at + 1, at + 1 + SAMPLE_ROWS).map(({ cells }) => cells),
    below: () => [headRow(rows, at + 1)],
  }
}

function widestRow(rows: readonly SheetRow[]): Cells {
  return rows.reduce<Cells>((most, { cells }) => (cells.length > most.length ? cells : most), [])
}
