// Reads the rows of an Excel workbook (ECMA-376, Office Open XML): cells as the text that a spreadsheet shows, dates as
// YYYY-MM-DD.

import { phrase } from '../../languages/message.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'
import { columnIndex, formulaTarget, readSheetLinks, type CellLinks } from './xlsx-links.ts'
import { plainNumber, readNumberFormats, type NumberText } from './number-formats.ts'
import { parse, parsed, type Attributes } from './xlsx-xml.ts'
import type { ZipEntry } from '../bytes/zip.ts'

export interface SheetRow {
  /** As in the sheet, from 1. */
  readonly number: number
  readonly cells: readonly string[]
  /** The targets of formulas such as `HYPERLINK("https://…","Profile")`, by column. Only of rows with any. */
  readonly links?: ReadonlyMap<number, string>
}

export interface Sheet {
  readonly name: string
  /** Bytes of its XML. */
  readonly size: number
  /** `onRead` is called with the number of bytes that are read next. */
  rows(onRead: (bytes: number) => void): AsyncGenerator<SheetRow[], void, undefined>
  /** The targets of its hyperlinks without formulas. Those that cells show as their text are also in it. */
  links(): Promise<CellLinks>
}

/** True if the entries of a zip are those of an Excel workbook. */
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
  const formats = await readNumberFormats(file(/^xl\/styles\.xml$/i))
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return workbook.sheets.flatMap(({ name, id }) => {
    const target = (targets.get(id) ?? '').replace(/^\/?(?:xl\/)?/, 'xl/')
    const entry = byName.get(target)
    const book = { strings, formats, is1904: workbook.is1904 }
    if (entry === undefined) return []
    const relations = byName.get(relationsOf(target))
    const links = () => readSheetLinks(entry, relations)
    return [{ name, size: entry.size, rows: (onRead) => rowsOf(entry, book, onRead), links }]
  })
}

/** `xl/worksheets/_rels/sheet1.xml.rels` for `xl/worksheets/sheet1.xml`. */
function relationsOf(sheet: string): string {
  const start = sheet.lastIndexOf('/') + 1
  return `${sheet.slice(0, start)}_rels/${sheet.slice(start)}.rels`
}

interface Workbook {
  readonly strings: readonly string[]
  /** By the index of the cell format. */
  readonly formats: readonly NumberText[]
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
        sheets.push({ name: attributes['name'] ?? '', id: relationOf(attributes) })
    },
  })
  return { sheets, is1904 }
}

/** `r:id`, whose prefix some programs choose. */
function relationOf(attributes: Attributes): string {
  const name = Object.keys(attributes).find((key) => key.endsWith(':id')) ?? 'r:id'
  return attributes[name] ?? ''
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
      if (name === 'si') strings.push(unescaped(text))
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

/** A carriage return is `_x000D_`, and `_x005F_` an underscore before such a code (ECMA-376 part 1, 22.9.2.19). */
function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
}

function tooLarge(): UnreadableFile {
  return new UnreadableFile(
    'zip_too_large',
    phrase('This spreadsheet contains more than 64 MB of text.'),
    phrase('Save the sheet with the contacts as CSV and import that file.'),
  )
}

const MAX_COLUMNS = 2000
const MAX_CELL_LENGTH = 32_767 // characters, Excel's own limit
const MAX_FORMULA_LENGTH = 8192 // the same

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
  let formula = ''
  let inValue = false
  let inFormula = false
  let links: Map<number, string> | undefined
  const blocks = parsed(entry, {
    open(name, own) {
      if (name === 'row') {
        number = Number(own['r'] ?? number + 1)
        cells = []
        links = undefined
        column = 0
      } else if (name === 'c') {
        attributes = own
        column = own['r'] === undefined ? column : columnIndex(own['r'])
        text = ''
        formula = ''
      } else if (name === 'v' || name === 't') inValue = true
      else if (name === 'f') inFormula = true
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false
      if (name === 'f') inFormula = false
      if (name === 'c') {
        const target = formula === '' ? null : formulaTarget(formula)
        if (target !== null) (links ??= new Map()).set(column, target)
        const value = cellText(text, attributes, book)
        if (value !== '' && column < MAX_COLUMNS) {
          while (cells.length < column) cells.push('')
          cells[column] = value
        }
        column++
      }
      if (name === 'row') done.push({ number, cells, ...(links && { links }) })
    },
    text(more) {
      if (inValue && text.length < MAX_CELL_LENGTH) text += more
      if (inFormula && formula.length < MAX_FORMULA_LENGTH) formula += more
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
      return unescaped(value)
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'e':
      return '' // an error such as #N/A
    case 'd':
      return value.split('T00:00:00', 1)[0] ?? ''
    default:
      return (book.formats[Number(style)] ?? plainNumber)(value, book.is1904)
  }
}
