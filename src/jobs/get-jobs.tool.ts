/** get_jobs: one job with its progress and result, or the list of the member's jobs. */

import type { Static } from 'typebox'
import * as Type from '../base/type.ts'
import { PLAIN_KEYWORD } from '../tools/arguments/schema-part.ts'
import { pageLimit, hintIfEmpty, HINT } from '../tools/result-pages.ts'
import { defineReadTool, type Tool } from '../tools/tool.ts'
import {
  JOB_STATES,
  TASK,
  isTerminal,
  parseJobId,
  publishTask,
  retryAfter,
  type StoredJob,
} from './job-record.ts'
import { jobNotFound, listJobs, requireJob } from './start-job.ts'

/** The number of a job, as text. */
export const TaskId = Type.String({
  minLength: 1,
  maxLength: 20,
  description: 'From the tool that started the job, or get_jobs',
  examples: ['4821'],
})

/** @throws {RequestError} `job_not_found` when the text is not a number. */
export function readTaskId(taskId: string): number {
  const jobId = parseJobId(taskId)
  if (jobId === undefined) throw jobNotFound()
  return jobId
}

const LISTED = Type.Object({
  ...TASK.properties,
  result: Type.Optional(TASK.properties.result),
  retry_after_s: Type.Optional(Type.Integer()),
})

/** Free, because agents poll it. */
export function getJobsTool({ publicUrl }: { readonly publicUrl: string }): Tool {
  return defineReadTool({
    name: 'get_jobs',
    title: 'Get background jobs',
    description:
      'Is my import finished: with task_id one job with progress and result, otherwise the ' +
      'newest. While terminal is false, call again after retry_after_s seconds.',
    credits: 0,
    input: Type.Closed({
      task_id: Type.Optional({
        ...TaskId,
        description: 'Only this job, with its result',
        [PLAIN_KEYWORD]: true,
      }),
      state: Type.Optional(
        Type.Enum([...JOB_STATES], {
          type: 'string',
          description: 'Only in this state',
          [PLAIN_KEYWORD]: true,
        }),
      ),
      kind: Type.Optional(
        Type.String({
          maxLength: 50,
          description: 'Such as file_import',
          [PLAIN_KEYWORD]: true,
          examples: ['file_import'],
        }),
      ),
      limit: pageLimit(10),
    }),
    output: Type.Closed({ jobs: Type.Array(LISTED), hint: HINT }),
    async run({ db, now }, { task_id, state, kind, limit = 10 }) {
      const answer = (job: StoredJob) => answerOf(job, publicUrl, now)
      if (task_id !== undefined)
        return { jobs: [answer(await requireJob(db, readTaskId(task_id)))] }
      const jobs = await listJobs(db, { state, kind, limit })
      return {
        jobs: jobs.map((job) => withoutResult(answer(job))),
        ...hintIfEmpty(jobs, 'No jobs. import_connections with a file starts one.'),
      }
    },
  })
}

function answerOf(job: StoredJob, publicUrl: string, now: number): Static<typeof LISTED> {
  return {
    ...publishTask(job, publicUrl),
    ...(!isTerminal(job.state) && { retry_after_s: retryAfter(job, now) }),
  }
}

/** Results can be long, so only a call for one job returns them. */
function withoutResult(job: Static<typeof LISTED>): Static<typeof LISTED> {
  const { result: _result, ...listed } = job
  return listed
}
