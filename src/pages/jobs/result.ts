/** The result of a finished job, as fragments. */

import { checkSchema } from '../../base/schema.ts'
import { ImportReport } from '../../connections/import/import-report.ts'
import { fileImportJob } from '../../connections/import/file-import.job.ts'
import { EXPORT_KIND, ExportReport } from '../../exports/export-data.job.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { downloadLine } from '../account/export-section.ts'
import {
  ACCOUNT_PATH,
  CONNECTIONS_PATH,
  DUPLICATES_PATH,
  IMPORT_PATH,
  rejectedRowsPath,
} from '../../html/site-map.ts'
import { countOf } from '../ui/count-of.ts'
import { numberText } from '../ui/numbers.ts'
import {
  formatName,
  importCounts,
  importedColumns,
  countNotes,
  cutRows,
  rejectedRows,
  unreadValues,
} from '../import/report.ts'
import type { Times } from '../ui/time.ts'
import type { JobError, StoredJob } from '../../jobs/job-record.ts'

interface JobOutcome {
  /** Shown in the job's panel. */
  readonly summary: Html
  /** Shown below the panel. */
  readonly more: Html
}

/** The job must have finished. */
export function jobOutcome(job: StoredJob, times: Times): JobOutcome {
  if (job.error !== null) return { summary: failure(job, job.error), more: NOTHING }
  if (job.state === 'cancelled') return { summary: cancelled(job), more: NOTHING }
  const result: unknown = JSON.parse(job.result ?? 'null')
  if (job.kind === EXPORT_KIND) return { summary: exported(result, times), more: NOTHING }
  if (job.kind !== fileImportJob.kind) return { summary: values(result), more: NOTHING }
  const report = checkSchema(ImportReport, result)
  return report.ok ? imported(report.value, job.job_id) : { summary: values(result), more: NOTHING }
}

/** The name of the file that an import reads; undefined if it has none. */
export function importedFilename({ kind, result, filename }: StoredJob): string | undefined {
  if (filename !== null) return filename
  // Imports of earlier versions have it only in their result.
  if (kind !== fileImportJob.kind || result === null) return undefined
  const report = checkSchema(ImportReport, JSON.parse(result))
  return report.ok ? report.value.filename : undefined
}

function exported(result: unknown, times: Times): Html {
  const report = checkSchema(ExportReport, result)
  if (!report.ok) return values(result)
  const { export_id, filename, bytes, expires_at } = report.value
  const expiresAt = Date.parse(expires_at)
  if (expiresAt <= times.now)
    return html`<p>
      This export expired on ${times.longDay(expiresAt)}.
      <a href="${ACCOUNT_PATH}#export">Create a new export</a>
    </p>`
  return downloadLine({ exportId: export_id, filename, bytes, expiresAt }, times)
}

function imported(report: ImportReport, jobId: number): JobOutcome {
  const file = report.filename === undefined ? '' : html`<bdi>${report.filename}</bdi>: `
  const summary = html`<p>${file}${formatName(report)}, ${countOf(report.rows, 'row')}.</p>
    ${importCounts(report, 'done')} ${countNotes(report, 'done')}
    <div class="actions">
      ${
        (report.review ?? 0) === 0
          ? ''
          : html`<a class="button" href="${DUPLICATES_PATH}">Review duplicates</a>`
      }
      <a class="button plain" href="${CONNECTIONS_PATH}">View connections</a>
    </div>`
  const more = html`${unreadValues(report)} ${rejectedRows(report, rejectedRowsPath(jobId))}
  ${cutRows(report)} ${importedColumns(report)}`
  return { summary, more }
}

function failure(job: StoredJob, error: string): Html {
  // As the worker wrote it.
  const { title, detail } = JSON.parse(error) as JobError
  return html`<p>${fileOf(job)}<b>${title}</b></p>
    <p>${detail}</p>
    ${job.credits === 0 ? '' : html`<p class="quiet">Credits for this job were refunded.</p>`}`
}

/** A fragment before other text. */
function fileOf(job: StoredJob): Html {
  const filename = importedFilename(job)
  return filename === undefined ? NOTHING : html`<bdi>${filename}</bdi>: `
}

function cancelled({ kind, started_at }: StoredJob): Html {
  if (started_at === null) return html`<p>Cancelled before it started. No credits were charged.</p>`
  if (kind === EXPORT_KIND) return html`<p>No export was created.</p>`
  if (kind !== fileImportJob.kind)
    return html`<p>Changes made before the cancellation are kept.</p>`
  return html`<p>
    Connections imported before the cancellation are kept.
    <a href="${IMPORT_PATH}">Import the file again</a> to continue. Existing connections are not
    duplicated.
  </p>`
}

/** The scalar values of a result, with labels. */
function values(result: unknown): Html {
  if (typeof result !== 'object' || result === null) return NOTHING
  const entries = Object.entries(result).flatMap(([name, value]) =>
    typeof value === 'number' || typeof value === 'string'
      ? [
          html`<div>
            <dt>${nameText(name)}</dt>
            <dd>${typeof value === 'number' ? numberText(value) : value}</dd>
          </div>`,
        ]
      : [],
  )
  return entries.length === 0 ? NOTHING : html`<dl class="counts">${entries}</dl>`
}

function nameText(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
