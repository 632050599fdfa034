/** list_jobs: the member's running and finished jobs. */

import * as Type from '../base/type.ts'
import { pageLimit } from '../tools/result-json.ts'
import { defineReadTool, type Tool } from '../tools/tool.ts'
import { JOB_STATES, TASK, publishTask } from './job-record.ts'
import { listJobs } from './start-job.ts'

/** Results can be long, so only get_job returns them. */
const { result: _, ...LISTED } = TASK.properties

export function listJobsTool({ publicUrl }: { readonly publicUrl: string }): Tool {
  return defineReadTool({
    name: 'list_jobs',
    title: 'List jobs',
    description: 'Lists jobs such as imports, newest first, without results.',
    credits: 0,
    input: Type.Object(
      {
        state: Type.Optional(
          Type.Enum([...JOB_STATES], { type: 'string', description: 'Only in this state' }),
        ),
        kind: Type.Optional(
          Type.String({
            maxLength: 50,
            description: 'Such as file_import',
            examples: ['file_import'],
          }),
        ),
        limit: pageLimit(10),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ jobs: Type.Array(Type.Object(LISTED)) }, { additionalProperties: false }),
    async run({ db }, { state, kind, limit = 10 }) {
      const jobs = await listJobs(db, { state, kind, limit })
      return {
        jobs: jobs.map((job) => {
          const { result: _result, ...listed } = publishTask(job, publicUrl)
          return listed
        }),
      }
    },
  })
}
