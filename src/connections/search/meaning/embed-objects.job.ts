/** embed_objects: computes embeddings of a member's connections for semantic search. */

import * as Type from '../../../base/type.ts'
import { memberStatement } from '../../../db/statement.ts'
import { defineJob, type Job, type RunningJob } from '../../../jobs/job.ts'
import {
  dropEmbeddings,
  writeEmbeddings,
  type Embedding,
} from '../../../embeddings/stored-vectors.ts'
import { readNetworkState } from '../../../tools/network-state.ts'
import { EVERYONE } from '../index/build-index.ts'
import { embedBatch, SET_EMBEDDED } from './embed-network.ts'
import type { Embedder } from '../../../embeddings/embedder.ts'

const EmbedReport = Type.Object({
  embedded: Type.Integer({ description: 'New or changed connections' }),
  unchanged: Type.Integer(),
  dropped: Type.Integer({ description: 'Vectors of deleted connections or of another model' }),
  model: Type.String(),
})
type EmbedReport = Type.Static<typeof EmbedReport>

/** Progress of the job: the last connection processed and the report so far. */
interface EmbedCheckpoint {
  readonly after: number
  /** Version of the network when the job began. */
  readonly version: number
  readonly report: EmbedReport
}

type EmbedJob = RunningJob<object, EmbedCheckpoint>

const EmbedObjectsInput = Type.Closed({})

/** It saves its progress after every batch, so that it continues where it stopped. */
export function embedObjectsJob(embedder: Embedder): Job {
  return defineJob({
    kind: 'embed_objects',
    tool: 'add_connections',
    title: 'Prepare people for semantic search',
    description:
      'Computes embeddings from title, company, location, tags and notes. Unchanged connections are skipped.',
    input: EmbedObjectsInput,
    credits: 5,
    run: (job: EmbedJob) => embedObjects(job, embedder),
  })
}

async function embedObjects(job: EmbedJob, { model, memory }: Embedder): Promise<EmbedReport> {
  const total = (await job.db.get(COUNT, {}))?.count ?? 0
  const { search_version } = await readNetworkState(job.db)
  let checkpoint = resumeFrom(job.checkpoint, model.name, search_version)
  for (;;) {
    const { after, version, report } = checkpoint
    const rest = { first: after + 1, last: EVERYONE.last }
    const batch = await embedBatch(job.db, model, rest, job.signal)
    if (!batch) break
    const { last, count, embeddings } = batch
    const embedded = report.embedded + embeddings.length
    const unchanged = report.unchanged + count - embeddings.length
    checkpoint = { after: last, version, report: { ...report, embedded, unchanged } }
    await saveBatch(job, embeddings, checkpoint, total)
    memory.recheck(job.db.memberId)
  }
  const report = await dropOthers(job, checkpoint, total)
  memory.recheck(job.db.memberId)
  return report
}

/** Resumes an earlier run, or starts over if the model has changed since. */
function resumeFrom(
  checkpoint: EmbedCheckpoint | null,
  model: string,
  version: number,
): EmbedCheckpoint {
  if (checkpoint?.report.model === model) return checkpoint
  return { after: 0, version, report: { embedded: 0, unchanged: 0, dropped: 0, model } }
}

async function saveBatch(
  job: EmbedJob,
  embeddings: readonly Embedding[],
  checkpoint: EmbedCheckpoint,
  total: number,
): Promise<void> {
  await job.db.write(
    async (tx) => {
      if (embeddings.length > 0) await writeEmbeddings(tx, embeddings)
      await job.save(tx, checkpoint, progressOf(checkpoint, total))
    },
    { bulk: true },
  )
}

async function dropOthers(
  job: EmbedJob,
  { after, version, report }: EmbedCheckpoint,
  total: number,
): Promise<EmbedReport> {
  return job.db.write(
    async (tx) => {
      const dropped = report.dropped + (await dropEmbeddings(tx, report.model))
      await tx.run(SET_EMBEDDED, { version, model: report.model })
      const checkpoint = { after, version, report: { ...report, dropped } }
      await job.save(tx, checkpoint, progressOf(checkpoint, total))
      return checkpoint.report
    },
    { bulk: true },
  )
}

function progressOf({ report }: EmbedCheckpoint, total: number) {
  const done = report.embedded + report.unchanged
  return { done, total: Math.max(total, done), message: `${report.embedded} connections embedded` }
}

/** Scans the member's connections. */
const COUNT = memberStatement<object, { count: number }>()(
  'select count(*) as count from connections where member_id = :member_id and deleted_at is null',
)
