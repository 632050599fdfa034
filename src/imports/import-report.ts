/** The result of an import or a preview: every row is counted once; rejected rows have reasons. */

import * as Type from '../base/type.ts'
import type { FileColumn } from '../contact-files/columns/file-columns.ts'
import { publicConnectionId } from '../connections/model/connection.ts'
import { customFieldIn, detailName } from '../contact-files/contact/details.ts'
import { isAmong } from './merging/card-links.ts'
import type { ImportRow, UnreadValue } from '../contact-files/contact/contact.ts'
import type { Network } from './merging/matched-people.ts'
import type { MergeResult } from './merging/merge-contact.ts'

const Rejection = Type.Object({
  row: Type.Integer(),
  line: Type.Integer(),
  reason: Type.String(),
})
const Cut = Type.Object({
  row: Type.Integer(),
  line: Type.Integer(),
  connection_id: Type.Optional(Type.String()),
  fields: Type.Array(Type.String(), { description: 'Those with a missing part' }),
})

export type Rejection = Type.Static<typeof Rejection>

export const ImportReport = Type.Object({
  format: Type.String(),
  reader: Type.Optional(
    Type.Integer({ description: 'Revision of the reader of the format; 1 if there is none' }),
  ),
  filename: Type.Optional(Type.String()),
  rows: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  review: Type.Optional(
    Type.Integer({
      description:
        'Of those created: may be people who were already in the network; see find_duplicates',
    }),
  ),
  job_changes: Type.Optional(
    Type.Integer({ description: 'Of those updated: people with another company or title' }),
  ),
  contacted: Type.Optional(
    Type.Integer({
      description: 'People with the day of a message, an invitation or another interaction',
    }),
  ),
  skipped: Type.Integer({ description: 'Empty rows and people the member deleted' }),
  cut_count: Type.Optional(
    Type.Integer({
      description:
        'Rows of which a part is missing: over a limit, or the person has another value, typed or from another file or row',
    }),
  ),
  cut: Type.Optional(Type.Array(Cut, { description: 'The first 100' })),
  columns: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        becomes: Type.String(),
        filled: Type.Integer(),
        left_out: Type.Optional(
          Type.Integer({ description: 'Of these: defaults, such as Priority: Normal' }),
        ),
      }),
      { description: 'Where each column or vCard property went, and how many rows have it' },
    ),
  ),
  unread_count: Type.Optional(
    Type.Integer({ description: 'Dates and references that could not be read' }),
  ),
  unread: Type.Optional(
    Type.Array(
      Type.Object({
        row: Type.Integer(),
        line: Type.Integer(),
        column: Type.String(),
        value: Type.String(),
      }),
      { description: 'The first 100 of them; they are kept as custom fields' },
    ),
  ),
  files: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        use: Type.Enum(['restored', 'repeated', 'not_restored'], { type: 'string' }),
      }),
      { description: 'Of an export of Weft: what became of each file' },
    ),
  ),
  rejected_count: Type.Integer(),
  rejected: Type.Array(Rejection, { description: 'The first 100' }),
})

type ReadonlyReport = Type.Static<typeof ImportReport>
export type ImportReport = { -readonly [Field in keyof ReadonlyReport]: ReadonlyReport[Field] }

const MAX_REJECTIONS = 100

/** Readers that corrected a mistake, so that imports before it can be repaired. */
const READER_REVISIONS: Readonly<Record<string, number>> = { monica: 2 } // 1 read relations backwards

/** `filename` is null when the file has none. */
export function emptyReport(format: string, filename: string | null): ImportReport {
  const reader = READER_REVISIONS[format]
  return {
    format,
    ...(reader !== undefined && { reader }),
    ...(filename !== null && { filename }),
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    review: 0,
    skipped: 0,
    rejected_count: 0,
    rejected: [],
  }
}

/** `results` has one entry per row that contains a contact. */
export function countRows(
  report: ImportReport,
  rows: readonly ImportRow[],
  results: readonly MergeResult[],
  { cuts, found, linked, owners }: Pick<Network, 'cuts' | 'found' | 'linked' | 'owners'>,
): void {
  for (const result of results) {
    if (result === 'review') report.review = (report.review ?? 0) + 1
    if (result === 'job_changed') report.job_changes = (report.job_changes ?? 0) + 1
    report[COUNTED_AS[result]] += 1
  }
  report.rows += rows.length
  for (const row of rows) {
    if ('skipped' in row) report.skipped += 1
    if ('rejected' in row) reject(report, row.row, row.line, row.rejected)
    if ('contact' in row && row.unread !== undefined)
      reportUnread(report, row, unreadIn(row.unread, found.get(row.contact)))
    if ('contact' in row && (row.contact.details?.interactions ?? []).length > 0)
      report.contacted = (report.contacted ?? 0) + 1
    if ('contact' in row) {
      const { connectionId = 0 } = owners.get(row.contact)?.now ?? {}
      reportCuts(report, { ...row, connectionId }, cuts.get(row.contact))
    }
  }
  for (const value of linked) forgetUnread(report, value)
}

const COUNTED_AS = {
  created: 'created',
  review: 'created',
  updated: 'updated',
  job_changed: 'updated',
  unchanged: 'unchanged',
  skipped: 'skipped',
} as const satisfies Record<MergeResult, keyof ImportReport>

type CutRow = Pick<ImportRow, 'row' | 'line'> & {
  /** 0 for a person of a preview who would be added. */
  readonly connectionId: number
  readonly cut?: readonly string[]
}

/** A value exceeds a limit, in the contact or because its connection is full, or an earlier row has another one. */
function reportCuts(
  report: ImportReport,
  { row, line, connectionId, cut = [] }: CutRow,
  more: ReadonlySet<string> = new Set(),
): void {
  const fields = [...new Set([...cut, ...more])].map(
    (field) => customFieldIn(field) ?? detailName(field),
  )
  if (fields.length === 0) return
  report.cut_count = (report.cut_count ?? 0) + 1
  report.cut ??= []
  const person = connectionId > 0 && { connection_id: publicConnectionId(connectionId) }
  if (report.cut.length < MAX_REJECTIONS) report.cut.push({ row, line, ...person, fields })
}

/** Without the references to people who were found. */
function unreadIn(
  unread: readonly UnreadValue[],
  found: readonly UnreadValue[] = [],
): readonly UnreadValue[] {
  return unread.filter(({ column, value }) => !isAmong(found, column, value))
}

const MAX_UNREAD = 100
const MAX_VALUE_LENGTH = 60 // characters

function reportUnread(
  report: ImportReport,
  { row, line }: Pick<ImportRow, 'row' | 'line'>,
  unread: readonly UnreadValue[],
): void {
  if (unread.length === 0) return
  report.unread ??= []
  report.unread_count = (report.unread_count ?? 0) + unread.length
  for (const { column, value } of unread.slice(0, MAX_UNREAD - report.unread.length))
    report.unread.push({ row, line, column, value: value.slice(0, MAX_VALUE_LENGTH) })
}

/** The person of the reference has arrived. */
function forgetUnread(report: ImportReport, { column, value }: UnreadValue): void {
  const { unread = [], unread_count: count = 0 } = report
  const text = value.slice(0, MAX_VALUE_LENGTH)
  const at = unread.findIndex((one) => one.column === column && one.value === text)
  if (at === -1 && count === unread.length) return
  if (at !== -1) unread.splice(at, 1)
  report.unread_count = count - 1
  if (count > 1) return
  delete report.unread
  delete report.unread_count
}

/** The targets of the file's columns, as a part of its report; nothing without columns. */
export function reportedColumns(columns: readonly FileColumn[]): Pick<ImportReport, 'columns'> {
  if (columns.length === 0) return {}
  return {
    columns: columns.map(({ name, becomes, label, filled, leftOut }) => ({
      name,
      becomes: label === undefined ? becomes : `${becomes}:${label}`,
      filled,
      ...(leftOut !== undefined && { left_out: leftOut }),
    })),
  }
}

function reject(report: ImportReport, row: number, line: number, reason: string): void {
  report.rejected_count += 1
  if (report.rejected.length < MAX_REJECTIONS) report.rejected.push({ row, line, reason })
}
