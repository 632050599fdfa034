// Reads the rows of a table into contacts. The columns are turned into steps once per file, so that reading a row only
// runs the steps of its columns.

import { memoize } from '../../base/memoize.ts'
import type { ContactDraft } from '../contact/contact.ts'
import { isOwnTable, NAME_FIELDS, type ColumnRole } from '../fields/column-fields.ts'
import { dayIn } from '../../dates/date-notations.ts'
import { unescapeFormula, unwrapTexts } from '../values/formula-guard.ts'
import { numberedSteps } from './numbered-cells.ts'
import { addressSlots } from './row-addresses.ts'
import { cellStep } from './row-cells.ts'
import type { TableColumns } from '../columns/table-columns.ts'
import { splitCouple } from '../columns/couples.ts'
import { rowDraft } from './row-draft.ts'
import { addCustom, newRow, type Step, type Table } from './row.ts'
import type { Cells } from '../table/csv.ts'

/**
 * Turns a row into the drafts of its people, most often one. `names` are the headers; `onLeftOut` is called with the column
 * of a value that is left out.
 */
export function tableReader(
  columns: TableColumns,
  names: readonly string[],
  onLeftOut: (at: number) => void,
): (cells: Cells) => readonly ContactDraft[] {
  const { others = [], hasCouples = false, format } = columns
  const first = personReader(columns, names, onLeftOut)
  const readers = others.map(({ targets, own, relation }) => ({
    own,
    relation,
    nameColumns: own.filter((at) => NAME_FIELDS.has(targets[at]?.field ?? '')),
    read: personReader({ ...columns, targets }, names, () => {}),
  }))
  const isPlain = format === 'linkedin' || isOwnTable(columns.targets)
  const split = (draft: ContactDraft) => (isPlain ? [draft] : splitCouple(draft, hasCouples))
  return (cells) => {
    const present = readers.filter(({ nameColumns }) =>
      nameColumns.some((at) => hasText(cells, at)),
    )
    if (present.length === 0) return split(first(cells))
    const taken = new Set(present.flatMap(({ own }) => own))
    const ofFirst = first(cells.map((cell, at) => (taken.has(at) ? '' : cell)))
    const ofOthers = present.flatMap(({ read, relation }) =>
      split(read(cells.slice(0, names.length))).map((draft) => ({ draft, relation })),
    )
    const isCouple = ofOthers.length === 1
    return [
      withRelations(
        ofFirst,
        ofOthers.filter(({ relation }) => isCouple || relation !== undefined),
      ),
      ...ofOthers.map(({ draft, relation }) => {
        const isRelated = isCouple || relation !== undefined
        const inverse = relation === 'spouse' || relation === undefined ? relation : 'child'
        return withRelations(draft, isRelated ? [{ draft: ofFirst, relation: inverse }] : [])
      }),
    ]
  }
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
  names: readonly string[],
  onLeftOut: (at: number) => void,
): (cells: Cells) => ContactDraft {
  const table = { ...tableOf(columns, names), onLeftOut }
  const steps = stepsOf(table)
  const isGoogle = columns.format === 'google'
  return (written) => {
    const cells = isGoogle ? written.map(unescapeFormula) : unwrapTexts(withoutPageLinks(written))
    const row = newRow()
    for (const step of steps) step(cells, row)
    for (let at = names.length; at < cells.length; at++)
      addCustom(row, `Column ${at + 1}`, cells[at] ?? '') // beyond the header
    return rowDraft(row, table)
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

function tableOf(
  { targets, format, dates, isFamilyFirst, isFamilyFirstHeader = false }: TableColumns,
  names: readonly string[],
): Omit<Table, 'onLeftOut'> {
  // A network of 30,000 people has only a few thousand distinct dates.
  const day = memoize((text: string) => dayIn(format === 'linkedin' ? recent(text) : text, dates))
  const isOwn = isOwnTable(targets)
  const addresses = addressSlots(targets)
  const family = { isFamilyFirst, isFamilyFirstHeader }
  return { names, targets, format, dates, ...family, isOwn, addresses, day }
}

/** The steps, preferred values first: mobile and work numbers before fax and pager. */
function stepsOf(table: Table): readonly Step[] {
  const ranked: { readonly rank: number; readonly step: Step }[] = []
  for (const [at, target] of table.targets.entries()) {
    if (target?.field === 'numbered') continue
    const step = cellStep(at, target, table)
    if (step !== null) ranked.push({ rank: rankOf(target), step })
  }
  for (const step of numberedSteps(table)) ranked.push({ rank: FIRST_RANK, step })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ step }) => step)
}

function rankOf(target: ColumnRole | null): number {
  if (target === null || target.field === 'custom' || target.field === 'technical') return LAST_RANK
  if (target.field !== 'phone' && target.field !== 'email') return 0
  const label = 'label' in target ? (target.label ?? '') : ''
  if (/fax/.test(label)) return 7
  return VALUE_RANKS.get(label) ?? 4
}

const FIRST_RANK = -1
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
