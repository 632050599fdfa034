/** The page "Import", with the file upload form. */

import { formatBytes } from '../../base/format-bytes.ts'
import { fileField, formTokenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { MAX_UPLOAD_BYTES } from '../../jobs/uploads.ts'
import { countOf } from '../ui/count-of.ts'
import { IMPORT_PATH } from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

interface UploadPage {
  readonly browser: SignedInRequest
  /** The cost of an import. */
  readonly credits: number
  /** Why the uploaded file cannot be imported. */
  readonly error?: string
  readonly status?: number
}

export function uploadPage({ browser, credits, error, status = 200 }: UploadPage): Answer {
  const { member, formToken } = browser
  return memberPage({
    title: 'Import',
    member,
    current: 'import',
    formToken,
    status,
    body: html`<section class="panel" aria-labelledby="choose">
        <h2 id="choose">Import contacts</h2>
        <form method="post" action="${IMPORT_PATH}" enctype="multipart/form-data">
          ${formTokenField(formToken)}
          ${fileField({
            name: 'file',
            label: 'Contact file',
            accept: '.csv,.zip,.vcf,.txt,text/csv,text/vcard,application/zip',
            error,
            hint: `A LinkedIn, Google or Outlook export, or vCards, up to ${formatBytes(MAX_UPLOAD_BYTES)}. Choose a file or drop it here.`,
          })}
          <div class="actions"><button>Preview import</button></div>
        </form>
        <p class="quiet">
          You see the contents of the file and what would change before anything is imported.
          Previewing is free. An import costs ${countOf(credits, 'credit')}.
        </p>
      </section>
      ${WHERE}`,
  })
}

const WHERE = html`<section class="panel" aria-labelledby="where">
  <h2 id="where">How to get the file</h2>
  <div class="ways">
    <details>
      <summary>LinkedIn</summary>
      <div>
        <p>
          Open Settings › Data privacy › Get a copy of your data and select Connections. LinkedIn
          sends a link within minutes. Upload the zip file, or the Connections.csv inside it.
        </p>
      </div>
    </details>
    <details>
      <summary>Google Contacts</summary>
      <div><p>Open contacts.google.com, choose Export, then Google CSV or vCard.</p></div>
    </details>
    <details>
      <summary>Outlook</summary>
      <div><p>Open People, choose Manage contacts, then Export contacts.</p></div>
    </details>
    <details>
      <summary>Phone or Mac</summary>
      <div>
        <p>Open Contacts, select all, and share or export them as one vCard file (.vcf).</p>
      </div>
    </details>
  </div>
</section>`
