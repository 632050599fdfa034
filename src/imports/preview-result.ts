/**
 * The preview of an import in a tool result: the file's contents, the changes an import would make, and what to do
 * next.
 */

import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { MAX_CHARACTERS, truncate, written } from '../tools/result-pages.ts'
import { COLUMN_FIELDS } from '../contact-files/fields/column-fields.ts'
import { missingColumns, type ColumnTexts } from './reading/column-mappings.ts'
import { ImportReport, reportedColumns } from './import-report.ts'
import type { ImportedContact } from '../contact-files/contact/contact.ts'
import type { ImportPreview } from './preview-import.ts'

const { properties: REPORT } = ImportReport
const MAX_PROBLEMS = 20
const MAX_PROBLEM_LENGTH = 200 // characters: names of columns can be long
const MAX_SAMPLE_LENGTH = 100 // characters of a value

const Sample = Type.Closed({
  name: Type.String(),
  title: Type.Optional(Type.String()),
  company: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
})

const Column = Type.Closed({
  name: Type.String(),
  becomes: Type.String(),
  filled: Type.Integer(),
  examples: Type.Optional(Type.Array(Type.String())),
})
type Column = Static<typeof Column>

export const ImportPreviewResult = Type.Closed({
  format: REPORT.format,
  rows: REPORT.rows,
  is_whole: Type.Boolean({ description: 'False if the counts cover only the first rows' }),
  created: REPORT.created,
  updated: REPORT.updated,
  unchanged: REPORT.unchanged,
  review: Type.Optional(Type.Integer()),
  job_changes: Type.Optional(Type.Integer()),
  skipped: Type.Integer(),
  rejected_count: REPORT.rejected_count,
  problems: Type.Array(Type.String(), { description: 'The first 20, with their lines' }),
  columns: Type.Optional(Type.Array(Column)),
  more_columns: Type.Optional(Type.Integer()),
  fields: Type.Optional(Type.Array(Type.String(), { description: 'What a column can become' })),
  samples: Type.Array(Sample),
  can_import: Type.Boolean(),
  next: Type.String({ description: 'What to do' }),
})
type ImportPreviewResult = Static<typeof ImportPreviewResult>

interface PreviewOptions {
  /** False if an import would fail because no column identifies people. */
  readonly isKnown: boolean
  /** The mapping that the caller gave, by column. */
  readonly mapping?: ColumnTexts | undefined
}

export function previewResult(
  plan: ImportPreview,
  { isKnown, mapping = {} }: PreviewOptions,
): ImportPreviewResult {
  const { report } = plan
  const { columns: reported = [] } = reportedColumns(
    plan.columns.map((column, at) => ({ ...column, name: plan.header[at]?.trim() ?? column.name })),
  )
  const columns = reported.map((column, at) => withExamples(column, plan.columns[at]?.examples))
  const canImport = isKnown && (!plan.isWhole || report.created + report.updated > 0)
  const result = {
    format: report.format,
    rows: report.rows,
    is_whole: plan.isWhole,
    created: report.created,
    updated: report.updated,
    unchanged: report.unchanged,
    review: report.review ?? 0,
    ...(report.job_changes !== undefined && { job_changes: report.job_changes }),
    skipped: report.skipped,
    rejected_count: report.rejected_count,
    problems: problemsIn(report, missingColumns(plan.header, mapping)),
    samples: plan.samples.map(sampleOf),
    can_import: canImport,
    next: nextStep(plan, isKnown, canImport),
    ...(plan.header.length > 0 && { fields: [...COLUMN_FIELDS] }),
  }
  return { ...result, ...fitting(columns, MAX_CHARACTERS - written(result)) }
}

function withExamples(column: Column, examples: readonly string[] = []): Column {
  return { ...column, ...(examples.length > 0 && { examples: [...examples] }) }
}

/** Columns that the file lacks, then rows that would be rejected, and values that would be missing or kept as text. */
function problemsIn(
  { rejected, unread = [], cut = [] }: ImportReport,
  missing: readonly string[],
): string[] {
  return [
    ...missing.map((column) => `The file has no column "${column}"`),
    ...rejected.map(({ line, reason }) => `Line ${line}: rejected. ${reason}`),
    ...unread.map(({ line, column }) => `Line ${line}: the value of ${column} cannot be read`),
    ...cut.map(({ line, fields }) => `Line ${line}: not kept in full: ${fields.join(', ')}`),
  ]
    .slice(0, MAX_PROBLEMS)
    .map((problem) => truncate(problem, MAX_PROBLEM_LENGTH))
}

function nextStep(
  { report }: ImportPreview,
  isKnown: boolean,
  canImport: boolean,
): ImportPreviewResult['next'] {
  if (!isKnown || (report.rows > 0 && report.rejected_count === report.rows))
    return 'It is not certain which column identifies people. Map it with columns, for example ["Person=name", "Firm=company"], and preview again.'
  if (!canImport) return 'The file contains nothing new, so an import would make no changes.'
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

/** The columns that fit into `room` characters of JSON, with their examples if all of them fit. */
function fitting(
  columns: readonly Column[],
  room: number,
): Pick<ImportPreviewResult, 'columns' | 'more_columns'> {
  if (columns.length === 0) return {}
  if (written({ columns }) <= room) return { columns: [...columns] }
  const brief = columns.map(({ examples: _examples, ...column }) => column)
  let left = room - written({ columns: [], more_columns: columns.length })
  const kept = brief.filter((column) => (left -= written(column) + 1) >= 0)
  const more = columns.length - kept.length
  return { columns: kept, ...(more > 0 && { more_columns: more }) }
}
