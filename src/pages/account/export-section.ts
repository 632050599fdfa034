/** Everything that a member has here, to take along: an archive that is there, and the way to make one. */

import { formTokenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { sizeText } from '../ui/byte-size.ts'
import { ACCOUNT_EXPORT_PATH, exportFilePath, jobPath } from '../../html/site-map.ts'
import type { StoredExport } from '../../exports/export-store.ts'
import type { StoredJob } from '../../jobs/job-record.ts'
import type { Times } from '../ui/time.ts'
import type { AccountPage } from './account-view.ts'

export function exportSection({ exports, browser, times }: AccountPage): string {
  const { latest, running } = exports
  return html`<section class="panel" aria-labelledby="export">
    <h2 id="export">Your data</h2>
    <p>
      Everything you have here as one zip file: connections for address books (CSV and vCard), and
      as JSON all of them with tags, notes and follow-ups, your profile, activity, credits, jobs,
      and the names of what can reach your network. Never a password or a token's secret.
    </p>
    !${latest ? downloadLine(latest, times) : ''}
    !${running ? inTheMaking(running) : startForm(browser.formToken, latest !== undefined)}
  </section>`
}

/** When it was made goes without saying where the job itself is shown. */
type Download = Omit<StoredExport, 'completedAt'> & Partial<Pick<StoredExport, 'completedAt'>>

/** A link to an archive, how large it is, and until when it is there. */
export function downloadLine(
  { exportId, filename, bytes, expiresAt, completedAt }: Download,
  times: Times,
): string {
  const href = exportFilePath(exportId)
  return html`<p><a class="button file" href="${href}" download>Download ${filename}</a></p>
    <p class="quiet">
      ${sizeText(bytes)}, until ${times.longDay(expiresAt)}.
      !${completedAt === undefined ? '' : html`It holds what was there !${times.ago(completedAt)}.`}
    </p>`
}

function inTheMaking({ job_id }: StoredJob): string {
  return html`<p class="notice">
    An archive is being written: <a href="${jobPath(job_id)}">see how far it is</a>.
  </p>`
}

function startForm(formToken: string, isAnother: boolean): string {
  return html`<form method="post" action="${ACCOUNT_EXPORT_PATH}">
    !${formTokenField(formToken)}
    <div class="actions">
      <button class="plain">
        ${isAnother ? 'Export everything as it is now' : 'Export everything'}
      </button>
    </div>
  </form>`
}
