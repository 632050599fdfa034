/** The stored and the published form of a job. */

import type { Message } from '../languages/message.ts'
import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { rfc3339, SECOND } from '../base/clock.ts'
import type { JobProgress } from './job.ts'

/** `queued -> running -> succeeded | failed | cancelled`. An interrupted job returns to `queued`. */
export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

/** The columns of a `StoredJob`. `job-lease.ts` reads the additional columns for workers. */
export const JOB_COLUMNS =
  'job_id, kind, state, credits, charged_period, credential_id, progress_done, progress_total, progress_message, result, error, cancel_requested_at, created_at, started_at, finished_at, expires_at, filename'

/** A row of `jobs`. Times are milliseconds, `result` and `error` JSON text. */
export interface StoredJob {
  readonly job_id: number
  readonly kind: string
  readonly state: JobState
  readonly credits: number
  /** The month in which it was charged, to which it is refunded. */
  readonly charged_period: number
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
  /** When the sweep may delete it; null until it ends. */
  readonly expires_at: number | null
  /** Name of the file that it reads; null if it reads none, or one without a name. */
  readonly filename: string | null
}

export interface JobError {
  readonly code: string
  readonly title: string
  /** What happened and what to do, in sentences. */
  readonly detail: string
  /** `detail` for pages in other languages. Not published. */
  readonly texts?: readonly Message[]
}

const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const TIME = Type.String({ format: 'date-time' })

export const JOB = Type.Object(
  {
    object: Type.Literal('job'),
    job_id: Type.Integer({ description: 'The `task_id` that a tool returned, as a number' }),
    kind: Type.String(),
    filename: Type.Optional(Type.String()),
    state: Type.Enum([...JOB_STATES]),
    terminal: Type.Boolean({ description: 'True once the job has ended' }),
    progress: Type.Object({
      done: Type.Integer(),
      total: orNull(Type.Integer()),
      message: orNull(Type.String()),
    }),
    result: Type.Unknown({ description: 'Set once the state is `succeeded`, otherwise null' }),
    error: orNull(
      Type.Object({ code: Type.String(), title: Type.String(), detail: Type.String() }),
    ),
    created_at: TIME,
    started_at: orNull(TIME),
    finished_at: orNull(TIME),
    poll: Type.String({ format: 'uri', description: 'URL for the current status' }),
  },
  { description: 'Work that takes longer than one request' },
)
export type PublishedJob = Readonly<Static<typeof JOB>>

/** A job in a tool's result. HTTP clients know it by `job_id`, tools by `task_id`; both are the same number. */
export const TASK = Type.Object({
  task_id: Type.String({ description: 'For get_jobs and cancel_job' }),
  ...JOB.properties,
})

export function publishTask(job: StoredJob, publicUrl: string): Static<typeof TASK> {
  return { task_id: String(job.job_id), ...publishJob(job, publicUrl) }
}

export function publishJob(job: StoredJob, publicUrl: string): PublishedJob {
  return {
    object: 'job',
    job_id: job.job_id,
    kind: job.kind,
    ...(job.filename !== null && { filename: job.filename }),
    state: job.state,
    terminal: isTerminal(job.state),
    progress: progressOf(job),
    result: job.result === null ? null : (JSON.parse(job.result) as unknown),
    error: job.error === null ? null : publishError(JSON.parse(job.error) as JobError),
    created_at: rfc3339(job.created_at),
    started_at: rfc3339(job.started_at),
    finished_at: rfc3339(job.finished_at),
    poll: jobUrl(job.job_id, publicUrl),
  }
}

function publishError({ code, title, detail }: JobError): PublishedJob['error'] {
  return { code, title, detail }
}

export function jobUrl(jobId: number, publicUrl: string): string {
  return `${publicUrl}/api/jobs/${jobId}`
}

/** Job IDs are random numbers below 2^53, written in decimal. Undefined if the text is not one. */
export function parseJobId(text: string): number | undefined {
  const jobId = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(jobId) ? jobId : undefined
}

/** True for a job that has ended: completed, failed or canceled. */
export function isTerminal(state: JobState): boolean {
  return state !== 'queued' && state !== 'running'
}

/** `total` is null as long as it is unknown. */
export function progressOf(job: StoredJob): JobProgress {
  return { done: job.progress_done, total: job.progress_total, message: job.progress_message }
}

const MIN_POLL_SECONDS = 1
const MAX_POLL_SECONDS = 10

/**
 * When to poll again, from 1 to 10 seconds: the estimated remaining time, so that clients see short jobs end soon and do
 * not poll long ones too often.
 */
export function retryAfter(job: StoredJob, now: number): number {
  const { progress_done: done, progress_total: total, started_at } = job
  if (job.state !== 'running' || started_at === null || total === null || done <= 0)
    return MIN_POLL_SECONDS
  const remaining = ((total - done) * (now - started_at)) / done
  return Math.min(MAX_POLL_SECONDS, Math.max(MIN_POLL_SECONDS, Math.ceil(remaining / SECOND)))
}
