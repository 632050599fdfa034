/** import_connections: starts an import and returns its task at once. */

import { JOB_HANDLE, jobHandle } from '../../jobs/job-handle.ts'
import { startJob } from '../../jobs/start-job.ts'
import { defineWriteTool, type Tool } from '../../tools/tool.ts'
import { FileImportInput, fileImportJob } from './file-import.job.ts'

export interface ImportToolDeps {
  readonly publicUrl: string
  /** Notifies the worker of a new job. */
  readonly wake: (jobId?: number) => void
}

export function importConnectionsTool({ publicUrl, wake }: ImportToolDeps): Tool {
  return defineWriteTool({
    name: 'import_connections',
    title: 'Import connections',
    description:
      'Imports a contacts file: LinkedIn, Google or Outlook CSV, or vCard. Adds people and ' +
      'refreshes fields from the same source, never typed ones. Returns a task_id for get_job.',
    effect: 'write',
    idempotent: true,
    credits: fileImportJob.credits,
    chargesItself: true,
    input: FileImportInput,
    output: JOB_HANDLE,
    startsJob: true,
    async run({ tx, caller, quota, now }, input) {
      const start = {
        definition: fileImportJob,
        input,
        credentialId: caller.credential.id,
        charge: true,
        quota,
        now,
      }
      const { job, started } = await startJob(tx, start)
      return { ...jobHandle(job, publicUrl, now), started }
    },
    committed: ({ task_id }) => wake(Number(task_id)),
  })
}
