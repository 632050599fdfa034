/** The fields of connections that rule out, for most namesakes, that they are a person of an import. */

import { memberStatement } from '../../db/statement.ts'
import { storedList, type Connection, type ConnectionRow } from './connection.ts'
import type { MemberReader } from '../../db/database.ts'

type Outline = Pick<
  Connection,
  | 'connectionId'
  | 'title'
  | 'location'
  | 'emails'
  | 'phones'
  | 'profileUrl'
  | 'birthday'
  | 'connectedOn'
  | 'importJobId'
  | 'deletedAt'
  | 'mergedInto'
>

type OutlineRow = Pick<
  ConnectionRow,
  | 'connection_id'
  | 'title'
  | 'location'
  | 'emails'
  | 'phones'
  | 'profile_url'
  | 'birthday'
  | 'connected_on'
  | 'import_job_id'
  | 'deleted_at'
  | 'merged_into'
>

/** Also finds deleted and merged connections. `ids` are distinct. Ordered by ID. */
export async function findOutlines(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Outline[]> {
  if (ids.length === 0) return []
  return (await reader.all(OUTLINES_BY_IDS, { ids })).map(toOutline)
}

function toOutline(row: OutlineRow): Outline {
  return {
    connectionId: row.connection_id,
    title: row.title,
    location: row.location,
    emails: storedList(row.emails),
    phones: storedList(row.phones),
    profileUrl: row.profile_url,
    birthday: row.birthday,
    connectedOn: row.connected_on,
    importJobId: row.import_job_id,
    deletedAt: row.deleted_at,
    mergedInto: row.merged_into,
  }
}

/** The columns of `connections c` in the order of `OutlineRow`. */
const OUTLINE_COLUMNS = `c.connection_id, c.title, c.location, c.emails, c.phones, c.profile_url, c.birthday,
  c.connected_on, c.import_job_id, c.deleted_at, c.merged_into`

const OUTLINES_BY_IDS = memberStatement<{ ids: readonly number[] }, OutlineRow>()(
  `select ${OUTLINE_COLUMNS} from connections c each (connection_id = :ids...bigint)
   where c.member_id = :member_id order by c.connection_id`,
)
