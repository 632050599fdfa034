/** How many changes of a member are kept, and for how long if the operator limits it. */

import { memberStatement } from '../db/statement.ts'
import { SWEEP_BATCH } from '../db/sweep-batch.ts'
import type { MemberDatabase, MemberTransaction } from '../db/database.ts'

/**
 * Changes kept per member: ten months at 1,000 a month. Each new change removes the oldest beyond that, which can then no
 * longer be undone.
 */
export const MAX_CHANGES = 10_000

/** Deletes the oldest changes, up to number `until`. */
export async function dropOldest(tx: MemberTransaction, until: number): Promise<void> {
  if (until <= 0) return
  await tx.run(DROP_OLDEST, { until })
  await tx.run(DROP_OLDEST_CONCERNED, { until })
}

/**
 * Deletes changes from before `cutoff` (milliseconds), at most `SWEEP_BATCH` rows per transaction, and returns how many. They
 * can then no longer be undone. For a member without such changes, it needs only one short read.
 */
export async function sweepChanges(
  db: MemberDatabase,
  cutoff: number,
  signal?: AbortSignal,
): Promise<number> {
  let swept = 0
  for (;;) {
    if (signal?.aborted === true) return swept
    const until = (await db.get(OLDEST, { cutoff }))?.until ?? null
    if (until === null) return swept
    swept += await dropUntil(db, until)
  }
}

/** Changes are deleted last, so that the next sweep finds what is left. */
async function dropUntil(db: MemberDatabase, until: number): Promise<number> {
  let dropped: number
  do dropped = await db.write((tx) => tx.run(DROP_CONCERNED, { until }), { bulk: true })
  while (dropped > 0)
  return db.write((tx) => tx.run(DROP, { until }), { bulk: true })
}

/** By the primary key: reads at most a batch. */
const OLDEST = memberStatement<{ cutoff: number }, { until: number | null }>()(`
  select max(activity_id) as until from (
    select activity_id, at from activity where member_id = :member_id
    order by activity_id limit ${SWEEP_BATCH}) oldest
  where at < :cutoff`)

const DROP = memberStatement<{ until: number }>()(
  'delete from activity where member_id = :member_id and activity_id <= :until',
)

/** By activity_connections_by_activity. An import concerns many connections. */
const DROP_CONCERNED = memberStatement<{ until: number }>()(`
  delete from activity_connections where member_id = :member_id and (connection_id, activity_id) in (
    select connection_id, activity_id from activity_connections
    where member_id = :member_id and activity_id <= :until
    order by activity_id limit ${SWEEP_BATCH})`)

/** By primary key and activity_connections_by_activity; in batches of a hundred. */
const DROP_OLDEST = memberStatement<{ until: number }>()(`
  delete from activity where member_id = :member_id and activity_id in (
    select activity_id from activity where member_id = :member_id and activity_id <= :until
    order by activity_id limit 100)`)
const DROP_OLDEST_CONCERNED = memberStatement<{ until: number }>()(`
  delete from activity_connections where member_id = :member_id and activity_id in (
    select activity_id from activity_connections where member_id = :member_id and activity_id <= :until
    order by activity_id limit 100)`)
