/** The page "Import", with the file upload form. */

import { t } from '../../languages/message.ts'
import { formatBytes } from '../../base/format-bytes.ts'
import { fileImportJob } from '../../imports/file-import.job.ts'
import { ENCODINGS } from '../../contact-files/bytes/encodings.ts'
import { fileField, selectField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { MAX_UPLOAD_BYTES } from '../../jobs/uploads.ts'
import { jobItem } from '../../ui/job-item.ts'
import { ADDRESS_BOOKS_PATH, IMPORT_PATH, SHARE_PATH } from '../../html/site-map.ts'
import { itemList, panel } from '../../ui/sections.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { StoredJob } from '../../jobs/job-record.ts'
import type { Times } from '../../ui/time.ts'

export interface UploadPage {
  readonly browser: SignedInRequest
  readonly times: Times
  /** The latest imports, newest first. */
  readonly recent: readonly StoredJob[]
  /** Why the uploaded file cannot be imported. */
  readonly error?: string
  /** Asks for the text encoding, because it could not be detected. */
  readonly asksEncoding?: boolean
  readonly status?: number
}

export function uploadPage(page: UploadPage): Answer {
  const { browser, error, asksEncoding = false, status = 200 } = page
  return memberPage({
    title: t('Import'),
    browser,
    current: 'import',
    status,
    body: html`<section class="panel" aria-labelledby="choose">
        <h2 id="choose" class="unseen">Import contacts</h2>
        <p class="quiet">
          You see the contents of the file and what would change before anything is imported.
          Previewing is free.
        </p>
        <form method="post" action="${IMPORT_PATH}" enctype="multipart/form-data">
          ${asksEncoding ? encodingField() : ''}
          ${fileField({
            name: 'file',
            label: t('Contact file'),
            accept:
              '.csv,.tsv,.txt,.xlsx,.vcf,.zip,.json,.ldif,text/csv,text/vcard,application/zip,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
            error,
            hint: t(
              'A LinkedIn, Google or Outlook export, any table of contacts (CSV or Excel), or vCards, up to {maxUploadBytes}.',
              { maxUploadBytes: formatBytes(MAX_UPLOAD_BYTES) },
            ),
          })}
          <div class="actions"><button>Preview import</button></div>
        </form>
      </section>
      ${recentImports(page)} ${wherePanel()}`,
  })
}

function recentImports({ times, recent }: UploadPage): Html {
  if (recent.length === 0) return NOTHING
  const titleOf = () => t(fileImportJob.title)
  const items = recent.map((job) => jobItem(job, { times, titleOf }))
  return panel('recent', t('Recent imports'), itemList(items))
}

/** Comes before the file, so that it arrives first. */
function encodingField(): Html {
  return selectField({
    name: 'encoding',
    label: t('Text encoding'),
    value: '',
    options: [
      { value: '', label: t('Detect automatically') },
      ...ENCODINGS.map((encoding) => ({ value: encoding, label: encoding })),
    ],
    hint: t('Choose the encoding in which the file was saved, then choose the file again.'),
  })
}

function wherePanel(): Html {
  return html`<section class="panel" aria-labelledby="where">
    <h2 id="where">How to get the file</h2>
    <div class="ways">
      <details name="source">
        <summary>LinkedIn</summary>
        <div>
          <p>
            Open Settings › Data privacy › Get a copy of your data and select Connections. LinkedIn
            sends a link within minutes. Upload the zip file, or the Connections.csv inside it.
          </p>
        </div>
      </details>
      <details name="source">
        <summary>Google Contacts</summary>
        <div><p>Open contacts.google.com, choose Export, then Google CSV or vCard.</p></div>
      </details>
      <details name="source">
        <summary>Outlook</summary>
        <div><p>Open People, choose Manage contacts, then Export contacts.</p></div>
      </details>
      <details name="source">
        <summary>Phone or Mac</summary>
        <div>
          <p>Open Contacts, select all, and share or export them as one vCard file (.vcf).</p>
        </div>
      </details>
      <details name="source">
        <summary>Monica</summary>
        <div><p>Open Settings › Export data and export as JSON.</p></div>
      </details>
      <details name="source">
        <summary>Nextcloud, iCloud, Fastmail and other servers</summary>
        <div>
          <p>
            Without a file: <a href="${ADDRESS_BOOKS_PATH}">Subscribe to an address book</a>. Weft
            reads it every 30 minutes.
          </p>
        </div>
      </details>
      <details name="source">
        <summary>Web pages and other apps</summary>
        <div>
          <p><a href="${SHARE_PATH}">Save from other pages and apps</a></p>
        </div>
      </details>
    </div>
  </section>`
}
