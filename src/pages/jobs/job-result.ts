/** The result of a finished job, as fragments. */

import { t, messageText } from '../../languages/message.ts'
import { checkSchema } from '../../base/schema.ts'
import { ImportReport } from '../../imports/import-report.ts'
import { fileImportJob } from '../../imports/file-import.job.ts'
import { EXPORT_KIND, ExportReport } from '../../exports/export-data.job.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { downloadLine } from '../account/export-section.ts'
import {
  ACCOUNT_PATH,
  CONNECTIONS_PATH,
  DUPLICATES_PATH,
  INTEGRATIONS_PATH,
  rejectedRowsPath,
  USER_PATH,
} from '../../html/site-map.ts'
import { numberText, countOf } from '../../ui/numbers.ts'
import {
  archivedFiles,
  formatName,
  importCounts,
  importedColumns,
  countNotes,
  cutRows,
  rejectedRowsSection,
  unreadValues,
} from '../import/report.ts'
import { buttonLink, fact } from '../../ui/sections.ts'
import type { InterruptedImport } from './interrupted-import.ts'
import type { Times } from '../../ui/time.ts'
import type { JobError, StoredJob } from '../../jobs/job-record.ts'

interface JobOutcome {
  /** Shown in the job's panel. */
  readonly summary: Html
  /** Shown below the panel. */
  readonly more: Html
}

interface OutcomeDetails {
  readonly times: Times
  /** An import that failed or was stopped. */
  readonly interrupted: InterruptedImport | undefined
}

/** The job must have finished. */
export function jobOutcome(job: StoredJob, { times, interrupted }: OutcomeDetails): JobOutcome {
  if (job.error !== null)
    return { summary: failure(job, { error: job.error, interrupted }), more: NOTHING }
  if (job.state === 'cancelled') return { summary: cancelled(job, interrupted), more: NOTHING }
  const result: unknown = JSON.parse(job.result ?? 'null')
  if (job.kind === EXPORT_KIND) return { summary: exported(result, times), more: NOTHING }
  if (job.kind !== fileImportJob.kind) return { summary: values(result), more: NOTHING }
  const report = checkSchema(ImportReport, result)
  return report.ok ? imported(report.value, job.job_id) : { summary: values(result), more: NOTHING }
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
  const summary = html`<p>${formatName(report)}, ${countOf(report.rows, 'row')}.</p>
    ${importCounts(report, 'done')} ${countNotes(report, 'done')}
    <div class="actions">
      <a class="button" href="${USER_PATH}">Choose who to stay in touch with</a>
      ${buttonLink(INTEGRATIONS_PATH, t('Connect an agent'))}
      ${(report.review ?? 0) === 0 ? '' : buttonLink(DUPLICATES_PATH, t('Review duplicates'))}
      ${buttonLink(CONNECTIONS_PATH, t('View connections'))}
    </div>`
  const more = html`${unreadValues(report)} ${rejectedRowsSection(report, rejectedRowsPath(jobId))}
  ${cutRows(report)} ${importedColumns(report)} ${archivedFiles(report)}`
  return { summary, more }
}

interface Failure {
  readonly error: string
  readonly interrupted: InterruptedImport | undefined
}

function failure(job: StoredJob, { error, interrupted }: Failure): Html {
  // As the worker wrote it.
  const { title, detail, texts } = JSON.parse(error) as JobError
  return html`<p>${fileOf(job)}<b>${t(title)}</b></p>
    <p>${texts?.map(messageText).join(' ') ?? t(detail)}</p>
    ${job.credits === 0 ? '' : html`<p class="quiet">Credits for this job were refunded.</p>`}
    ${interrupted ? importedSoFar(interrupted) : ''}`
}

/** A fragment before other text. */
function fileOf({ filename }: StoredJob): Html {
  return filename === null ? NOTHING : html`<bdi>${filename}</bdi>: `
}

function cancelled(job: StoredJob, interrupted: InterruptedImport | undefined): Html {
  const { kind, started_at } = job
  if (started_at === null) return html`<p>Cancelled before it started. No credits were charged.</p>`
  if (kind === EXPORT_KIND) return html`<p>No export was created.</p>`
  if (!interrupted) return html`<p>Changes made before the cancellation are kept.</p>`
  return html`<p>${fileOf(job)}stopped.</p>
    ${importedSoFar(interrupted)}`
}

/** The counts of an import that did not finish, and how to continue it. */
function importedSoFar({ counts, againPath }: InterruptedImport): Html {
  const kept = t(
    'Imported connections are kept, and are not duplicated by importing the file again.',
  )
  return html`${
      counts
        ? html`${importCounts(counts, 'done')}
            <p class="quiet">${kept}</p>`
        : ''
    }
    <div class="actions">
      <a class="button plain" href="${againPath}">Import the file again</a>
    </div>`
}

/** The scalar values of a result, with labels. */
function values(result: unknown): Html {
  if (typeof result !== 'object' || result === null) return NOTHING
  const entries = Object.entries(result).flatMap(([name, value]) =>
    typeof value === 'number' || typeof value === 'string'
      ? [fact(nameText(name), typeof value === 'number' ? numberText(value) : value)]
      : [],
  )
  return entries.length === 0 ? NOTHING : html`<dl class="counts">${entries}</dl>`
}

function nameText(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
