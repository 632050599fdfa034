/** The result of a tool that starts a job: how to query it, and its current state. */

import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { JOB, isTerminal, jobUrl, publishJob, retryAfter, type StoredJob } from './job-record.ts'

export const JOB_HANDLE = Type.Closed({
  task_id: Type.String({ description: 'For get_jobs' }),
  state: Type.String(),
  terminal: Type.Boolean(),
  started: Type.Optional(
    Type.Boolean({ description: 'False if a job was already running; this is that job' }),
  ),
  poll: Type.String({ description: 'URL for the status over HTTP' }),
  retry_after_s: Type.Integer(),
  result: Type.Optional(
    Type.Unknown({
      description: 'The result of a job that has succeeded',
    }),
  ),
  error: Type.Optional(JOB.properties.error),
})
type JobHandle = Readonly<Static<typeof JOB_HANDLE>>

export function jobHandle(job: StoredJob, publicUrl: string, now: number): JobHandle {
  const terminal = isTerminal(job.state)
  const { result, error } = publishJob(job, publicUrl)
  return {
    task_id: String(job.job_id),
    state: job.state,
    terminal,
    poll: jobUrl(job.job_id, publicUrl),
    retry_after_s: terminal ? 0 : retryAfter(job, now),
    ...(result !== null && { result }),
    ...(error !== null && { error }),
  }
}
