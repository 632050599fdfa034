/** `/user/jobs`: lists a member's jobs with progress, and cancels them. */

import * as Type from '../../base/type.ts'
import { errorPage } from '../../html/message.page.ts'
import { eventStream, seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { readJobPage } from '../../jobs/job-list.ts'
import { isTerminal, type StoredJob } from '../../jobs/job-record.ts'
import { readJobId } from '../../jobs/jobs.route.ts'
import { findJob, requestCancel, requireJob } from '../../jobs/start-job.ts'
import {
  findChange,
  findChangeOf,
  undoneChanges,
  type ListedChange,
} from '../../tools/read-activity.ts'
import { readNoticed } from '../activity/change-notice.ts'
import { describeChanges, type DescribedChange } from '../activity/described-change.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import { jobEvents } from './job-events.ts'
import { readInterrupted } from './interrupted-import.ts'
import { jobPage } from './job.page.ts'
import { jobsPage } from './jobs.page.ts'
import { noticeOf, jobNoticePath } from '../ui/job-notices.ts'
import { CANCEL_JOB_PATH, jobPath, JOBS_PATH } from '../../html/site-map.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database, MemberReader } from '../../db/database.ts'
import type { Job } from '../../jobs/job.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface JobPageDeps {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: readonly Job[]
  readonly undoers: readonly Undoer[]
  /** Notifies the worker that a running job should be cancelled. */
  readonly wake: () => void
}

const MAX_FORM_BYTES = 4 * 1024
const PAGE_SIZE = 25

const BY_ID = Type.Object({ job_id: Type.String() })
const NO_JOB = { description: 'The member has no such job', type: 'text/html' }

export function jobPageRoutes(deps: JobPageDeps): Route[] {
  return [listRoute(deps), showRoute(deps), eventsRoute(deps), cancelRoute(deps)]
}

function listRoute({ database, clock, jobs: kinds }: JobPageDeps): Route {
  return defineRoute({
    method: 'GET',
    path: JOBS_PATH,
    operationId: 'showJobs',
    summary: 'List jobs',
    access: 'session',
    answers: PAGED_ANSWERS,
    onError: errorPage,
    async handle({ search, browser }) {
      const db = database.member(browser.member.memberId)
      const cursor = cursorOf(search)
      const { jobs, nextCursor } = await readJobPage(db, { limit: PAGE_SIZE }, cursor)
      return jobsPage({
        browser,
        times: timesOf(browser, clock.now()),
        jobs,
        older: nextCursor,
        isNewest: cursor === undefined,
        titleOf: (kind) => titleOf(kinds, kind),
      })
    },
  })
}

function showRoute({ database, clock, jobs: kinds, undoers }: JobPageDeps): Route {
  return defineRoute({
    method: 'GET',
    path: `${JOBS_PATH}/:job_id`,
    operationId: 'showJob',
    summary: 'Show a job',
    access: 'session',
    params: BY_ID,
    answers: { 200: { description: 'The page', type: 'text/html' }, 404: NO_JOB },
    onError: errorPage,
    async handle({ params, search, browser }) {
      const db = database.member(browser.member.memberId)
      const job = await requireJob(db, readJobId(params.job_id))
      const imported = await findImport(db, job)
      return jobPage({
        browser,
        times: timesOf(browser, clock.now()),
        job,
        title: titleOf(kinds, job.kind),
        notice: noticeOf(search, isTerminal(job.state)),
        noticed: await readNoticed(db, search, undoers),
        change: imported && (await undoableChange(db, imported, undoers)),
        interrupted: await readInterrupted(db, job, { imported, now: clock.now() }),
      })
    },
  })
}

function eventsRoute({ database, clock }: JobPageDeps): Route {
  return defineRoute({
    method: 'GET',
    path: `${JOBS_PATH}/:job_id/events`,
    operationId: 'watchJob',
    summary: 'Stream the progress of a job',
    access: 'session',
    limit: LIMITS.jobs,
    params: BY_ID,
    answers: { 200: { description: 'Events', type: 'text/event-stream' }, 404: NO_JOB },
    onError: errorPage,
    async handle({ params, browser }) {
      const db = database.member(browser.member.memberId)
      const { job_id } = await requireJob(db, readJobId(params.job_id))
      return eventStream(jobEvents(() => findJob(db, job_id), { clock }))
    },
  })
}

function cancelRoute({ database, clock, wake }: JobPageDeps): Route {
  return defineRoute({
    method: 'POST',
    path: CANCEL_JOB_PATH,
    operationId: 'cancelJobByHand',
    summary: 'Cancel a job',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: { 303: { description: 'Done; back to the page of the job' }, 404: NO_JOB },
    onError: errorPage,
    async handle({ body, browser }) {
      const jobId = readJobId(body.get('job_id') ?? '')
      const job = await database
        .member(browser.member.memberId)
        .write((tx) => requestCancel(tx, jobId, clock.now()))
      if (!isTerminal(job.state)) wake()
      const hasEnded = isTerminal(job.state) && job.state !== 'cancelled'
      return seeOther(hasEnded ? jobPath(jobId) : jobNoticePath(jobId, 'cancelled'))
    },
  })
}

function titleOf(kinds: readonly Job[], kind: string): string {
  return kinds.find((one) => one.kind === kind)?.title ?? kind
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
