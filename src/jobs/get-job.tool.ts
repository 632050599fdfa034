/** get_job: the status of a job, and its result once it has ended. */

import * as Type from '../base/type.ts'
import { defineReadTool, type Tool } from '../tools/tool.ts'
import { TASK, isTerminal, parseJobId, publishTask, retryAfter } from './job-record.ts'
import { jobNotFound, requireJob } from './start-job.ts'

/** The number of a job, as text. */
export const TaskId = Type.String({
  minLength: 1,
  maxLength: 20,
  description: 'From the tool that started the job, or list_jobs',
  examples: ['4821'],
})

/** @throws {RequestError} `job_not_found` when the text is not a number. */
export function readTaskId(taskId: string): number {
  const jobId = parseJobId(taskId)
  if (jobId === undefined) throw jobNotFound()
  return jobId
}

/** Free, because agents poll it. */
export function getJobTool({ publicUrl }: { readonly publicUrl: string }): Tool {
  return defineReadTool({
    name: 'get_job',
    title: 'Get a job',
    description:
      'Returns state, progress and result of a job. While terminal is false, call again after ' +
      'retry_after_s seconds.',
    credits: 0,
    input: Type.Object(
      {
        task_id: TaskId,
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      ...TASK.properties,
      retry_after_s: Type.Optional(Type.Integer()),
    }),
    async run({ db, now }, { task_id }) {
      const job = await requireJob(db, readTaskId(task_id))
      return {
        ...publishTask(job, publicUrl),
        ...(!isTerminal(job.state) && { retry_after_s: retryAfter(job, now) }),
      }
    },
  })
}
