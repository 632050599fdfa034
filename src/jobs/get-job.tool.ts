/** get_job: the status of a job, and its result once it has ended. */

import Type from 'typebox'
import { defineReadTool, type Tool } from '../tools/tool.ts'
import { JOB, isTerminal, parseJobId, publishJob, retryAfter } from './job-record.ts'
import { jobNotFound, requireJob } from './start-job.ts'

export function getJobTool({ publicUrl }: { readonly publicUrl: string }): Tool {
  return defineReadTool({
    name: 'get_job',
    title: 'Get a job',
    description:
      'Returns the status of a job by the task_id that the starting tool returned: state, progress, and the result once ' +
      'it has succeeded. Free and read-only. While terminal is false, call again after retry_after_s seconds.',
    credits: 0,
    input: Type.Object(
      {
        task_id: Type.String({ minLength: 1, maxLength: 20 }),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      ...JOB.properties,
      retry_after_s: Type.Optional(Type.Integer()),
    }),
    async run({ db, now }, { task_id }) {
      const jobId = parseJobId(task_id)
      if (jobId === undefined) throw jobNotFound()
      const job = await requireJob(db, jobId)
      return {
        ...publishJob(job, publicUrl),
        ...(!isTerminal(job.state) && { retry_after_s: retryAfter(job, now) }),
      }
    },
  })
}
