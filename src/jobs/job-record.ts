/** A job as it is stored, and as it is published. */

import Type, { type Static } from 'typebox'
import { DAY, rfc3339, SECOND } from '../base/clock.ts'
import { periodOf } from '../credits/account.ts'
import type { JobProgress } from './job.ts'

/** `queued -> running -> succeeded | failed | cancelled`; an interrupted job goes back to `queued`. */
export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

/** The columns of a `StoredJob`; what a worker needs beside them stays in `job-hold.ts`. */
export const JOB_COLUMNS =
  'job_id, kind, state, credits, charged_period, credential_id, progress_done, progress_total, progress_message, result, error, cancel_requested_at, created_at, started_at, finished_at'

/** A row of `jobs`. Times are milliseconds, `result` and `error` JSON text. */
export interface StoredJob {
  readonly job_id: number
  readonly kind: string
  readonly state: JobState
  /** What was charged for it. */
  readonly credits: number
  /** The month it was charged in; null for one that was started before this was kept. */
  readonly charged_period: number | null
  readonly credential_id: string | null
  readonly progress_done: number
  readonly progress_total: number | null
  readonly progress_message: string | null
  readonly result: string | null
  readonly error: string | null
  readonly cancel_requested_at: number | null
  readonly created_at: number
  readonly started_at: number | null
  readonly finished_at: number | null
}

/** Why a job failed, as its `error` says it. */
export interface JobError {
  readonly code: string
  readonly title: string
  readonly detail: string
}

/** A finished job is kept for so long, and with it what undoing an import needs. */
export const FINISHED_JOB_KEPT = 90 * DAY

/** Jobs of one kind that a member keeps; older ones go when another starts. */
export const MAX_JOBS_PER_KIND = 20

const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const TIME = Type.String({ format: 'date-time' })

export const JOB = Type.Object(
  {
    object: Type.Literal('job'),
    job_id: Type.Integer({ description: 'The `task_id` that a tool returned, as a number' }),
    kind: Type.String(),
    state: Type.Enum([...JOB_STATES]),
    terminal: Type.Boolean({ description: 'True once the job has ended' }),
    progress: Type.Object({
      done: Type.Integer(),
      total: orNull(Type.Integer()),
      message: orNull(Type.String()),
    }),
    result: Type.Unknown({ description: 'Filled once the state is `succeeded`, else null' }),
    error: orNull(
      Type.Object({ code: Type.String(), title: Type.String(), detail: Type.String() }),
    ),
    created_at: TIME,
    started_at: orNull(TIME),
    finished_at: orNull(TIME),
    poll: Type.String({ format: 'uri', description: 'Where to ask how far it is' }),
  },
  { description: 'Work that takes longer than one call' },
)
export type PublishedJob = Readonly<Static<typeof JOB>>

export function publishJob(job: StoredJob, publicUrl: string): PublishedJob {
  return {
    object: 'job',
    job_id: job.job_id,
    kind: job.kind,
    state: job.state,
    terminal: isTerminal(job.state),
    progress: progressOf(job),
    result: job.result === null ? null : (JSON.parse(job.result) as unknown),
    error: job.error === null ? null : (JSON.parse(job.error) as JobError),
    created_at: rfc3339(job.created_at),
    started_at: rfc3339(job.started_at),
    finished_at: rfc3339(job.finished_at),
    poll: jobUrl(job.job_id, publicUrl),
  }
}

/** The month that a refund of the job's credits returns to. */
export function chargedPeriodOf({
  charged_period,
  created_at,
}: Pick<StoredJob, 'charged_period' | 'created_at'>): number {
  return charged_period ?? periodOf(created_at).periodStart
}

export function jobUrl(jobId: number, publicUrl: string): string {
  return `${publicUrl}/api/jobs/${jobId}`
}

export function isTerminal(state: JobState): boolean {
  return state !== 'queued' && state !== 'running'
}

export function progressOf(job: StoredJob): JobProgress {
  return { done: job.progress_done, total: job.progress_total, message: job.progress_message }
}

const SOONEST_POLL = 1
const LATEST_POLL = 10

/**
 * In how many seconds to ask again, 1 to 10: the time the rest will take at the pace so far, so that a short job is
 * seen to end soon and a long one is not asked after all the time.
 */
export function retryAfter(job: StoredJob, now: number): number {
  const { progress_done: done, progress_total: total, started_at } = job
  if (job.state !== 'running' || started_at === null || total === null || done <= 0)
    return SOONEST_POLL
  const remaining = ((total - done) * (now - started_at)) / done
  return Math.min(LATEST_POLL, Math.max(SOONEST_POLL, Math.ceil(remaining / SECOND)))
}
