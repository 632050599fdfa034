/** Renews what searches derive from a network: the stored index, if the network is large, and the vectors. */

import { MINUTE, type Clock } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import { embedNetwork } from './embed-network.ts'
import { prepareIndex } from './index/network-index.ts'
import type { Log } from '../../base/log.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { Embedder } from '../../embeddings/embedder.ts'

/** After this time, another node repeats what a claim promised. */
const CLAIM_MS = 10 * MINUTE

export interface PrepareDeps {
  readonly embedder: Embedder
  readonly clock: Clock
  readonly log: Log
}

/** A network that could not be renewed is due again when the claim ends; once `stop` is aborted, at once. */
export async function prepareNetwork(
  db: MemberDatabase,
  { embedder, clock, log }: PrepareDeps,
  stop: AbortSignal,
): Promise<void> {
  const write = <T>(step: Parameters<typeof db.write<T>>[0]) => db.write(step, { bulk: true })
  try {
    const now = clock.now()
    const claimed = await db.write((tx) => tx.get(CLAIM, { now, until: now + CLAIM_MS }))
    if (!claimed) return
    await prepareIndex(db)
    await embedNetwork(db, embedder, write, stop)
    await db.write((tx) => tx.run(FINISH, { version: claimed.search_version }))
  } catch (error) {
    if (stop.aborted) await db.write((tx) => tx.run(FINISH, { version: NEVER }))
    else log.warn({ err: error }, 'could not prepare a network for searches')
  }
}

const CLAIM = memberStatement<{ now: number; until: number }, { search_version: number }>()(`
  update networks set prepare_search_at = :until
  where member_id = :member_id and coalesce(prepare_search_at, 0) <= :now
  returning search_version`)

const NEVER = -1

/** Due again if the network has changed since. */
const FINISH = memberStatement<{ version: number }>()(`
  update networks set prepare_search_at = case when search_version = :version then null else 0 end
  where member_id = :member_id`)
