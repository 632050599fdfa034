/** What `weft import` prints when an import or a dry run has ended. */

import { RequestError } from '../../base/request-error.ts'
import { fileReading } from '../../imports/reading/read-options.ts'
import { formatTable } from './table.ts'
import { countText, plural, print, say, type Terminal } from './terminal.ts'
import { missingColumns } from '../../imports/reading/column-mappings.ts'
import type { FileColumn } from '../../contact-files/columns/file-columns.ts'
import type { ImportReport } from '../../imports/import-report.ts'
import type { StoredJob } from '../../jobs/job-record.ts'

type Report = Readonly<ImportReport>

interface ReportOptions {
  readonly json?: true
  /** The mappings that the command gives, such as `Role=title`. */
  readonly column?: readonly string[]
}

/**
 * Prints the result of a job that has ended.
 *
 * @throws {RequestError} `unreadable_file` when the job failed.
 * @throws {RequestError} `conflict` when it was canceled.
 */
export function reportImport(
  terminal: Terminal,
  job: StoredJob,
  { json, column }: ReportOptions,
): void {
  if (job.state === 'failed') {
    const { detail } = JSON.parse(job.error ?? '{}') as { detail?: string }
    throw new RequestError('unreadable_file', detail ?? 'The import failed.')
  }
  if (job.state !== 'succeeded')
    throw new RequestError('conflict', 'The import was canceled. Imported connections are kept.')
  const result = JSON.parse(job.result ?? '{}') as Report
  reportMissingColumns(terminal, result, column)
  if (json) {
    print(terminal, JSON.stringify(result, undefined, 2))
    return
  }
  printReport(terminal, result)
}

/** Warns of `--column` options for columns that the file does not have. */
export function reportMissingColumns(
  terminal: Terminal,
  { columns = [] }: { readonly columns?: readonly { readonly name: string }[] },
  mappings: readonly string[] = [],
): void {
  const names = columns.map(({ name }) => name)
  for (const column of missingColumns(names, fileReading({ columns: mappings }).columns ?? {}))
    say(terminal, `The file has no column “${column}”. It has: ${names.join(', ')}.`)
}

/** Prints counts, the first rejected rows with their reasons, and the values that are missing or could not be read. */
export function printReport(terminal: Terminal, result: Report): void {
  const { rows, created, updated, unchanged, skipped, rejected_count: rejected } = result
  const counts = { created, updated, unchanged, skipped, rejected }
  print(terminal, `${result.format}: ${plural(rows, 'row')} read`)
  const texts = Object.entries(counts).map(([name, count]) => `${countText(count)} ${name}`)
  print(terminal, `  ${texts.join(', ')}`)
  const { review = 0, job_changes = 0 } = result
  if (review > 0)
    print(
      terminal,
      `  ${countText(review)} of the created may already be in the network. Review them under Duplicates.`,
    )
  if (job_changes > 0) print(terminal, `  ${countText(job_changes)} of the updated changed jobs.`)
  printRows(
    terminal,
    ['ROW', 'LINE', 'REASON'],
    result.rejected.map(({ row, line, reason }) => [String(row), String(line), reason]),
    rejected,
  )
  const custom = (result.columns ?? []).filter(
    ({ becomes, filled, left_out = 0 }) =>
      filled > left_out && becomes.split(':', 1)[0] === 'custom',
  )
  if (custom.length > 0)
    print(terminal, `  Kept as custom fields: ${custom.map(({ name }) => name).join(', ')}`)
  const defaults = (result.columns ?? []).filter(({ left_out = 0 }) => left_out > 0)
  if (defaults.length > 0)
    print(
      terminal,
      `  Default values left out: ${defaults.map(({ name, left_out }) => `${name} (${left_out})`).join(', ')}`,
    )
  const { cut = [], cut_count: cuts = 0, unread = [], unread_count: unreadable = 0 } = result
  if (cuts > 0) print(terminal, `  Rows with values that were not taken in: ${countText(cuts)}`)
  printRows(
    terminal,
    ['ROW', 'LINE', 'FIELDS'],
    cut.map(({ row, line, fields }) => [String(row), String(line), fields.join(', ')]),
    cuts,
  )
  if (unreadable > 0)
    print(
      terminal,
      `  Values that could not be read, kept as custom fields: ${countText(unreadable)}`,
    )
  printRows(
    terminal,
    ['ROW', 'LINE', 'COLUMN', 'VALUE'],
    unread.map(({ row, line, column, value }) => [String(row), String(line), column, value]),
    unreadable,
  )
}

/** Prints the listed rows of `count`. */
function printRows(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  count: number,
): void {
  if (rows.length > 0) print(terminal, formatTable(headings, rows))
  if (count > rows.length) print(terminal, `… and ${countText(count - rows.length)} more`)
}

/** Prints what each column of a file becomes, with its first values. */
export function printColumns(terminal: Terminal, columns: readonly FileColumn[]): void {
  if (columns.length === 0) return
  const rows = columns.map(({ name, becomes, label, filled, examples = [] }) => [
    name,
    label === undefined ? becomes : `${becomes}:${label}`,
    filled === 0 ? '(empty)' : examples.join(' · '),
  ])
  print(terminal, formatTable(['COLUMN', 'IMPORTED AS', 'VALUES'], rows))
}

/** Prints the result of `--cancel`. */
export function reportCancel(terminal: Terminal, { state }: StoredJob): void {
  if (state === 'cancelled')
    say(terminal, 'The import was canceled. Imported connections are kept.')
  else say(terminal, 'The import finished before it could be canceled.')
}
