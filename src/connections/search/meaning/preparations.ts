/** How far the preparation of all networks for searches is, for metrics and the doctor. Never whose. */

import { MAX_STALLED_ATTEMPTS } from '../../../jobs/job-attempts.ts'
import { serviceStatement } from '../../../db/statement.ts'
import type { Database } from '../../../db/database.ts'

interface Preparations {
  /** Networks with changes that are gathered. */
  readonly gathering: number
  /** Networks that wait for a worker. */
  readonly due: number
  readonly running: number
  /** Networks whose worker died. */
  readonly abandoned: number
  /** Networks that are left alone after three failed attempts. */
  readonly failed: number
  /** Since when the oldest due, running or abandoned preparation has been so; null without one. */
  readonly oldestAt: number | null
}

export async function readPreparations(
  { heavy }: Pick<Database, 'heavy'>,
  now: number,
): Promise<Preparations> {
  const row = await heavy.get(PREPARATIONS, { now })
  return row ? { ...row, oldestAt: row.oldest_at } : NONE
}

const NONE: Preparations = {
  gathering: 0,
  due: 0,
  running: 0,
  abandoned: 0,
  failed: 0,
  oldestAt: null,
}

/** By networks_to_prepare. */
const PREPARATIONS = serviceStatement<
  { now: number },
  Omit<Preparations, 'oldestAt'> & { readonly oldest_at: number | null }
>(`
  select count(case when prepare_worker is null and prepare_search_at = 0 then 1 end) as gathering,
    count(case when prepare_worker is null and prepare_search_at > 0 and prepare_search_at <= :now then 1 end) as due,
    count(case when prepare_lease >= :now then 1 end) as running,
    count(case when prepare_lease < :now then 1 end) as abandoned,
    count(case when prepare_worker is null and prepare_attempts >= ${MAX_STALLED_ATTEMPTS} then 1 end) as failed,
    min(case when prepare_search_at > 0 and prepare_search_at <= :now then prepare_search_at end) as oldest_at
  from networks where prepare_search_at is not null`)
