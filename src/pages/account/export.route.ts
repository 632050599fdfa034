/** Creates an archive of all of a member's data, and downloads it. */

import { phrase } from '../../languages/message.ts'
import { exportDataJob } from '../../exports/export-data.job.ts'
import { startJobOnce, type StartedOnce } from '../../ui/start-job-once.ts'
import { ACCOUNT_PATH, ACCOUNT_EXPORT_PATH, exportFilePath } from '../../html/site-map.ts'
import { jobNoticePath } from '../../ui/job-notices.ts'
import { useConfirmation, confirmRecent } from './confirm-identity.ts'
import { CONFIRMATION, PASSWORD_FIELDS } from './confirm-form.ts'
import { showAccount } from './account.page.ts'
import { findExport } from '../../exports/export-store.ts'
import { notFoundPage } from '../../html/message.page.ts'
import { exportAnswer } from '../../exports/export-response.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import { type Answer, seeOther } from '../../http/response.ts'
import { findSubmitted } from '../../forms/submission.ts'
import * as Type from '../../base/type.ts'
import type { AccountDeps } from './account-view.ts'
import type { Route } from '../../http/route.ts'

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
  const { publicUrl, quota, wake } = deps
  const definition = exportDataJob({ publicUrl })
  return formRoute(deps, {
    path: ACCOUNT_EXPORT_PATH,
    limit: LIMITS.jobs,
    async handle(request) {
      const { body, db, now, submission } = request
      // A confirmation can be used only once.
      const earlier = await findSubmitted<StartedOnce>(db, submission)
      if (earlier) return exportingPage(earlier)
      const confirmation = body.get(CONFIRMATION) ?? ''
      const typed = body.get(PASSWORD_FIELDS.export_data) ?? ''
      const wrong =
        confirmation === ''
          ? await confirmRecent(deps, request, typed)
          : await useConfirmation(deps, request, { action: 'export_data', confirmation })
      if (wrong !== undefined) {
        const errors = { [PASSWORD_FIELDS.export_data]: wrong }
        return showAccount(deps, request, { invalid: { errors } })
      }
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

function downloadRoute(deps: ExportDeps): Route {
  return pageRoute(deps, {
    path: exportFilePath(':export_id'),
    limit: LIMITS.jobs,
    params: Type.Object({ export_id: Type.String() }),
    async handle({ params, db, now }) {
      const stored = await findExport(db, params.export_id, now)
      return stored ? { ...exportAnswer(db, stored), page: true } : GONE
    },
  })
}

const GONE = notFoundPage(
  phrase('This export is no longer available'),
  phrase('Exports are kept for 7 days, or until you create a new one.'),
  { href: `${ACCOUNT_PATH}#export`, label: phrase('Go to your account') },
)
