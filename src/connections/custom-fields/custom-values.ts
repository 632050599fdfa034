/** Reads the values of custom fields of a whole network. */

import { pagesOf, type PageParams } from '../../db/paged-rows.ts'
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
  for await (const rows of pagesOf(reader, CUSTOM, { first: 0, limit: PAGE }))
    for (const { key, details } of rows) {
      // Written by the service.
      const { custom = {} } = JSON.parse(details) as Details
      yield { connectionId: key, values: custom }
    }
}

/** Scans the member's connections. */
const CUSTOM = memberStatement<PageParams, { key: number; details: string }>()(`
  select connection_id as key, details from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null
    and details like '%"custom":{%'
  order by connection_id limit :limit`)
