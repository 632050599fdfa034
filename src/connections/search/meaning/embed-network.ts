/**
 * Computes the vectors of a network's new and changed connections. Unchanged ones are skipped by their
 * fingerprints. `prepare-networks.ts` calls it after changes, the job `embed_objects` on request.
 */

import { defineComputation, type MemberReader, type SaveStep } from '../../../db/database.ts'
import { memberStatement } from '../../../db/statement.ts'
import { packVectors } from '../../../embeddings/packed-vectors.ts'
import {
  dropEmbeddings,
  findFingerprints,
  writeEmbeddings,
  type Embedding,
} from '../../../embeddings/stored-vectors.ts'
import { findConnections } from '../../model/connection-store.ts'
import { notesOf } from '../../notes/notes.ts'
import { readSearchChanges, type ChangedRange } from '../../model/search-changes.ts'
import { tagsOf } from '../../model/tag-store.ts'
import { documentOf } from '../../person/whole-connection.ts'
import { EVERYONE } from '../index/build-index.ts'
import { fingerprintOf, embeddingTexts } from './embedding-texts.ts'
import type { EmbeddingModel } from '../../../embeddings/embedding-model.ts'
import type { Embedder } from '../../../embeddings/embedder.ts'
import { countIn, isIndexOutdated, type IndexReader } from '../index/network-index.ts'

/**
 * Brings the vectors up to date. The texts go to an endpoint only if its vectors are there already, because it may cost
 * money.
 */
export async function embedNetwork(
  reader: IndexReader,
  { model, memory }: Embedder,
  write: SaveStep,
  signal?: AbortSignal,
): Promise<void> {
  const state = await reader.get(STATE, {})
  const isOfModel = state?.embedded_model === model.name
  if (!state || (!model.isLocal && !isOfModel)) return
  const { search_version: version, embedded_version: from } = state
  if (isOfModel && from >= version) return
  const ranges = isOfModel ? await readSearchChanges(reader, from, version) : undefined
  for (const range of ranges ?? [EVERYONE])
    for (let after = range.first - 1; ;) {
      signal?.throwIfAborted()
      const batch = await embedBatch(reader, model, { first: after + 1, last: range.last }, signal)
      if (!batch) break
      const { embeddings } = batch
      if (embeddings.length > 0) await write((tx) => writeEmbeddings(tx, embeddings))
      after = batch.last
    }
  await write(async (tx) => {
    if (!ranges) await dropEmbeddings(tx, model.name)
    await tx.run(SET_EMBEDDED, { version, model: model.name })
  })
  memory.recheck(reader.memberId)
}

/** Changed people whose vectors a search computes in some tens of milliseconds. */
const MAX_LEFT_TO_SEARCHES = 128

/** The network's version if the next search can prepare what it needs itself, and undefined if too much has changed. */
export async function versionLeftToSearches(
  reader: IndexReader,
  model: EmbeddingModel,
): Promise<number | undefined> {
  const state = await reader.get(STATE, {})
  if (!state) return 0
  const { search_version: version, embedded_version: from, embedded_model } = state
  if (embedded_model === model.name) {
    const ranges = await readSearchChanges(reader, from, version)
    if (!ranges || countIn(ranges) > MAX_LEFT_TO_SEARCHES) return undefined
  } else if (model.isLocal) return undefined
  return (await isIndexOutdated(reader)) ? undefined : version
}

/** Connections per transaction: a few milliseconds to read, to embed and to write. */
const EMBED_BATCH = 128

interface EmbeddedBatch {
  readonly last: number
  readonly count: number
  /** Vectors of connections that are new or changed. */
  readonly embeddings: readonly Embedding[]
}

/** The first connections of a range; undefined without any. Runs outside of transactions, because the model may be remote. */
export async function embedBatch(
  reader: IndexReader,
  model: EmbeddingModel,
  { first, last }: ChangedRange,
  signal?: AbortSignal,
): Promise<EmbeddedBatch | undefined> {
  const input = { first, last, model: model.name }
  const isSmall = last - first < EMBED_BATCH
  const read = await (isSmall
    ? readChanged(reader, input)
    : reader.compute(CHANGED, input, { signal }))
  if (!read) return undefined
  const vectors = await model.embed(
    read.changed.flatMap(({ texts }) => texts),
    signal,
  )
  let next = 0
  const embeddings = read.changed.map(({ connectionId, fingerprint, texts }) => {
    const packed = packVectors(vectors.slice(next, (next += texts.length)))
    return { connectionId, model: model.name, fingerprint, packed }
  })
  return { last: read.last, count: read.count, embeddings }
}

interface ConnectionTexts {
  readonly connectionId: number
  readonly texts: readonly string[]
  readonly fingerprint: string
}

interface ChangedTexts {
  readonly last: number
  readonly count: number
  readonly changed: readonly ConnectionTexts[]
}

/** The texts of the first connections of a range whose vectors are missing or of other texts. Large ranges in a thread. */
export async function readChanged(
  reader: MemberReader,
  { first, last, model }: ChangedRange & { readonly model: string },
): Promise<ChangedTexts | undefined> {
  const rows = await reader.all(NEXT, { first, last, limit: EMBED_BATCH })
  const ids = rows.map(({ connection_id }) => connection_id)
  const until = ids.at(-1)
  if (until === undefined) return undefined
  const known = await findFingerprints(reader, model, ids)
  const changed = (await readTexts(reader, ids)).filter(
    ({ connectionId, fingerprint }) => known.get(connectionId) !== fingerprint,
  )
  return { last: until, count: ids.length, changed }
}

const CHANGED = defineComputation(import.meta.url, { readChanged })

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

/** By primary key, like the others. */
const STATE = memberStatement<
  object,
  { search_version: number; embedded_version: number; embedded_model: string | null }
>()(`
  select search_version, embedded_version, embedded_model from networks
  where member_id = :member_id`)

export const SET_EMBEDDED = memberStatement<{ version: number; model: string }>()(`
  update networks set embedded_version = :version, embedded_model = :model
  where member_id = :member_id`)

const NEXT = memberStatement<ChangedRange & { limit: number }, { connection_id: number }>()(`
  select connection_id from connections
  where member_id = :member_id and connection_id >= :first and connection_id <= :last and deleted_at is null
  order by connection_id limit :limit`)
