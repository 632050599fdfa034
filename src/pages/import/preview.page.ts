/** What is in a file and what importing it would change, before anything is written. */

import { formTokenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { MAX_PREVIEW_ROWS, type ImportPreview } from '../../connections/import/preview-import.ts'
import { countOf } from '../ui/count-of.ts'
import { sizeText } from '../ui/byte-size.ts'
import { numberText } from '../ui/numbers.ts'
import { utcLongDay } from '../ui/time.ts'
import { IMPORT_PATH, importPreviewPath } from '../../html/site-map.ts'
import { formatName, importCounts, SKIPPED_NOTE, rejectedRows } from './report.ts'
import type { FileColumn } from '../../connections/import/formats/file-columns.ts'
import type { ImportedContact } from '../../connections/model/contact.ts'
import type { CreditBalance } from '../../credits/account.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { StoredUpload } from '../../jobs/uploads.ts'

export interface PreviewPage {
  readonly browser: SignedInRequest
  readonly upload: StoredUpload
  readonly plan: ImportPreview
  readonly balance: CreditBalance
  /** What an import costs. */
  readonly credits: number
}

export function previewPage(page: PreviewPage): Answer {
  const { browser, plan } = page
  const { member, formToken } = browser
  return memberPage({
    title: 'Before you import',
    member,
    current: 'import',
    formToken,
    body: html`!${found(page)} !${plan.samples.length === 0 ? '' : samples(plan)}
    !${rejectedRows(plan.report)}`,
  })
}

function found(page: PreviewPage): string {
  const { upload, plan } = page
  const { report, columns, isWhole } = plan
  return html`<section class="panel" aria-labelledby="found">
    <h2 id="found"><bdi>${upload.filename ?? 'The file'}</bdi></h2>
    <p>
      ${formatName(report)}, ${sizeText(upload.bytes)},
      ${isWhole ? countOf(report.rows, 'row') : `more than ${countOf(MAX_PREVIEW_ROWS, 'row')}`}.
      !${isWhole ? '' : `What is counted here are the first ${numberText(MAX_PREVIEW_ROWS)}.`}
    </p>
    !${importCounts(report, 'planned')}
    <p class="quiet">
      Changed are people whom you know and of whom the file says something new. What you or your
      agents typed stays as it is. ${report.skipped === 0 ? '' : SKIPPED_NOTE}
    </p>
    !${columnTable(columns)} !${start(page)}
  </section>`
}

/** More than that are shown where they are asked for. */
const MAX_OPEN = 12

function columnTable(columns: readonly FileColumn[]): string {
  if (columns.length === 0) return ''
  const left = columns.filter(({ becomes }) => becomes === null).length
  const rows = columns.map(
    ({ name, becomes }) =>
      html`<tr>
        <td><bdi>${name === '' ? '(no name)' : name}</bdi></td>
        <td>
          !${becomes === null ? html`<span class="quiet">left out</span>` : MEANINGS[becomes]}
        </td>
      </tr>`,
  )
  return html`<details !${columns.length > MAX_OPEN ? '' : 'open'}>
    <summary>
      ${countOf(columns.length, 'column')}${left === 0 ? '' : `, ${left} of them left out`}
    </summary>
    <table class="values">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Becomes</th>
        </tr>
      </thead>
      <tbody>
        !${rows}
      </tbody>
    </table>
  </details>`
}

const MEANINGS: Readonly<Record<NonNullable<FileColumn['becomes']>, string>> = {
  fullName: 'Name',
  givenName: 'Given name',
  familyName: 'Family name',
  company: 'Company',
  title: 'Role',
  location: 'Place',
  emails: 'E-mail address',
  phones: 'Phone number',
  urls: 'Profile or link',
  birthday: 'Birthday',
  connectedOn: 'Connected on',
  note: 'Note',
  labels: 'Tags',
}

/** The form that starts the import, or why there is nothing to start. */
function start({ browser, upload, plan, balance, credits }: PreviewPage): string {
  const { created, updated } = plan.report
  const other = html`<a class="button plain" href="${IMPORT_PATH}">Choose another file</a>`
  if (plan.isWhole && created + updated === 0)
    return html`<p class="notice">
        There is nothing new in this file: importing it would change nothing.
      </p>
      <div class="actions">!${other}</div>`
  if (balance.remaining < credits)
    return html`<p class="notice warning">
        An import costs ${countOf(credits, 'credit')}, and you have ${numberText(balance.remaining)}
        left. There are new ones on ${utcLongDay(balance.resetsAt)}.
      </p>
      <div class="actions">!${other}</div>`
  return html`<form method="post" action="${importPreviewPath(upload.upload_id)}">
    !${formTokenField(browser.formToken)}
    <p>
      Starting costs ${countOf(credits, 'credit')} of your ${numberText(balance.remaining)}. The
      import can be undone whole.
    </p>
    <div class="actions"><button>Start the import</button>!${other}</div>
  </form>`
}

function samples({ samples: contacts }: ImportPreview): string {
  return html`<section class="panel" aria-labelledby="samples">
    <h2 id="samples">
      ${contacts.length === 1 ? 'The first contact' : `The first ${contacts.length} contacts`}
    </h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Company</th>
          <th class="extra" scope="col">Role</th>
          <th class="extra" scope="col">E-mail</th>
        </tr>
      </thead>
      <tbody>
        !${contacts.map(sample)}
      </tbody>
    </table>
  </section>`
}

function sample({ name, company, title, emails }: ImportedContact): string {
  return html`<tr>
    <td><bdi>${name}</bdi></td>
    <td><bdi>${company ?? ''}</bdi></td>
    <td class="extra"><bdi>${title ?? ''}</bdi></td>
    <td class="extra"><bdi>${emails[0] ?? ''}</bdi></td>
  </tr>`
}
