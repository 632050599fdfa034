/** get_job: how far a job is, and its result once it has ended. */

import Type from 'typebox'
import { defineReadTool, type Tool } from '../tools/tool.ts'
import { JOB, isTerminal, publishJob, retryAfter } from './job-record.ts'
import { jobNotFound, requireJob } from './start-job.ts'

export function getJobTool({ publicUrl }: { readonly publicUrl: string }): Tool {
  return defineReadTool({
    name: 'get_job',
    title: 'Get a job',
    description:
      'Tells how far a job is, by the task_id of the tool that started it: state, progress, and once it has succeeded ' +
      'its result. Free, changes nothing. While terminal is false, ask again after retry_after_s seconds.',
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
      if (!/^\d{1,16}$/.test(task_id)) throw jobNotFound()
      const job = await requireJob(db, Number(task_id))
      return {
        ...publishJob(job, publicUrl),
        ...(!isTerminal(job.state) && { retry_after_s: retryAfter(job, now) }),
      }
    },
  })
}
