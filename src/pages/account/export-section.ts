/** Data export: the latest archive, and the form that starts a new one. */

import { t } from '../../languages/message.ts'
import { formKeyField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { ACCOUNT_EXPORT_PATH, exportFilePath, jobPath } from '../../html/site-map.ts'
import { sizeText } from '../../ui/numbers.ts'
import { SIGN_IN_AGAIN, isFresh } from './confirm-identity.ts'
import { disclosure, panel } from '../../ui/sections.ts'
import { confirmByPasskey, confirmFields, FORMS, PASSWORD_FIELDS } from './confirm-form.ts'
import type { StoredExport } from '../../exports/export-store.ts'
import type { StoredJob } from '../../jobs/job-record.ts'
import type { Times } from '../../ui/time.ts'
import type { AccountPage } from './account-view.ts'

export function exportSection(page: AccountPage): Html {
  const { latestExport: latest, runningExport: running, times } = page
  const body = html`<p class="quiet">
      Download all your data as one zip file: people as CSV and vCard for address books, and as JSON
      your people with tags, notes and follow-ups, your profile, activity, credits, background jobs,
      and the names of your agents and tokens. Passwords and token secrets are not included.
    </p>
    ${latest ? downloadLine(latest, times) : ''}
    ${running ? exportInProgress(running) : startForm(page, latest !== undefined)}`
  return panel('export', t('Export'), body)
}

/** The creation time is omitted on the page of the job itself. */
type Download = Omit<StoredExport, 'completedAt'> & Partial<Pick<StoredExport, 'completedAt'>>

/** A link to an archive, with its size and expiration date. */
export function downloadLine(
  { exportId, filename, bytes, expiresAt, completedAt }: Download,
  times: Times,
): Html {
  const href = exportFilePath(exportId)
  return html`<p><a class="button file" href="${href}" download>Download ${filename}</a></p>
    <p class="quiet">
      ${sizeText(bytes)}, available until ${times.longDay(expiresAt)}.
      ${completedAt === undefined ? '' : html`Created ${times.ago(completedAt)}.`}
    </p>`
}

function exportInProgress({ job_id }: StoredJob): Html {
  return html`<p class="notice">
    Your export is being created. <a href="${jobPath(job_id)}">View progress</a>
  </p>`
}

/** A member whose sign-in is not recent enters the password, uses a passkey, or signs in again. */
function startForm(page: AccountPage, isAnother: boolean): Html {
  const { browser, times, hasPassword } = page
  const isKnown = isFresh(browser.member, times.now)
  const fields = hasPassword
    ? confirmFields(page, 'export_data')
    : html`<p class="notice">${SIGN_IN_AGAIN}</p>`
  const label = isAnother ? t('Create new export') : t('Export everything')
  const form = html`<form method="post" action="${ACCOUNT_EXPORT_PATH}">
    ${formKeyField()} ${isKnown ? '' : fields}
    <button class="plain">${label}</button>
  </form>`
  if (isKnown) return html`<div class="with-act">${form}</div>`
  const { invalid, confirmed } = page
  const isOpen =
    invalid?.errors[PASSWORD_FIELDS.export_data] !== undefined ||
    confirmed?.action === 'export_data'
  const body = html`<div>${form} ${confirmByPasskey(page, 'export_data')}</div>`
  return disclosure(label, body, { isOpen, group: FORMS })
}
