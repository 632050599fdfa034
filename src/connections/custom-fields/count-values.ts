/** How many people have a value of each custom field. */

import { memberStatement } from '../../db/statement.ts'
import { defineComputation, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import type { Details } from '../model/details.ts'

/**
 * The number of connections by the number of the field; fields without values are absent. Deleted connections do not count.
 *
 * @throws {RequestError} `rate_limited` when too many computations of this member are queued.
 */
export async function countCustomValues(
  db: Pick<MemberDatabase, 'compute'>,
): Promise<ReadonlyMap<string, number>> {
  return new Map(await db.compute(COMPUTATION, {}))
}

/** Connections per read. */
const PAGE = 2000

/** Runs in a thread, because it reads the details of the whole network. */
export async function countValues(reader: MemberReader): Promise<[string, number][]> {
  const counts = new Map<string, number>()
  for (let after = 0; ;) {
    const rows = await reader.all(CUSTOM, { after, limit: PAGE })
    for (const { details } of rows) {
      // Written by the service.
      const { custom = {} } = JSON.parse(details) as Details
      for (const fieldId of Object.keys(custom)) counts.set(fieldId, (counts.get(fieldId) ?? 0) + 1)
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return [...counts]
    after = last.connection_id
  }
}

const COMPUTATION = defineComputation(import.meta.url, { countValues })

/** Scans the member's connections. */
const CUSTOM = memberStatement<
  { after: number; limit: number },
  { connection_id: number; details: string }
>()(`
  select connection_id, details from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null
    and details like '%"custom":{%'
  order by connection_id limit :limit`)
