/** import_connections: starts an import and returns its task at once. */

import { RequestError } from '../../base/request-error.ts'
import { JOB_HANDLE, jobHandle } from '../../jobs/job-handle.ts'
import { startJob } from '../../jobs/start-job.ts'
import { defineWriteTool, type Tool } from '../../tools/tool.ts'
import type { StoredJob } from '../../jobs/job-record.ts'
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
      'Imports contacts: any CSV or XLSX table, vCard, or a LinkedIn or Google zip. Adds people and ' +
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
      if (!started) throw alreadyRunning(job)
      return { ...jobHandle(job, publicUrl, now), started }
    },
    committed: ({ task_id }) => wake(Number(task_id)),
  })
}

/** The running import may be of another file, so its task is never returned as the caller's own. */
function alreadyRunning({ job_id }: StoredJob): RequestError {
  const task_id = String(job_id)
  return new RequestError(
    'conflict',
    `Another import is running (task_id ${task_id}), so this file was not imported.`,
    {
      hint: 'Poll get_job with that task_id until terminal is true, then call again; or stop it with cancel_job.',
      members: { task_id },
    },
  )
}
