/** Offers to turn around the relations of an import that read them backwards, and does it. */

import { t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import { checkSchema } from '../../base/schema.ts'
import { fileImportJob } from '../../imports/file-import.job.ts'
import { ImportReport } from '../../imports/import-report.ts'
import { hasBackwardRelations, turnRelations } from '../../imports/turn-relations.ts'
import { html, type Html } from '../../html/html.ts'
import { formKeyField } from '../../html/form.ts'
import { JOB_RELATIONS_PATH, jobPath } from '../../html/site-map.ts'
import { formRoute, type PageDeps } from '../../forms/page-route.ts'
import { seeOther } from '../../http/response.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { readJobId } from '../../jobs/jobs.route.ts'
import { requireJob } from '../../jobs/start-job.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { changeOnce } from '../../ui/manual-change.ts'
import { panel } from '../../ui/sections.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Route } from '../../http/route.ts'
import type { StoredJob } from '../../jobs/job-record.ts'

export function relationsRoute(deps: PageDeps): Route {
  return formRoute(deps, {
    path: JOB_RELATIONS_PATH,
    limit: LIMITS.jobs,
    params: Type.Object({ job_id: Type.String() }),
    async handle(request) {
      const jobId = readJobId(request.params.job_id)
      const changed = await changeOnce(request, async (changing) =>
        (await hasBackward(changing.tx, await requireJob(changing.tx, jobId)))
          ? turnRelations(changing, jobId)
          : undefined,
      )
      return seeOther(changeNoticePath(jobPath(jobId), changed))
    },
  })
}

export async function hasBackward(
  reader: MemberReader,
  { job_id, kind, result }: StoredJob,
): Promise<boolean> {
  if (kind !== fileImportJob.kind || result === null) return false
  const report = checkSchema(ImportReport, JSON.parse(result))
  return report.ok && hasBackwardRelations(reader, job_id, report.value)
}

export function relationsOffer({ job_id }: StoredJob): Html {
  const action = JOB_RELATIONS_PATH.replace(':job_id', String(job_id))
  return panel(
    'relations',
    t('Relations are backwards'),
    html`<form method="post" action="${action}">
      ${formKeyField()}
      <p>
        This import read relations the wrong way: the page of a mother calls her daughter her
        parent. Turning them around changes only relations that you have not edited. You can undo
        it.
      </p>
      <div class="actions"><button>Turn relations around</button></div>
    </form>`,
  )
}
