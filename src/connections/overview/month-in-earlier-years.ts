/** The people a member met in this month of earlier years. */

import { memberStatement, WHOLE_NETWORK } from '../../db/statement.ts'
import { LISTED_COLUMNS, toListed, type Listed, type ListedRow } from '../model/connection.ts'
import type { MemberDatabase } from '../../db/database.ts'

export interface MonthAgo {
  /** YYYY */
  readonly year: string
  /** The first ones. */
  readonly people: readonly Listed[]
  readonly more: number
}

/** People of a year that are named. */
const MAX_PEOPLE = 3

/** The earliest year first, at most `limit` years. `today`: YYYY-MM-DD. */
export async function listMonthsAgo(
  { heavy }: Pick<MemberDatabase, 'heavy'>,
  today: string,
  limit: number,
): Promise<MonthAgo[]> {
  const [year = '', month = ''] = today.split('-')
  const rows = await heavy.all(MET, { month, before: year })
  const years = [...Map.groupBy(rows, ({ connectedOn }) => (connectedOn ?? '').slice(0, 4))]
  const step = Math.max((years.length - 1) / Math.max(limit - 1, 1), 1)
  // Spread over all years, with the first and the last.
  const shown = new Set(
    Array.from({ length: Math.min(limit, years.length) }, (_, at) => Math.round(at * step)),
  )
  return years
    .filter((_, at) => shown.has(at))
    .map(([value, met]) => ({
      year: value,
      people: met.slice(0, MAX_PEOPLE).map((row) => toListed(row)),
      more: Math.max(met.length - MAX_PEOPLE, 0),
    }))
}

/** By connections_by_day. */
const MET = memberStatement<{ month: string; before: string }, ListedRow>()(`
  select ${WHOLE_NETWORK} ${LISTED_COLUMNS} from connections c
  where c.member_id = :member_id and coalesce(c.connected_on, '') > '' and substr(c.connected_on, 6, 2) = :month
    and substr(c.connected_on, 1, 4) < :before and c.deleted_at is null
  order by coalesce(c.connected_on, ''), c.connection_id limit 2000`)
