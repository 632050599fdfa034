// Reads the rows of a table into contacts. The columns are turned into steps once per file, so that reading a row only
// runs the steps of its columns.

import { memoize } from '../../base/memoize.ts'
import type { ContactDraft } from '../contact/contact-draft.ts'
import { isOwnTable, NAME_FIELDS, type ColumnRole } from '../fields/column-fields.ts'
import { dayIn } from '../../dates/date-notations.ts'
import { unescapeFormula, unwrapTexts } from '../values/formula-guard.ts'
import { numberedSteps } from './numbered-cells.ts'
import { addressSlots } from './row-addresses.ts'
import { cellReader } from './row-cells.ts'
import type { TableColumns } from '../columns/table-columns.ts'
import { splitCouple } from '../columns/couples.ts'
import { rowDraft } from './row-draft.ts'
import { addCustom, newRow, type CellReader, type Table } from './row.ts'
import type { Cells } from '../table/csv.ts'

/** The people of a row, most often one. */
interface RowPeople {
  readonly drafts: readonly ContactDraft[]
  /** The columns with a value that is left out. */
  readonly leftOut: readonly number[]
}

export function tableReader(columns: TableColumns): (cells: Cells) => RowPeople {
  const { names, others = [], hasCouples = false, format } = columns
  const readFirst = personReader(columns)
  const readers = others.map(({ targets, own, relation }) => ({
    own,
    relation,
    nameColumns: own.filter((at) => NAME_FIELDS.has(targets[at]?.field ?? '')),
    read: personReader({ ...columns, targets }),
  }))
  const isPlain = format === 'linkedin' || isOwnTable(columns.targets)
  const split = (draft: ContactDraft) => (isPlain ? [draft] : splitCouple(draft, hasCouples))
  return (cells) => {
    const present = readers.filter(({ nameColumns }) =>
      nameColumns.some((at) => hasText(cells, at)),
    )
    const taken = new Set(present.flatMap(({ own }) => own))
    const { draft: first, leftOut } = readFirst(
      taken.size === 0 ? cells : cells.map((cell, at) => (taken.has(at) ? '' : cell)),
    )
    if (present.length === 0) return { drafts: split(first), leftOut }
    const related = present.flatMap(({ read, relation }) =>
      split(read(cells.slice(0, names.length)).draft).map((draft) => ({ draft, relation })),
    )
    return { drafts: withEachOther(first, related), leftOut }
  }
}

function withEachOther(first: ContactDraft, others: readonly RelatedDraft[]): ContactDraft[] {
  const isCouple = others.length === 1
  const isRelated = ({ relation }: RelatedDraft) => isCouple || relation !== undefined
  return [
    withRelations(first, others.filter(isRelated)),
    ...others.map((other) => {
      const { draft, relation } = other
      const inverse = relation === 'spouse' || relation === undefined ? relation : 'child'
      return withRelations(draft, isRelated(other) ? [{ draft: first, relation: inverse }] : [])
    }),
  ]
}

function hasText(cells: Cells, at: number): boolean {
  return (cells[at] ?? '').trim() !== ''
}

interface RelatedDraft {
  readonly draft: ContactDraft
  readonly relation: string | undefined
}

function withRelations(draft: ContactDraft, related: readonly RelatedDraft[]): ContactDraft {
  const relations = related.map(({ draft: other, relation }) => ({
    name: other.fullName || `${other.givenName} ${other.familyName}`.trim(),
    ...(relation !== undefined && { relation }),
  }))
  const { details } = draft
  return {
    ...draft,
    details: { ...details, relations: [...(details?.relations ?? []), ...relations] },
  }
}

function personReader(
  columns: TableColumns,
): (cells: Cells) => { readonly draft: ContactDraft; readonly leftOut: readonly number[] } {
  const table = tableOf(columns)
  const steps = numberedSteps(table)
  const readers = cellReaders(table)
  const { names, format } = columns
  return (written) => {
    const cells =
      format === 'google' ? written.map(unescapeFormula) : unwrapTexts(withoutPageLinks(written))
    const row = newRow()
    for (const step of steps) step(cells, row)
    for (const { at, read } of readers) {
      const text = cells[at] ?? ''
      if (text !== '' && !isErrorText(text)) read(row, text, cells)
    }
    for (let at = names.length; at < cells.length; at++)
      addCustom(row, `Column ${at + 1}`, cells[at] ?? '') // beyond the header
    return { draft: rowDraft(row, table), leftOut: row.leftOut }
  }
}

/** Notion writes a related page as `Acme (https://www.notion.so/Acme-1a2b)`, or with the path of its file in the export. */
function withoutPageLinks(cells: Cells): Cells {
  for (const cell of cells)
    if (cell.endsWith(')') && (cell.includes(PAGE_LINK_START) || cell.endsWith(PAGE_FILE_END)))
      return cells.map((one) => one.replaceAll(PAGE_LINK, ''))
  return cells
}

const PAGE_LINK_START = ' (https://www.notion.so/'
const PAGE_FILE_END = '.md)'
const PAGE_LINK = / \((?:https:\/\/www\.notion\.so\/[^\s)]*|[^\s()]*(?=\))(?<=[\da-f]{32}\.md))\)/g

function tableOf(columns: TableColumns): Table {
  const { targets, format, dates } = columns
  // A network of 30,000 people has only a few thousand distinct dates.
  const day = memoize((text: string) => dayIn(format === 'linkedin' ? recent(text) : text, dates))
  return { ...columns, isOwn: isOwnTable(targets), addresses: addressSlots(targets), day }
}

/** What a spreadsheet shows for a formula without a result. */
function isErrorText(text: string): boolean {
  return text.startsWith('#') && ERROR_TEXT.test(text)
}

const ERROR_TEXT = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|ERROR!|SPILL!|CALC!)$/i

interface ColumnReader {
  readonly at: number
  readonly read: CellReader
}

/** What reads each column, preferred values first: mobile and work numbers before fax and pager. */
function cellReaders(table: Table): readonly ColumnReader[] {
  const readers = table.targets.flatMap((target, at) => {
    const read = target?.field === 'numbered' ? null : cellReader(at, target, table)
    return read === null ? [] : [{ at, read, rank: rankOf(target) }]
  })
  return readers.toSorted((a, b) => a.rank - b.rank)
}

function rankOf(target: ColumnRole | null): number {
  if (target === null || target.field === 'custom' || target.field === 'technical') return LAST_RANK
  if (target.field !== 'phone' && target.field !== 'email') return 0
  const label = 'label' in target ? (target.label ?? '') : ''
  if (/fax/.test(label)) return 7
  return VALUE_RANKS.get(label) ?? 4
}

const LAST_RANK = 9
const VALUE_RANKS: ReadonlyMap<string, number> = new Map([
  ['main', 0],
  ['', 0.5],
  ['mobile', 1],
  ['work', 2],
  ['home', 3],
  ['other', 5],
  ['assistant', 6],
  ['pager', 8],
])

/** LinkedIn launched in 2003, so a two-digit year is always 20xx. */
function recent(text: string): string {
  return text
    .trim()
    .replace(/^(\d{1,2}[-/. ]\p{L}+[-/. ]|\d{1,2}[-/.]\d{1,2}[-/.])(\d\d)$/u, '$120$2')
}
