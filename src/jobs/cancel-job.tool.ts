/** cancel_job: stops a job. */

import * as Type from '../base/type.ts'
import { defineWriteTool, type Tool } from '../tools/tool.ts'
import { TaskId, readTaskId } from './get-jobs.tool.ts'
import { TASK, publishTask } from './job-record.ts'
import { requestCancel, requireJob } from './start-job.ts'

interface CancelJobDeps {
  readonly publicUrl: string
  /** Tells the worker of this process that a job is to stop. */
  readonly wake: () => void
}

export function cancelJobTool({ publicUrl, wake }: CancelJobDeps): Tool {
  return defineWriteTool({
    name: 'cancel_job',
    title: 'Cancel a background job',
    description:
      'Stop or cancel a queued or running job, such as an import. Returns it; what it did stays ' +
      'until undone.',
    effect: 'write',
    idempotent: true,
    credits: 0,
    input: Type.Closed({ task_id: TaskId }),
    output: TASK,
    async run({ tx, now }, { task_id }) {
      const job = await requireJob(tx, readTaskId(task_id))
      return publishTask(await requestCancel(tx, job.job_id, now), publicUrl)
    },
    committed: () => wake(),
  })
}
