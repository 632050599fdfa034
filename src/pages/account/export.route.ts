/** Creates an archive of all of a member's data, and downloads it. */

import * as Type from '../../base/type.ts'
import { exportAnswer, ZIP_TYPE } from '../../exports/export-response.ts'
import { exportDataJob } from '../../exports/export-data.job.ts'
import { findExport } from '../../exports/export-store.ts'
import { findSubmitted, submissionOf } from '../../guards/form-submission.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { jobNoticePath } from '../ui/job-notices.ts'
import { startJobOnce, type StartedOnce } from '../ui/start-job-once.ts'
import { confirmRecent, useConfirmation } from './confirm-recent.ts'
import { CONFIRMATION } from './passkey-confirm-form.ts'
import { MAX_ACCOUNT_FORM_BYTES, showAccount, type AccountDeps } from './account-deps.ts'
import { ACCOUNT_PATH, ACCOUNT_EXPORT_PATH, exportFilePath } from '../../html/site-map.ts'

export interface ExportDeps extends AccountDeps {
  /** `WEFT_MONTHLY_CREDITS` */
  readonly quota: number
  /** Notifies the worker that a job is queued. */
  readonly wake: () => void
}

export function exportRoutes(deps: ExportDeps): Route[] {
  return [startRoute(deps), downloadRoute(deps)]
}

function startRoute(deps: ExportDeps): Route {
  const { database, clock, publicUrl, quota, wake } = deps
  const definition = exportDataJob({ publicUrl })
  return defineRoute({
    method: 'POST',
    path: ACCOUNT_EXPORT_PATH,
    operationId: 'exportAccount',
    summary: "Export all of the member's data",
    access: 'session',
    limit: LIMITS.jobs,
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: {
      303: { description: 'Redirects to the page of the job that was started or already running' },
      422: { description: 'The confirmation is wrong; the page with errors', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser, address }) {
      const now = clock.now()
      const db = database.member(browser.member.memberId)
      const submission = submissionOf({ browser, body, form: ACCOUNT_EXPORT_PATH, now })
      // A confirmation can be used only once.
      const earlier = await findSubmitted<StartedOnce>(db, submission)
      if (earlier) return exportingPage(earlier)
      const confirmation = body.get(CONFIRMATION) ?? ''
      const typed = body.get('export_password') ?? ''
      const wrong =
        confirmation === ''
          ? await confirmRecent(deps, { browser, address, typed })
          : await useConfirmation(deps, browser, { action: 'export_data', confirmation })
      if (wrong !== undefined)
        return showAccount(deps, browser, { invalid: { errors: { export_password: wrong } } })
      const start = { definition, input: {}, quota, now, submission }
      const exporting = await startJobOnce(db, start)
      if (exporting.started) wake()
      return exportingPage(exporting)
    },
  })
}

function exportingPage({ jobId, started }: StartedOnce): Answer {
  return seeOther(jobNoticePath(jobId, started ? 'exporting' : 'exporting_already'))
}

function downloadRoute({ database, clock }: ExportDeps): Route {
  return defineRoute({
    method: 'GET',
    path: exportFilePath(':export_id'),
    operationId: 'downloadAccountExport',
    summary: 'Download an export',
    access: 'session',
    limit: LIMITS.jobs,
    params: Type.Object({ export_id: Type.String() }),
    answers: {
      200: { description: 'The zip file', type: ZIP_TYPE },
      404: { description: 'Export not found or expired', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params, browser }) {
      const db = database.member(browser.member.memberId)
      const stored = await findExport(db, params.export_id, clock.now())
      return stored ? { ...exportAnswer(db, stored), page: true } : GONE
    },
  })
}

const GONE = messagePage({
  status: 404,
  title: 'This export is no longer available',
  text: 'Exports are kept for 7 days, or until you create a new one.',
  action: { href: `${ACCOUNT_PATH}#export`, label: 'Go to your account' },
})
