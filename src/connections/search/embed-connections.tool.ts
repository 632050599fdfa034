/** embed_connections: start preparing the network for search by meaning, and answer at once with the task to ask after. */

import { JOB_HANDLE, jobHandle } from '../../jobs/job-handle.ts'
import { startJob } from '../../jobs/start-job.ts'
import { NO_INPUT, defineWriteTool, type Tool } from '../../tools/tool.ts'
import { embedObjectsJob } from './embed-objects.job.ts'
import type { Embedder } from '../../embeddings/embedder.ts'

export interface EmbedToolDeps {
  readonly publicUrl: string
  readonly embedder: Embedder
  /** Tells the worker that there is a job. */
  readonly wake: (jobId?: number) => void
}

export function embedConnectionsTool({ publicUrl, embedder, wake }: EmbedToolDeps): Tool {
  const definition = embedObjectsJob(embedder)
  return defineWriteTool({
    name: 'embed_connections',
    title: 'Prepare search by meaning',
    description:
      'Prepares connections to be found by what is meant: search_connections then finds a venture partner when asked who ' +
      'could help with fundraising. Call it after an import or many changes; what has not changed is skipped. Changes ' +
      'no connection. Returns a task_id at once, while it runs that of the running one, for free; ask get_job until ' +
      'terminal.',
    effect: 'write',
    idempotent: true,
    credits: definition.credits,
    chargesItself: true,
    startsJob: true,
    input: NO_INPUT,
    output: JOB_HANDLE,
    async run({ tx, caller, quota, now }) {
      const start = {
        definition,
        input: {},
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
