/** embed_connections: starts the job that prepares semantic search and returns its task at once. */

import { JOB_HANDLE, jobHandle } from '../../jobs/job-handle.ts'
import { startJob } from '../../jobs/start-job.ts'
import { NO_INPUT, defineWriteTool, type Tool } from '../../tools/tool.ts'
import { embedObjectsJob } from './embed-objects.job.ts'
import type { Embedder } from '../../embeddings/embedder.ts'

export interface EmbedToolDeps {
  readonly publicUrl: string
  readonly embedder: Embedder
  /** Notifies the worker of a new job. */
  readonly wake: () => void
}

export function embedConnectionsTool({ publicUrl, embedder, wake }: EmbedToolDeps): Tool {
  const definition = embedObjectsJob(embedder)
  return defineWriteTool({
    name: 'embed_connections',
    title: 'Prepare semantic search',
    description: 'Prepares search by meaning. Returns a task_id for get_job.',
    effect: 'write',
    additive: true,
    openWorld: true,
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
    committed: () => wake(),
  })
}
