// Reads contacts from the sheets of a workbook, as from a CSV file.

import { MAX_URI_LENGTH } from '../../base/limits.ts'
import type { HeaderOptions } from '../table/csv-contacts.ts'
import type { OnRead, Part } from '../file/combined-file.ts'
import { oneByOne, type ContactFile } from '../file/contact-file.ts'
import { withHeadings } from '../table/merged-headings.ts'
import { knowsMore, readHeader, type TableColumns } from '../columns/table-columns.ts'
import { tableRowReader } from '../table/table-records.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'
import type { ImportRow } from '../contact/contact.ts'
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

const MAX_HEADER_ROW = 60
const SAMPLE_ROWS = 50

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
    throw unknownSheet(head)
  }
  const { at, names: header } = found
  const { columns, names, cellsOf } = await columnsWithLinks(sheet, found, head, options)
  const reader = tableRowReader(columns, names)
  const read = (rows: readonly SheetRow[]) =>
    reader.rows(rows.map((row) => ({ line: row.number, cells: cellsOf(row) })))
  async function* rowBatches(): AsyncGenerator<ImportRow[], void, undefined> {
    const rest = read(head.slice(at + 1))
    if (rest.length > 0) yield rest
    for await (const rows of batches) yield read(rows)
  }
  const all = rowBatches()
  return {
    format: columns.format,
    header,
    columns: () =>
      reader.columns().filter(({ filled }, index) => index < header.length || filled > 0),
    rowBatches: all,
    rows: oneByOne(all),
  }
}

interface SheetColumns {
  readonly columns: TableColumns
  readonly names: readonly string[]
  /** The cells of a row, one per column. */
  readonly cellsOf: (row: SheetRow) => readonly string[]
}

async function columnsWithLinks(
  sheet: Sheet,
  found: SheetHeader,
  head: readonly SheetRow[],
  options: HeaderOptions,
): Promise<SheetColumns> {
  const links = await sheet.links()
  const plain = { ...found, cellsOf: ({ cells }: SheetRow) => cells }
  const inFormulas = head.flatMap((row) => [...(row.links?.keys() ?? [])])
  if (links.size === 0 && inFormulas.length === 0) return plain
  const inSheet = Array.from(links.values(), (row) => [...row.keys()]).flat()
  const { names, cellsOf } = linkColumns(found, links, new Set([...inSheet, ...inFormulas]))
  const sample = head.slice(found.at + 1).map(cellsOf)
  const columns = headerOf({ names, sample, mapped: found.names }, options)
  return columns === null ? plain : { columns, names, cellsOf }
}

/**
 * The header with a column after the others for each one whose cells link to something that they do not show, and the
 * cells of a row in that order.
 */
function linkColumns(
  { names }: SheetHeader,
  links: CellLinks,
  columns: ReadonlySet<number>,
): Pick<SheetColumns, 'names' | 'cellsOf'> {
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
  readonly names: readonly string[]
  /** The index of the header row. */
  readonly at: number
}

function sheetHeader(rows: readonly SheetRow[], options: HeaderOptions): SheetHeader | null {
  for (const at of rows.slice(0, MAX_HEADER_ROW).keys()) {
    const header = headerAt(rows, at, options)
    if (header === null) continue
    const below = headerAt(rows, at + 1, options)
    return below !== null && knowsMore(below.names, header.names) ? below : header
  }
  return null
}

function headerAt(
  rows: readonly SheetRow[],
  at: number,
  options: HeaderOptions,
): SheetHeader | null {
  const cells = (rows[at]?.cells ?? []).map((cell) => cell.trim())
  const names = withHeadings(cells, rows[at - 1]?.cells ?? [])
  if (names.every((name) => name === '') || names.some((name) => name.includes('@'))) return null
  const sample = rows.slice(at + 1, at + 1 + SAMPLE_ROWS).map((row) => row.cells)
  const columns = headerOf({ names, sample, mapped: names }, options)
  return columns && { columns, names, at }
}

interface HeaderText {
  readonly names: readonly string[]
  readonly sample: readonly (readonly string[])[]
  /** The names whose mapping is used. */
  readonly mapped: readonly string[]
}

function headerOf(
  { names, sample, mapped }: HeaderText,
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
