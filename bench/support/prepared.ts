/** Waiting until a service has prepared its networks for searches, which takes its core for up to a minute. */

import { setTimeout as sleep } from 'node:timers/promises'
import { serviceStatement } from '../../src/db/statement.ts'
import type { Database } from '../../src/db/database.ts'

/** By networks_to_prepare. A network that is being prepared is included. */
const UNPREPARED = serviceStatement<object, { member_id: number }>(`
  select member_id from networks
  where prepare_search_at >= 0 order by prepare_search_at limit 1`)

/** Resolves once no network has changed since a running service prepared it for searches. */
export async function untilPrepared(database: Database): Promise<void> {
  while ((await database.all(UNPREPARED, {})).length > 0) await sleep(50)
}
