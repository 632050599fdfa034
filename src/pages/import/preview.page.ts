/** The preview of an import: the file's contents and the changes it would make. */

import { t } from '../../languages/message.ts'
import { formKeyField } from '../../html/form.ts'
import { NOTHING, attributes, html, joinHtml, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { MAX_PREVIEW_ROWS, type ImportPreview } from '../../imports/preview-import.ts'
import { fileImportJob } from '../../imports/file-import.job.ts'
import { numberText, countOf, sizeText } from '../../ui/numbers.ts'
import { utcLongDay } from '../../ui/time.ts'
import { jobHeading } from '../../ui/job-item.ts'
import { ADDRESS_BOOKS_PATH, IMPORT_PATH, importPreviewPath, jobPath } from '../../html/site-map.ts'
import { COLUMN_FIELDS, NAME_FIELDS } from '../../contact-files/fields/column-fields.ts'
import { FIELD_LABELS } from './field-labels.ts'
import {
  formatName,
  importCounts,
  countNotes,
  cutRows,
  importedColumns,
  rejectedRowsSection,
  unreadValues,
} from './report.ts'
import { reportedColumns } from '../../imports/import-report.ts'
import { personName } from '../../connections/person/person-link.page.ts'
import { table, panel } from '../../ui/sections.ts'
import type { FileColumn } from '../../contact-files/columns/file-columns.ts'
import type { ImportedContact } from '../../contact-files/contact/contact.ts'
import type { CreditBalance } from '../../credits/account.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { ActiveJob } from '../../jobs/start-job.ts'
import type { StoredUpload } from '../../jobs/uploads.ts'

interface PreviewPage {
  readonly browser: SignedInRequest
  readonly upload: StoredUpload
  /** The text encoding that the member named. */
  readonly encoding?: string
  readonly plan: ImportPreview
  readonly balance: CreditBalance
  /** The member's queued or running import, of this or another file. */
  readonly running: ActiveJob | undefined
  /** Whether these are the cards of an address book elsewhere, whose import is free. */
  readonly isBook: boolean
  /** The cost of an import of a file. */
  readonly credits: number
}

export function previewPage(page: PreviewPage): Answer {
  const { browser, plan } = page
  const { report, columns } = plan
  return memberPage({
    title: t('Import preview'),
    browser,
    current: 'import',
    body: html`${found(page)} ${plan.samples.length === 0 ? '' : samples(plan)}
    ${unreadValues(report)} ${rejectedRowsSection(report)} ${cutRows(report)}
    ${plan.header.length === 0 ? importedColumns({ ...report, ...reportedColumns(columns) }) : ''}`,
  })
}

function found(page: PreviewPage): Html {
  const { upload, plan } = page
  const { report, columns, header, isWhole } = plan
  const isNameless = header.length > 0 && report.rejected_count < report.rows && !hasName(columns)
  return html`<section class="panel" aria-labelledby="found">
    <h2 id="found"><bdi>${upload.filename ?? t('The file')}</bdi></h2>
    <p>
      ${formatName(report)}, ${sizeText(upload.bytes)},
      ${isWhole ? countOf(report.rows, 'row') : t('more than {rows}', { rows: countOf(MAX_PREVIEW_ROWS, 'row') })}.
      ${isWhole ? '' : t('The counts cover the first {maxPreviewRows}.', { maxPreviewRows: numberText(MAX_PREVIEW_ROWS) })}
    </p>
    ${importCounts(report, 'planned')} ${countNotes(report, 'planned')}
    ${isNameless ? noNameWarning() : ''}
    <form method="post" action="${importPreviewPath(upload.upload_id, page.encoding)}">
      ${formKeyField()} ${page.isBook ? startBook(page) : start(page)}
      ${columnTable(columns, { header, isKnown: report.format !== 'table' })}
    </form>
  </section>`
}

/** Whether people have names from the file instead of their email or phone number. */
function hasName(columns: readonly FileColumn[]): boolean {
  return columns.some(({ becomes, filled }) => filled > 0 && NAME_FIELDS.has(becomes))
}

function noNameWarning(): Html {
  return html`<p class="notice warning">
    No column is imported as a name. Choose the column that holds the names, then preview again.
  </p>`
}

/** Closed for a known format, because its columns need no choice. */
function columnTable(
  columns: readonly FileColumn[],
  { header, isKnown }: { readonly header: readonly string[]; readonly isKnown: boolean },
): Html {
  if (header.length === 0) return NOTHING
  const rows = columns.map(
    (column, at) =>
      html`<tr>
        <td>
          <bdi>${column.name === '' ? t('(no name)') : column.name}</bdi>
          <small>${examplesOf(column)}</small>
        </td>
        <td>${fieldChoice(column, at, header[at] ?? '')}</td>
      </tr>`,
  )
  return html`<details
    ${attributes({ open: !hasName(columns) || (!isKnown && columns.length <= MAX_OPEN) })}
  >
    <summary>${countOf(columns.length, 'column')}</summary>
    ${table([t('Column'), t('Import as')], rows, 'even-columns')}
    <div class="actions">
      <button class="plain" name="action" value="preview">Preview again</button>
    </div>
  </details>`
}

/** Longer tables start collapsed. */
const MAX_OPEN = 12

function examplesOf({ filled, examples = [] }: FileColumn): Html {
  if (filled === 0) return html`Empty`
  return joinHtml(
    examples.map((example) => html`<bdi>${example}</bdi>`),
    ' · ',
  )
}

/** A choice of the field. The first one, which is empty, leaves the column as it is. */
function fieldChoice(column: FileColumn, at: number, header: string): Html {
  const { name, becomes, label } = column
  const present =
    label === undefined ? t(FIELD_LABELS[becomes]) : `${t(FIELD_LABELS[becomes])} (${label})`
  const others = COLUMN_FIELDS.filter((field) => label !== undefined || field !== becomes)
  const options = others.map(
    (field) => html`<option value="${field}">${t(FIELD_LABELS[field])}</option>`,
  )
  return html`<input type="hidden" name="header.${at}" value="${header}" />
    <select name="column.${at}" aria-label="Import ${name === '' ? t('this column') : name} as">
      <option value="">${present}</option>
      ${options}
    </select>`
}

/** The button that starts the import, or the reason why it cannot start. */
function start(page: PreviewPage): Html {
  const { plan, balance, credits } = page
  const { created, updated } = plan.report
  const other = html`<a class="button plain" href="${IMPORT_PATH}">Choose another file</a>`
  if (plan.report.rows > 0 && plan.report.rejected_count === plan.report.rows)
    return html`<p class="notice warning">
        No row of this file names a person. Choose which columns hold names, emails or phone
        numbers, then preview again.
      </p>
      <div class="actions">${other}</div>`
  if (plan.isWhole && created + updated === 0)
    return html`<p class="notice">
        This file contains nothing new. Importing it would make no changes.
      </p>
      <div class="actions">${other}</div>`
  if (balance.remaining < credits)
    return html`<p class="notice warning">
        An import costs ${countOf(credits, 'credit')}, and you have ${numberText(balance.remaining)}
        left. Your credits reset on ${utcLongDay(balance.resetsAt)}.
      </p>
      <div class="actions">${other}</div>`
  return html`${page.running ? runningNotice(page.running) : ''}
    <div class="actions"><button name="action" value="import">Import</button>${other}</div>
    <p class="quiet">
      You can undo it later. It costs ${countOf(credits, 'credit')} of your
      ${numberText(balance.remaining)}. Credits limit what imports and agents do in a month, and
      reset on ${utcLongDay(balance.resetsAt)}.
    </p>`
}

/** Possible without anything new, because later changes are imported only after the first import. */
function startBook({ plan, running }: PreviewPage): Html {
  const { created, updated } = plan.report
  return html`${created + updated === 0 ? html`<p class="notice">This address book contains nothing new.</p>` : NOTHING}
    ${running ? runningNotice(running) : NOTHING}
    <div class="actions">
      <button name="action" value="import">Import</button>
      <a class="button plain" href="${ADDRESS_BOOKS_PATH}">Back to address books</a>
    </div>
    <p class="quiet">
      You can undo it later. It costs no credits. From then on, Weft imports changed cards by
      itself.
    </p>`
}

function runningNotice(job: ActiveJob): Html {
  return html`<p class="notice warning">
    An import is running:
    <a href="${jobPath(job.job_id)}">${jobHeading(job, t(fileImportJob.title))}</a>. Import this
    file when it has finished.
  </p>`
}

function samples({ samples: contacts }: ImportPreview): Html {
  const title =
    contacts.length === 1
      ? t('First contact')
      : t('First {length} contacts', { length: contacts.length })
  const headings = [t('Name'), t('Company'), [t('Title'), 'extra'], [t('Email'), 'extra']] as const
  return panel('samples', title, table(headings, contacts.map(sample), 'even-columns'))
}

function sample({ name, company, title, emails }: ImportedContact): Html {
  return html`<tr>
    <td>${personName({ name })}</td>
    <td><bdi>${company ?? ''}</bdi></td>
    <td class="extra"><bdi>${title ?? ''}</bdi></td>
    <td class="extra"><bdi>${emails[0] ?? ''}</bdi></td>
  </tr>`
}
