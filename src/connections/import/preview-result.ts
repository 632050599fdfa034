/** The preview of an import as a tool returns it: what the file holds, what an import would change, and what to do next. */

import Type, { type Static } from 'typebox'
import { MAX_CHARACTERS, truncate, written } from '../../tools/result-page.ts'
import { COLUMN_FIELDS } from './formats/column-fields.ts'
import { ImportReport, reportColumns } from './import-report.ts'
import type { ImportedContact } from '../model/contact.ts'
import type { ImportPreview } from './preview-import.ts'

const { properties: REPORT } = ImportReport
const MAX_PROBLEMS = 10 // of each kind
const MAX_SAMPLE_LENGTH = 100 // characters of a value

const Sample = Type.Object(
  {
    name: Type.String(),
    title: Type.Optional(Type.String()),
    company: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

export const ImportPreviewResult = Type.Object(
  {
    format: REPORT.format,
    rows: REPORT.rows,
    is_whole: Type.Boolean({ description: 'False if the counts cover only the first rows' }),
    created: REPORT.created,
    updated: REPORT.updated,
    unchanged: REPORT.unchanged,
    review: REPORT.review,
    skipped: REPORT.skipped,
    rejected_count: REPORT.rejected_count,
    rejected: Type.Array(REPORT.rejected.items, { description: 'The first 10' }),
    cut_count: REPORT.cut_count,
    unread_count: REPORT.unread_count,
    unread: REPORT.unread,
    columns: REPORT.columns,
    more_columns: Type.Optional(Type.Integer({ description: 'Columns that did not fit' })),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'What a column can become, for columns' }),
    ),
    samples: Type.Array(Sample, { description: 'The first contacts as they would be imported' }),
    can_import: Type.Boolean({ description: 'An import would succeed and change something' }),
    next: Type.String({ description: 'What to do' }),
  },
  { additionalProperties: false },
)
type ImportPreviewResult = Static<typeof ImportPreviewResult>

/** `isKnown` is false if an import would fail because nothing tells what the columns are. */
export function previewResult(plan: ImportPreview, isKnown: boolean): ImportPreviewResult {
  const report = structuredClone(plan.report) as ImportReport
  reportColumns(report, plan.columns)
  const { cut: _cut, filename: _filename, rejected, unread, columns = [], ...counts } = report
  const canImport = isKnown && (!plan.isWhole || report.created + report.updated > 0)
  const result = {
    ...counts,
    is_whole: plan.isWhole,
    rejected: rejected.slice(0, MAX_PROBLEMS),
    ...(unread && { unread: unread.slice(0, MAX_PROBLEMS) }),
    samples: plan.samples.map(sampleOf),
    can_import: canImport,
    next: nextStep(plan, isKnown, canImport),
    ...(columns.length > 0 && { fields: [...COLUMN_FIELDS] }),
  }
  return { ...result, ...fitting(columns, MAX_CHARACTERS - written(result)) }
}

function nextStep(
  { report }: ImportPreview,
  isKnown: boolean,
  canImport: boolean,
): ImportPreviewResult['next'] {
  if (!isKnown || (report.rows > 0 && report.rejected_count === report.rows))
    return 'Nothing tells for certain which column identifies people. Say it in columns, for example ["Person=name", "Firm=company"], and preview again.'
  if (!canImport) return 'The file has nothing new, so an import would make no changes.'
  return 'If the columns are right, repeat the call without preview to import. Otherwise correct them in columns and preview again.'
}

function sampleOf({
  name,
  title,
  company,
  emails,
  phones,
}: ImportedContact): Static<typeof Sample> {
  const short = (text: string) => truncate(text, MAX_SAMPLE_LENGTH)
  const [email] = emails
  const [phone] = phones
  return {
    name: short(name),
    ...(title !== null && { title: short(title) }),
    ...(company !== null && { company: short(company) }),
    ...(email !== undefined && { email: short(email) }),
    ...(phone !== undefined && { phone: short(phone) }),
  }
}

/** The columns that fit into `room` characters of JSON. */
function fitting(
  columns: NonNullable<ImportReport['columns']>,
  room: number,
): Pick<ImportPreviewResult, 'columns' | 'more_columns'> {
  if (columns.length === 0) return {}
  let left = room - written({ columns: [], more_columns: columns.length })
  const kept = columns.filter((column) => (left -= written(column) + 1) >= 0)
  const more = columns.length - kept.length
  return { columns: kept, ...(more > 0 && { more_columns: more }) }
}
