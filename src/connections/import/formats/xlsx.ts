// Reads the rows of an Excel workbook (ECMA-376, Office Open XML): cells as text, dates as YYYY-MM-DD.

import { UnreadableFile } from './unreadable-file.ts'
import { columnIndex, readSheetLinks, type CellLinks } from './xlsx-links.ts'
import { parse, parsed, type Attributes } from './xlsx-xml.ts'
import type { ZipEntry } from './zip.ts'

export interface SheetRow {
  /** As in the sheet, from 1. */
  readonly number: number
  readonly cells: readonly string[]
}

export interface Sheet {
  readonly name: string
  /** Bytes of its XML. */
  readonly size: number
  /** `onRead` is called with the number of bytes that are read next. */
  rows(onRead: (bytes: number) => void): AsyncGenerator<SheetRow[], void, undefined>
  /** The targets of its hyperlinks. Those that cells show as their text are also in it. */
  links(): Promise<CellLinks>
}

export function isWorkbook(entries: readonly ZipEntry[]): boolean {
  return entries.some(({ name }) => WORKBOOK.test(name))
}

const WORKBOOK = /^xl\/workbook\.xml$/i

/** The sheets of a workbook, in order, without hidden ones. */
export async function sheetsOf(entries: readonly ZipEntry[]): Promise<readonly Sheet[]> {
  const file = (path: RegExp) => entries.find(({ name }) => path.test(name))
  const workbook = await readWorkbook(file(WORKBOOK))
  const targets = await readRelations(file(/^xl\/_rels\/workbook\.xml\.rels$/i))
  const strings = await readStrings(file(/^xl\/sharedStrings\.xml$/i))
  const dateStyles = await readDateStyles(file(/^xl\/styles\.xml$/i))
  return workbook.sheets.flatMap(({ name, id }) => {
    const target = (targets.get(id) ?? '').replace(/^\/?(?:xl\/)?/, 'xl/')
    const entry = entries.find((one) => one.name === target)
    const book = { strings, dateStyles, is1904: workbook.is1904 }
    if (entry === undefined) return []
    const relations = entries.find((one) => one.name === relationsOf(target))
    const links = () => readSheetLinks(entry, relations)
    return [{ name, size: entry.size, rows: (onRead) => rowsOf(entry, book, onRead), links }]
  })
}

/** `xl/worksheets/_rels/sheet1.xml.rels` for `xl/worksheets/sheet1.xml`. */
function relationsOf(sheet: string): string {
  return sheet.replace(/([^/]+)$/, '_rels/$1.rels')
}

interface Workbook {
  readonly strings: readonly string[]
  /** The indexes of cell formats that show a date. */
  readonly dateStyles: ReadonlySet<number>
  /** Whether days count from 1904, as old versions for the Mac do. */
  readonly is1904: boolean
}

async function readWorkbook(entry: ZipEntry | undefined) {
  const sheets: { readonly name: string; readonly id: string }[] = []
  let is1904 = false
  await parse(entry, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attributes['date1904'])
      const isHidden = (attributes['state'] ?? 'visible') !== 'visible'
      if (name === 'sheet' && !isHidden)
        sheets.push({ name: attributes['name'] ?? '', id: attributes['r:id'] ?? '' })
    },
  })
  return { sheets, is1904 }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

async function readRelations(entry: ZipEntry | undefined): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>()
  await parse(entry, {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship') targets.set(Id, Target)
    },
  })
  return targets
}

const MAX_STRINGS_LENGTH = 64 * 1024 * 1024 // characters: they are held in memory

/** The texts that cells refer to by index, without phonetic readings. */
async function readStrings(entry: ZipEntry | undefined): Promise<readonly string[]> {
  const strings: string[] = []
  let text = ''
  let length = 0
  let inText = false
  let phonetic = false
  await parse(entry, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') phonetic = true
      inText = name === 't' && !phonetic
    },
    close(name) {
      if (name === 'rPh') phonetic = false
      if (name === 't') inText = false
      if (name === 'si') strings.push(text)
    },
    text(more) {
      if (!inText) return
      length += more.length
      if (length > MAX_STRINGS_LENGTH) throw tooLarge()
      text += more
    },
  })
  return strings
}

function tooLarge(): UnreadableFile {
  return new UnreadableFile(
    'zip_too_large',
    'This spreadsheet contains more than 64 MB of text.',
    'Save the sheet with the contacts as CSV and import that file.',
  )
}

/** Formats 14-22 and 45-47 are dates and times (ECMA-376 part 1, 18.8.30); 27-36 and 50-58 are in East Asian versions. */
function isBuiltInDate(format: number): boolean {
  const inRange = (from: number, to: number) => format >= from && format <= to
  return inRange(14, 22) || inRange(27, 36) || inRange(45, 47) || inRange(50, 58)
}

async function readDateStyles(entry: ZipEntry | undefined): Promise<ReadonlySet<number>> {
  const customDates = new Set<number>()
  const styles = new Set<number>()
  let inCells = false
  let style = 0
  await parse(entry, {
    open(name, attributes) {
      if (name === 'numFmt' && isDateFormat(attributes['formatCode'] ?? ''))
        customDates.add(Number(attributes['numFmtId']))
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells) return
      const format = Number(attributes['numFmtId'])
      if (isBuiltInDate(format) || customDates.has(format)) styles.add(style)
      style++
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

/** Whether a format code has a day, month or year outside of quoted text, colors and locales. */
function isDateFormat(code: string): boolean {
  return /[ymd]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]|general/gi, ''))
}

const MAX_COLUMNS = 2000
const MAX_CELL_LENGTH = 32_767 // characters, Excel's own limit

async function* rowsOf(
  entry: ZipEntry,
  book: Workbook,
  onRead: (bytes: number) => void,
): AsyncGenerator<SheetRow[], void, undefined> {
  let done: SheetRow[] = []
  let number = 0
  let cells: string[] = []
  let column = 0
  let attributes: Attributes = {}
  let text = ''
  let inValue = false
  const blocks = parsed(entry, {
    open(name, own) {
      if (name === 'row') {
        number = Number(own['r'] ?? number + 1)
        cells = []
        column = 0
      } else if (name === 'c') {
        attributes = own
        column = own['r'] === undefined ? column : columnIndex(own['r'])
        text = ''
      } else if (name === 'v' || name === 't') inValue = true
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false
      if (name === 'c') {
        const value = cellText(text, attributes, book)
        if (value !== '' && column < MAX_COLUMNS) {
          while (cells.length < column) cells.push('')
          cells[column] = value
        }
        column++
      }
      if (name === 'row') done.push({ number, cells })
    },
    text(more) {
      if (inValue && text.length < MAX_CELL_LENGTH) text += more
    },
  })
  for await (const bytes of blocks) {
    onRead(bytes)
    if (done.length === 0) continue
    yield done
    done = []
  }
  if (done.length > 0) yield done
}

function cellText(
  value: string,
  { t: type = 'n', s: style = '0' }: Attributes,
  book: Workbook,
): string {
  switch (type) {
    case 's':
      return book.strings[Number(value)] ?? ''
    case 'str':
    case 'inlineStr':
      return value
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'e':
      return '' // an error such as #N/A
    case 'd':
      return value.replace(/T00:00:00.*$/, '')
    default:
      return book.dateStyles.has(Number(style)) ? dateText(value, book.is1904) : numberText(value)
  }
}

const DAY_MS = 86_400_000
/** Day 0 of a workbook, so that day 60 (29 February 1900, which did not exist) and earlier are not needed. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
const MAX_DAY = 2_958_465 // 31 December 9999

function dateText(value: string, is1904: boolean): string {
  const days = Number(value)
  if (value === '' || !Number.isFinite(days) || days < 1 || days > MAX_DAY) return value
  const at = (is1904 ? EPOCH_1904 : EPOCH_1900) + Math.floor(days) * DAY_MS
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** A phone number that is stored as a number has no exponent: 4.91701234567E+11 is 491701234567. */
function numberText(value: string): string {
  const number = Number(value)
  return /e/i.test(value) && Number.isSafeInteger(number) ? String(number) : value
}
