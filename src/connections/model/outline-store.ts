/** The fields of connections that rule out, for most namesakes, that they are a person of an import. */

import { asProperties, memberStatement } from '../../db/statement.ts'
import { storedList, type Connection } from './connection.ts'
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

type OutlineRow = Omit<Outline, 'emails' | 'phones'> & {
  readonly emails: string
  readonly phones: string
}

/** Also finds deleted and merged connections. `ids` are distinct. Ordered by ID. */
export async function findOutlines(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Outline[]> {
  if (ids.length === 0) return []
  const rows = await reader.all(OUTLINES_BY_IDS, { ids })
  return rows.map((row) => ({
    ...row,
    emails: storedList(row.emails),
    phones: storedList(row.phones),
  }))
}

const COLUMNS =
  asProperties(`c.connection_id, c.title, c.location, c.emails, c.phones, c.profile_url, c.birthday,
  c.connected_on, c.import_job_id, c.deleted_at, c.merged_into`)

const OUTLINES_BY_IDS = memberStatement<{ ids: readonly number[] }, OutlineRow>()(
  `select ${COLUMNS} from connections c each (connection_id = :ids...bigint)
   where c.member_id = :member_id order by c.connection_id`,
)
