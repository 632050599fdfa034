/** The table `embeddings`: the vectors of each connection, with a fingerprint of the embedded text. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { memberStatement } from '../db/statement.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'
import type { StoredVectors } from './nearest-by-cosine.ts'

export interface Embedding extends StoredVectors {
  readonly model: string
  /** A fingerprint of the embedded text. It differs once the connection's text has changed. */
  readonly fingerprint: string
}

interface VectorsVersion {
  /** The number of changes to the vectors. */
  readonly embeddings_version: number
  /** `search_version` of the network that they show. */
  readonly embedded_version: number
}

/** Undefined unless the whole network was embedded with this model. */
export async function findVersion(
  reader: MemberReader,
  model: string,
): Promise<VectorsVersion | undefined> {
  return reader.get(VERSION, { model })
}

/** The fingerprints of this model's embeddings, by connection. */
export async function findFingerprints(
  reader: MemberReader,
  model: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await reader.all(FINGERPRINTS, { model, ids })
  return new Map(rows.map(({ connection_id, fingerprint }) => [connection_id, fingerprint]))
}

/** Leaves out connections that have been permanently deleted. */
export async function writeEmbeddings(
  tx: MemberTransaction,
  embeddings: readonly Embedding[],
): Promise<void> {
  const ids = embeddings.map(({ connectionId }) => connectionId)
  const there = new Set((await tx.all(THERE, { ids })).map(({ connection_id }) => connection_id))
  await tx.insertMany({
    table: 'embeddings',
    columns: ['connection_id', 'model', 'fingerprint', 'vectors'],
    rows: embeddings
      .filter(({ connectionId }) => there.has(connectionId))
      .map(({ connectionId, model, fingerprint, packed }) => [
        connectionId,
        model,
        fingerprint,
        packed,
      ]),
    onConflict: 'replace',
  })
  await tx.run(COUNT_CHANGE, {})
}

/** Drops the vectors of deleted connections and those of other models; returns how many. */
export async function dropEmbeddings(tx: MemberTransaction, model: string): Promise<number> {
  const dropped = await tx.run(DROP, { model })
  if (dropped > 0) await tx.run(COUNT_CHANGE, {})
  return dropped
}

/** Rows per query. Each takes a few microseconds of the main thread. */
const PAGE = 500

export async function readVectors(reader: MemberReader, model: string): Promise<StoredVectors[]> {
  const stored: StoredVectors[] = []
  for (let after = 0; ;) {
    const page = await reader.all(VECTORS, { model, after, limit: PAGE })
    for (const { connection_id, vectors } of page)
      stored.push({ connectionId: connection_id, packed: vectors })
    after = page.at(-1)?.connection_id ?? after
    if (page.length < PAGE) return stored
    await nextTurn()
  }
}

const VERSION = memberStatement<{ model: string }, VectorsVersion>()(`
  select embeddings_version, embedded_version from networks
  where member_id = :member_id and embedded_model = :model`)

const COUNT_CHANGE = memberStatement()(
  'update networks set embeddings_version = embeddings_version + 1 where member_id = :member_id',
)

/** By primary key, as the next two. */
const FINGERPRINTS = memberStatement<
  { model: string; ids: readonly number[] },
  { connection_id: number; fingerprint: string }
>()(`
  select connection_id, fingerprint from embeddings e each (connection_id = :ids...bigint)
  where e.member_id = :member_id and e.model = :model`)

const THERE = memberStatement<{ ids: readonly number[] }, { connection_id: number }>()(`
  select connection_id from connections
  where member_id = :member_id and connection_id in (:ids...bigint)`)

const VECTORS = memberStatement<
  { model: string; after: number; limit: number },
  { connection_id: number; vectors: Uint8Array }
>()(`
  select connection_id, vectors from embeddings
  where member_id = :member_id and connection_id > :after and model = :model
  order by connection_id limit :limit`)

/** Scans the member's vectors. */
const DROP = memberStatement<{ model: string }>()(`
  delete from embeddings
  where member_id = :member_id and (model <> :model or exists (select 1 from connections c
    where c.member_id = :member_id and c.connection_id = embeddings.connection_id and c.deleted_at is not null))`)
