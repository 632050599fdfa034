/** import_connections: starts an import, whose task the server completes with the result of a small file, or previews it. */

import * as Type from '../base/type.ts'
import { RequestError } from '../base/request-error.ts'
import { JOB_HANDLE, jobHandle } from '../jobs/job-handle.ts'
import { startJob } from '../jobs/start-job.ts'
import { defineWriteTool, type Tool, type ReadCall } from '../tools/tool.ts'
import type { StoredJob } from '../jobs/job-record.ts'
import { checkFileInput, FileImportInput, fileImportJob } from './file-import.job.ts'
import { previewImport } from './preview-import.ts'
import { ImportPreviewResult, previewResult } from './preview-result.ts'
import { fileReading } from './reading/read-options.ts'

interface ImportToolDeps {
  readonly publicUrl: string
  /** Notifies the worker of a new job. */
  readonly wake: () => void
}

const ImportInput = Type.Closed(
  {
    ...FileImportInput.properties,
    preview: Type.Optional(
      Type.Boolean({ default: false, description: 'Only show columns, first rows and counts' }),
    ),
  },
  { examples: [{ content: 'First Name,Last Name\nGrace,Hopper\n', preview: true }] },
)

/** A preview has no task. */
const ImportResult = Type.Closed({
  ...Type.Partial(JOB_HANDLE).properties,
  preview: Type.Optional(ImportPreviewResult),
})

export function importConnectionsTool({ publicUrl, wake }: ImportToolDeps): Tool {
  return defineWriteTool({
    name: 'import_connections',
    title: 'Import contacts',
    description:
      'Import or load contacts from a file: LinkedIn, Google or Outlook export, CSV or XLSX table, ' +
      'vCard. Adds people and refreshes fields from the same source, never typed ones. Returns ' +
      'the result or a task_id; preview is free.',
    effect: 'write',
    idempotent: true,
    credits: fileImportJob.credits,
    chargesItself: true,
    input: ImportInput,
    output: ImportResult,
    startsJob: true,
    preview: {
      isAsked: ({ preview }) => preview === true,
      run: async (call, { preview: _preview, ...input }) => ({ preview: await plan(call, input) }),
    },
    async run({ tx, caller, quota, now }, { preview: _preview, ...input }) {
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
    committed: () => wake(),
  })
}

/** @throws {RequestError} `unreadable_file`, `invalid_request`, or `rate_limited` when too many computations are queued. */
async function plan(
  { db, now, signal }: ReadCall,
  input: Type.Static<typeof FileImportInput>,
): Promise<ReturnType<typeof previewResult>> {
  await checkFileInput(db, input, now)
  const { upload_id, content, ...rest } = input
  const file = content === undefined ? { uploadId: upload_id ?? '' } : { content }
  const reading = fileReading(rest)
  const mapping = reading.columns
  const preview = (allowUnknown: boolean) =>
    previewImport(db, { ...file, now, reading: { ...reading, allowUnknown } }, signal)
  try {
    return previewResult(await preview(false), { isKnown: true, mapping })
  } catch (error) {
    if (!hasUnknownColumns(error)) throw error
    return previewResult(await preview(true), { isKnown: false, mapping })
  }
}

function hasUnknownColumns(error: unknown): boolean {
  return error instanceof RequestError && error.details.members?.['reason'] === 'unknown_columns'
}

/** The active import may be of another file, so its task is never returned as the caller's own. */
function alreadyRunning(job: StoredJob): RequestError {
  const task_id = String(job.job_id)
  const { filename, state, progress_message: progress } = job
  const facts = [`task_id ${task_id}`, state, ...(progress === null ? [] : [progress])].join(', ')
  const file = filename === null ? '' : ` of ${filename}`
  return new RequestError(
    'conflict',
    `Another import${file} has not finished (${facts}), so this file was not imported.`,
    {
      hint: 'Poll get_jobs with that task_id until terminal is true, then call again; or stop it with cancel_job.',
      members: { task_id, state },
    },
  )
}
