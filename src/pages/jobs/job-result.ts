/** The result of a finished job, as fragments. */

import { capitalized } from '../../languages/capitalized.ts'
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
  cutPeopleIn,
  cutRows,
  rejectedRowsSection,
  unreadValues,
} from '../import/report.ts'
import { buttonLink, fact, itemList, panel } from '../../ui/sections.ts'
import { personLink } from '../../connections/person/person-link.page.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import {
  asListed,
  LISTED_COLUMNS,
  toListed,
  type Listed,
  type ListedRow,
} from '../../connections/model/connection.ts'
import { memberStatement } from '../../db/statement.ts'
import type { MemberReader } from '../../db/database.ts'
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
  readonly people: ImportedPeople
}

/** Those who are not deleted. */
export interface ImportedPeople {
  /** The first that an import created. */
  readonly created: readonly Listed[]
  /** Those with a missing part. */
  readonly cut: readonly Listed[]
}

/** Empty for a job that is no import. */
export async function readImportedPeople(
  db: MemberReader,
  { kind, result, job_id: job }: StoredJob,
): Promise<ImportedPeople> {
  const report = checkSchema(ImportReport, JSON.parse(result ?? 'null'))
  if (kind !== fileImportJob.kind || !report.ok) return { created: [], cut: [] }
  const [created, cut] = await Promise.all([
    db.all(CREATED, { job, limit: MAX_SHOWN }),
    findConnections(db, cutPeopleIn(report.value)),
  ])
  const live = cut.filter(({ deletedAt }) => deletedAt === null)
  return { created: created.map(toListed), cut: live.map(asListed) }
}

/** People in the result of an import. */
const MAX_SHOWN = 12

/** By index connections_by_import. */
const CREATED = memberStatement<{ job: number; limit: number }, ListedRow>()(`
  select ${LISTED_COLUMNS} from connections c
  where c.member_id = :member_id and c.import_job_id = :job and c.deleted_at is null
  order by c.connection_id limit :limit`)

/** The job must have finished. */
export function jobOutcome(
  job: StoredJob,
  { times, interrupted, people }: OutcomeDetails,
): JobOutcome {
  if (job.error !== null)
    return { summary: failure(job, { error: job.error, interrupted }), more: NOTHING }
  if (job.state === 'cancelled') return { summary: cancelled(job, interrupted), more: NOTHING }
  const result: unknown = JSON.parse(job.result ?? 'null')
  if (job.kind === EXPORT_KIND) return { summary: exported(result, times), more: NOTHING }
  if (job.kind !== fileImportJob.kind) return { summary: values(result), more: NOTHING }
  const report = checkSchema(ImportReport, result)
  return report.ok
    ? imported(report.value, job.job_id, people)
    : { summary: values(result), more: NOTHING }
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

function imported(report: ImportReport, jobId: number, people: ImportedPeople): JobOutcome {
  const summary = html`<p>${formatName(report)}, ${countOf(report.rows, 'row')}.</p>
    ${importCounts(report, 'done')} ${countNotes(report, 'done')}
    <div class="actions">
      <a class="button" href="${USER_PATH}">Pick people to get in touch with</a>
      ${(report.review ?? 0) === 0 ? '' : buttonLink(DUPLICATES_PATH, t('Review duplicates'))}
      ${buttonLink(INTEGRATIONS_PATH, t('Connect an agent'))}
    </div>`
  const more = html`${newPeople(report, people)} ${unreadValues(report)}
  ${rejectedRowsSection(report, rejectedRowsPath(jobId))} ${cutRows(report, people.cut)}
  ${importedColumns(report)} ${archivedFiles(report)}`
  return { summary, more }
}

/** Faces and names of the first people, and a link to all. */
function newPeople({ created }: ImportReport, people: ImportedPeople): Html {
  if (people.created.length === 0) return NOTHING
  const items = people.created.map((one) => html`<li>${personLink(one)}</li>`)
  const body = html`${itemList(items, NOTHING, 'arrived')}
    <p><a href="${CONNECTIONS_PATH}">View people</a></p>`
  return panel('arrived', html`New people <small>${numberText(created)}</small>`, body)
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
  const kept = t('Imported people are kept, and are not duplicated by importing the file again.')
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
  return capitalized(name.replaceAll('_', ' '))
}
