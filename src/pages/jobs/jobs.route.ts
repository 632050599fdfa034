/** `/user/jobs`: lists a member's jobs with progress, and cancels them. */

import { t } from '../../languages/message.ts'
import { describeChanges, type DescribedChange } from '../activity/described-change.ts'
import { timesOf } from '../../ui/time.ts'
import {
  findChange,
  findChangeOf,
  type ListedChange,
} from '../../tools/activity-log/read-activity.ts'
import { undoneChanges } from '../../tools/activity-log/undone-changes.ts'
import { JOBS_PATH, IMPORT_PATH, CANCEL_JOB_PATH, jobPath } from '../../html/site-map.ts'
import { type StoredJob, isTerminal } from '../../jobs/job-record.ts'
import { BY_TIME, cursorOf, pager } from '../../ui/pager.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { findJob, requireJob, requestCancel } from '../../jobs/start-job.ts'
import { type PageDeps, pageRoute, formRoute } from '../../forms/page-route.ts'
import { eventStream, seeOther } from '../../http/response.ts'
import { jobNoticeOf, jobNoticePath } from '../../ui/job-notices.ts'
import { jobEvents } from './job-events.ts'
import { jobItem } from '../../ui/job-item.ts'
import { html } from '../../html/html.ts'
import { readNoticed } from '../activity/read-noticed.ts'
import { readJobPage } from '../../jobs/job-list.ts'
import { readImportedPeople } from './job-result.ts'
import { jobPage } from './job.page.ts'
import { buttonLink, itemList, emptyNote } from '../../ui/sections.ts'
import * as Type from '../../base/type.ts'
import { hasBackward, relationsRoute } from './relations.route.ts'
import { readInterrupted } from './interrupted-import.ts'
import { memberPage } from '../../html/member-layout.ts'
import { readJobId } from '../../jobs/jobs.route.ts'
import type { Job } from '../../jobs/job.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Route } from '../../http/route.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface JobPageDeps extends PageDeps {
  readonly jobs: readonly Job[]
  readonly undoers: readonly Undoer[]
  /** Notifies the worker that a running job should be cancelled. */
  readonly wake: () => void
}

const PAGE_SIZE = 25
const BY_ID = Type.Object({ job_id: Type.String() })

export function jobPageRoutes(deps: JobPageDeps): Route[] {
  return [
    listRoute(deps),
    showRoute(deps),
    eventsRoute(deps),
    cancelRoute(deps),
    relationsRoute(deps),
  ]
}

function listRoute(deps: JobPageDeps): Route {
  return pageRoute(deps, {
    path: JOBS_PATH,
    async handle({ search, browser, db, now }) {
      const cursor = cursorOf(search)
      const { jobs, nextCursor: next } = await readJobPage(db, { limit: PAGE_SIZE }, cursor)
      const list = { times: timesOf(browser, now), titleOf: titlesIn(deps) }
      return memberPage({
        title: t('Background jobs'),
        browser,
        current: 'jobs',
        actions: buttonLink(IMPORT_PATH, t('Import a file')),
        body: html`<section class="panel" aria-label="Background jobs">
            ${itemList(
              jobs.map((job) => jobItem(job, list)),
              emptyNote(
                t(
                  'No background jobs yet. Long-running work, such as importing a contact file, appears here.',
                ),
              ),
            )}
          </section>
          ${pager({ path: JOBS_PATH, cursor, next, labels: BY_TIME })}`,
      })
    },
  })
}

function showRoute(deps: JobPageDeps): Route {
  return pageRoute(deps, {
    path: `${JOBS_PATH}/:job_id`,
    params: BY_ID,
    async handle({ params, search, browser, db, now }) {
      const job = await requireJob(db, readJobId(params.job_id))
      const imported = await findImport(db, job)
      return jobPage({
        browser,
        times: timesOf(browser, now),
        job,
        title: titlesIn(deps)(job.kind),
        notice: jobNoticeOf(search, isTerminal(job.state)),
        noticed: await readNoticed(db, search, deps.undoers),
        change: imported && (await undoableChange(db, imported, deps.undoers)),
        hasBackwardRelations: await hasBackward(db, job),
        people: await readImportedPeople(db, job),
        interrupted: await readInterrupted(db, job, { imported, now }),
      })
    },
  })
}

function eventsRoute(deps: JobPageDeps): Route {
  return pageRoute(deps, {
    path: `${JOBS_PATH}/:job_id/events`,
    limit: LIMITS.jobs,
    params: BY_ID,
    async handle({ params, db }) {
      const { job_id } = await requireJob(db, readJobId(params.job_id))
      return eventStream(jobEvents(() => findJob(db, job_id), deps))
    },
  })
}

function cancelRoute(deps: JobPageDeps): Route {
  return formRoute(deps, {
    path: CANCEL_JOB_PATH,
    async handle({ body, db, now }) {
      const jobId = readJobId(body.get('job_id') ?? '')
      const job = await db.write((tx) => requestCancel(tx, jobId, now))
      if (!isTerminal(job.state)) deps.wake()
      const hasEnded = isTerminal(job.state) && job.state !== 'cancelled'
      return seeOther(hasEnded ? jobPath(jobId) : jobNoticePath(jobId, 'cancelled'))
    },
  })
}

function titlesIn({ jobs }: JobPageDeps): (kind: string) => string {
  return (kind) => t(jobs.find((one) => one.kind === kind)?.title ?? kind)
}

/** The change made by an import that has ended. */
async function findImport(
  reader: MemberReader,
  { job_id, state }: StoredJob,
): Promise<ListedChange | undefined> {
  if (!isTerminal(state)) return undefined
  const subject = { subjectKind: 'job', subjectId: String(job_id) }
  return findChangeOf(reader, { action: 'connections.import', ...subject })
}

/** The change or, if it is undone, the undo. */
async function undoableChange(
  reader: MemberReader,
  done: ListedChange,
  undoers: readonly Undoer[],
): Promise<DescribedChange | undefined> {
  const undoneBy = (await undoneChanges(reader)).get(done.activityId)
  const standing = undoneBy === undefined ? done : await findChange(reader, undoneBy)
  if (!standing) return undefined
  const [described] = await describeChanges(reader, [{ ...standing, undoneBy: undefined }], undoers)
  return described
}
