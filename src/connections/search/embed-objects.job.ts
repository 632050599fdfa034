/** embed_objects: computes embeddings of a member's connections for semantic search. */

import * as Type from '../../base/type.ts'
import { memberStatement } from '../../db/statement.ts'
import { defineJob, type Job, type RunningJob } from '../../jobs/job.ts'
import { packVectors } from '../../embeddings/packed-vectors.ts'
import {
  dropEmbeddings,
  findFingerprints,
  writeEmbeddings,
  type Embedding,
} from '../../embeddings/stored-vectors.ts'
import { documentOf } from '../model/whole-connection.ts'
import { findConnections } from '../model/connection-store.ts'
import { notesOf } from '../model/note-store.ts'
import { tagsOf } from '../model/tag-store.ts'
import { fingerprintOf, embeddingTexts } from './embedding-texts.ts'
import type { MemberReader } from '../../db/database.ts'
import type { EmbeddingModel } from '../../embeddings/embedding-model.ts'
import type { Embedder } from '../../embeddings/embedder.ts'

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
  readonly report: EmbedReport
}

type EmbedJob = RunningJob<object, EmbedCheckpoint>

const EmbedObjectsInput = Type.Object({}, { additionalProperties: false })

/** It saves its progress after every batch, so that it continues where it stopped. */
export function embedObjectsJob(embedder: Embedder): Job {
  return defineJob({
    kind: 'embed_objects',
    tool: 'embed_connections',
    title: 'Prepare connections for semantic search',
    description:
      'Computes embeddings from title, company, location, tags and notes. Unchanged connections are skipped.',
    input: EmbedObjectsInput,
    credits: 5,
    run: (job: EmbedJob) => embedObjects(job, embedder),
  })
}

/** Connections per transaction: a few milliseconds to embed with the bundled model. */
export const EMBED_BATCH = 128

async function embedObjects(job: EmbedJob, { model, memory }: Embedder): Promise<EmbedReport> {
  const total = (await job.db.get(COUNT, {}))?.count ?? 0
  let checkpoint = resumeFrom(job.checkpoint, model.name)
  for (;;) {
    const { after, report } = checkpoint
    const ids = (await job.db.all(NEXT, { after, limit: EMBED_BATCH })).map(
      (row) => row.connection_id,
    )
    if (ids.length === 0) break
    const embeddings = await embedChanged(job.db, ids, model, job.signal)
    const embedded = report.embedded + embeddings.length
    const unchanged = report.unchanged + ids.length - embeddings.length
    checkpoint = { after: ids.at(-1) ?? after, report: { ...report, embedded, unchanged } }
    await saveBatch(job, embeddings, checkpoint, total)
    memory.recheck(job.db.memberId)
  }
  const report = await dropOthers(job, checkpoint, total)
  memory.recheck(job.db.memberId)
  return report
}

/** Resumes an earlier run, or starts over if the model has changed since. */
function resumeFrom(checkpoint: EmbedCheckpoint | null, model: string): EmbedCheckpoint {
  if (checkpoint?.report.model === model) return checkpoint
  return { after: 0, report: { embedded: 0, unchanged: 0, dropped: 0, model } }
}

/** Embeds new and changed connections. Runs outside of transactions, because the model may be a remote service. */
export async function embedChanged(
  reader: MemberReader,
  ids: readonly number[],
  model: EmbeddingModel,
  signal: AbortSignal,
): Promise<Embedding[]> {
  const known = await findFingerprints(reader, model.name, ids)
  const changed = (await readTexts(reader, ids)).filter(
    ({ connectionId, fingerprint }) => known.get(connectionId) !== fingerprint,
  )
  const vectors = await model.embed(
    changed.flatMap(({ texts }) => texts),
    signal,
  )
  let next = 0
  return changed.map(({ connectionId, fingerprint, texts }) => {
    const packed = packVectors(vectors.slice(next, (next += texts.length)))
    return { connectionId, model: model.name, fingerprint, packed }
  })
}

interface ConnectionTexts {
  readonly connectionId: number
  readonly texts: readonly string[]
  readonly fingerprint: string
}

async function readTexts(reader: MemberReader, ids: readonly number[]): Promise<ConnectionTexts[]> {
  const connections = await findConnections(reader, ids)
  const [tags, notes] = await Promise.all([tagsOf(reader, ids), notesOf(reader, ids)])
  return connections.map((connection) => {
    const { connectionId } = connection
    const texts = embeddingTexts(
      documentOf(
        connection,
        (tags.get(connectionId) ?? []).map(({ tag }) => tag),
        (notes.get(connectionId) ?? []).map(({ text }) => text),
      ),
    )
    return { connectionId, texts, fingerprint: fingerprintOf(texts) }
  })
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
  { after, report }: EmbedCheckpoint,
  total: number,
): Promise<EmbedReport> {
  return job.db.write(
    async (tx) => {
      const dropped = report.dropped + (await dropEmbeddings(tx, report.model))
      const checkpoint = { after, report: { ...report, dropped } }
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

/** Like `NEXT`, scans the member's connections. */
const COUNT = memberStatement<object, { count: number }>()(
  'select count(*) as count from connections where member_id = :member_id and deleted_at is null',
)

const NEXT = memberStatement<{ after: number; limit: number }, { connection_id: number }>()(`
  select connection_id from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null
  order by connection_id limit :limit`)
