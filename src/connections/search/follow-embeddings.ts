/**
 * Keeps the vectors of a network current: after a search, connections that are new or changed since are embedded in the
 * background. A process checks the whole network once, later only what changed; unchanged connections are skipped by their
 * fingerprints. `preparedVectors` in `similar-people.ts` decides which networks are embedded without `embed_connections`.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { memberStatement } from '../../db/statement.ts'
import { writeEmbeddings } from '../../embeddings/stored-vectors.ts'
import { readSearchChanges, type ChangedRange } from '../model/search-changes.ts'
import { EMBED_BATCH, embedChanged } from './embed-objects.job.ts'
import type { MemberMemory, MemberReader, SaveStep } from '../../db/database.ts'
import type { Embedder } from '../../embeddings/embedder.ts'

type FollowReader = MemberReader & { readonly memory: MemberMemory }

/**
 * `version` is the `search_version` of the network that was searched. Resolves when the vectors are current or could
 * not be computed; callers need not wait.
 */
export function followEmbeddings(
  reader: FollowReader,
  embedder: Embedder,
  version: number,
): Promise<void> {
  const { memberId } = reader
  const { followed } = embedder
  const before = followed.get(memberId)
  if (before instanceof Promise) return before
  if (before !== undefined && before >= version) return Promise.resolve()
  const following = reader.memory.save(async (write) => {
    let reached = before
    try {
      await embedSince(reader, embedder, { from: before, to: version, write })
      reached = version
      embedder.memory.recheck(memberId)
    } finally {
      // After a failure, the next search tries again.
      if (reached === undefined) followed.delete(memberId)
      else followed.set(memberId, reached)
    }
  })
  followed.set(memberId, following)
  return following
}

interface Span {
  /** Undefined for everything. */
  readonly from: number | undefined
  readonly to: number
  readonly write: SaveStep
}

const EVERYONE: ChangedRange = { first: 0, last: 2 ** 31 - 1 }

async function embedSince(
  reader: FollowReader,
  { model }: Embedder,
  { from, to, write }: Span,
): Promise<void> {
  const changed = from === undefined ? undefined : await readSearchChanges(reader, from, to)
  for (const { first, last } of changed ?? [EVERYONE])
    for (let after = first - 1; ;) {
      const rows = await reader.all(NEXT, { after, last, limit: EMBED_BATCH })
      const ids = rows.map(({ connection_id }) => connection_id)
      const embeddings = await embedChanged(reader, ids, model, NEVER)
      if (embeddings.length > 0) await write((tx) => writeEmbeddings(tx, embeddings))
      after = ids.at(-1) ?? after
      await nextTurn() // other calls run in between
      if (ids.length < EMBED_BATCH) break
    }
}

const NEVER = new AbortController().signal

/** By primary key. */
const NEXT = memberStatement<
  { after: number; last: number; limit: number },
  { connection_id: number }
>()(`
  select connection_id from connections
  where member_id = :member_id and connection_id > :after and connection_id <= :last and deleted_at is null
  order by connection_id limit :limit`)
