/** Jobs as the tasks of the protocol: what a tool started, for clients that take tasks. */

import { rfc3339, SECOND, type Clock } from '../../base/clock.ts'
import { awaitShortJob } from '../../jobs/await-short-job.ts'
import { jobHandle } from '../../jobs/job-handle.ts'
import {
  isTerminal,
  parseJobId,
  retryAfter,
  type JobError,
  type StoredJob,
} from '../../jobs/job-record.ts'
import { findJob, requestCancel } from '../../jobs/start-job.ts'
import {
  errorResult,
  legacyCallResult,
  successResult,
  type CallResultJson,
} from '../protocol/call-result.ts'
import { INTERNAL_ERROR } from '../protocol/json-rpc.ts'
import type { Database } from '../../db/database.ts'
import type { Tool, ToolCall } from '../../tools/tool.ts'
import type { DetailedTask, Task, TaskProvider, TaskState } from '../protocol/task-messages.ts'
import type { ToolCaller } from './tool-caller.ts'

interface JobTaskDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

/** The output of a tool that started a job. That of a short job has its result or error. */
export async function awaitedOutput(
  { database, clock, publicUrl }: JobTaskDeps,
  { caller, signal }: Pick<ToolCall, 'caller' | 'signal'>,
  output: object,
): Promise<object> {
  const jobId = 'task_id' in output ? parseJobId(String(output.task_id)) : undefined
  if (jobId === undefined) return output
  const job = await awaitShortJob(database.member(caller.memberId), jobId, signal)
  return job ? { ...output, ...jobHandle(job, publicUrl, clock.now()) } : output
}

/** The task that a tool's output names by its `task_id`. */
export async function startedTask(
  { database }: Pick<JobTaskDeps, 'database'>,
  { caller, now }: Pick<ToolCall, 'caller' | 'now'>,
  output: object,
): Promise<Task> {
  const jobId = 'task_id' in output ? parseJobId(String(output.task_id)) : undefined
  const job =
    jobId === undefined ? undefined : await findJob(database.member(caller.memberId), jobId)
  if (!job) throw new Error('a tool that starts jobs named none by its task_id')
  return describe(job, now)
}

/** Every look is the member's own: another's job is no task. */
export function jobTasks(
  deps: JobTaskDeps & {
    /** Tells the worker that a job is to stop. */
    readonly wake: () => void
    /** The tools that the member does not allow the agent to use. */
    readonly forbidden?: readonly Tool[]
  },
): TaskProvider<ToolCaller> {
  const { database, clock, wake, forbidden = [] } = deps
  const isForbidden = (name: string) => forbidden.some((tool) => tool.name === name)
  /** A task is a job: an agent that may not look at jobs has no tasks. */
  const find = async ({ caller }: ToolCaller, taskId: string) => {
    if (isForbidden('get_jobs')) return undefined
    const jobId = parseJobId(taskId)
    return jobId === undefined ? undefined : findJob(database.member(caller.memberId), jobId)
  }
  return {
    async find(by, taskId) {
      const job = await find(by, taskId)
      return job && detail(job, deps)
    },
    async cancel(by, taskId) {
      const job = isForbidden('cancel_job') ? undefined : await find(by, taskId)
      if (!job) return false
      const db = database.member(by.caller.memberId)
      const asked = await db.write((tx) => requestCancel(tx, job.job_id, clock.now()))
      if (!isTerminal(asked.state)) wake()
      return true
    },
    /** No job asks anything. */
    update: async (by, taskId) => (await find(by, taskId)) !== undefined,
  }
}

function describe(job: StoredJob, now: number): Task {
  const { progress_done: done, progress_total: total, progress_message: message } = job
  const counted = total === null ? undefined : `${done} of ${total}`
  const statusMessage = message ?? counted
  return {
    taskId: String(job.job_id),
    status: statusOf(job),
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: rfc3339(job.created_at),
    lastUpdatedAt: rfc3339(job.finished_at ?? job.started_at ?? job.created_at),
    // The retention of a job begins at its end. Newer jobs of its kind may shorten it.
    ttlMs: job.expires_at === null ? null : job.expires_at - job.created_at,
    pollIntervalMs: retryAfter(job, now) * SECOND,
  }
}

function detail(job: StoredJob, { clock, publicUrl }: JobTaskDeps): DetailedTask {
  const now = clock.now()
  return { ...describe(job, now), ...stateOf(job, () => jobHandle(job, publicUrl, now)) }
}

function statusOf(job: StoredJob): TaskState['status'] {
  return stateOf(job, () => ({})).status
}

/** A job that failed by what it was given is a call that failed, and only one that failed by us a failed task. */
function stateOf(job: StoredJob, handle: () => object): TaskState {
  if (job.state === 'cancelled') return { status: 'cancelled' }
  if (job.state === 'succeeded')
    return { status: 'completed', result: resultOf(successResult(handle())) }
  if (job.state !== 'failed') return { status: 'working' }
  // Written by the worker, together with the state.
  const error = JSON.parse(job.error ?? '{}') as JobError
  if (error.code === 'internal')
    return { status: 'failed', error: { code: INTERNAL_ERROR, message: error.detail } }
  const { code, detail: message } = error
  return { status: 'completed', result: resultOf(errorResult({ code, message })) }
}

/** A task gives its result as an object, `_meta` included. */
function resultOf({ members, metaJson }: CallResultJson): object {
  return JSON.parse(legacyCallResult(members, metaJson)) as object
}
