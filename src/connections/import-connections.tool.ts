/** import_connections: start an import and answer at once with the task to ask after. */

import Type from 'typebox'
import { isTerminal, jobUrl, retryAfter } from '../jobs/job-record.ts'
import { startJob } from '../jobs/start-job.ts'
import { defineWriteTool, type Tool } from '../tools/tool.ts'
import { FileImportInput, fileImportJob } from './file-import.job.ts'

export interface ImportToolParts {
  readonly publicUrl: string
  /** Tells the worker that there is a job. */
  readonly wake: (jobId?: number) => void
}

export function importConnectionsTool({ publicUrl, wake }: ImportToolParts): Tool {
  return defineWriteTool({
    name: 'import_connections',
    title: 'Import connections',
    description:
      'Imports a LinkedIn Connections.csv, Google or Outlook contacts CSV, or vCard file into the network: pass its text ' +
      'as content, or upload_id of a file sent to POST /api/uploads. Adds who is missing, fills and refreshes what the ' +
      'same source gave, never changes what was typed; the same file again changes nothing. Returns a task_id at once; ' +
      'ask get_job until terminal for the report. While an import runs, that one is reported and nothing is charged.',
    effect: 'write',
    idempotent: true,
    credits: fileImportJob.credits,
    chargesItself: true,
    input: FileImportInput,
    output: Type.Object(
      {
        task_id: Type.String({ description: 'For get_job' }),
        state: Type.String(),
        terminal: Type.Boolean(),
        started: Type.Boolean({
          description: 'False when an import was running already, which is the one reported',
        }),
        poll: Type.String({ description: 'The same over HTTP' }),
        retry_after_s: Type.Integer({ description: 'Seconds to wait before asking' }),
      },
      { additionalProperties: false },
    ),
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
      return {
        task_id: String(job.job_id),
        state: job.state,
        terminal: isTerminal(job.state),
        started,
        poll: jobUrl(job.job_id, publicUrl),
        retry_after_s: retryAfter(job, now),
      }
    },
    committed: ({ task_id }) => wake(Number(task_id)),
  })
}
