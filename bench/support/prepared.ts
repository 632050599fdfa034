/** Preparing networks for searches, which a service does minutes after a change, in the background. */

import { systemClock } from '../../src/base/clock.ts'
import { prepareNetwork } from '../../src/connections/search/meaning/prepare-network.ts'
import { serviceStatement } from '../../src/db/statement.ts'
import { openEmbedder } from '../../src/embeddings/embedder.ts'
import type { Database } from '../../src/db/database.ts'

/** By networks_to_prepare. */
const UNPREPARED = serviceStatement<object, { member_id: number }>(`
  select member_id from networks
  where prepare_search_at >= 0 order by prepare_search_at`)

/** Resolves once the indexes and the vectors of all networks are current. */
export async function prepareAll(database: Database): Promise<void> {
  const embedder = openEmbedder(null)
  for (const { member_id } of await database.all(UNPREPARED, {})) {
    const db = database.member(member_id)
    await prepareNetwork(db, (step) => db.write(step, { bulk: true }), {
      embedder,
      now: () => systemClock.now(),
    })
  }
}
