/** Reads the values of custom fields of a whole network. */

import { memberStatement } from '../../db/statement.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Details } from '../../contact-files/contact/details.ts'

interface ConnectionValues {
  readonly connectionId: number
  /** By the number of the field. */
  readonly values: NonNullable<Details['custom']>
}

/** Connections per read. */
const PAGE = 2000

/**
 * The values of each connection that has any, in ID order. Use it in a computation, because it reads the whole network.
 */
export async function* readCustomValues(reader: MemberReader): AsyncGenerator<ConnectionValues> {
  for (let after = 0; ;) {
    const rows = await reader.all(CUSTOM, { after, limit: PAGE })
    for (const { connection_id, details } of rows) {
      // Written by the service.
      const { custom = {} } = JSON.parse(details) as Details
      yield { connectionId: connection_id, values: custom }
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.connection_id
  }
}

/** Scans the member's connections. */
const CUSTOM = memberStatement<
  { after: number; limit: number },
  { connection_id: number; details: string }
>()(`
  select connection_id, details from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null
    and details like '%"custom":{%'
  order by connection_id limit :limit`)
