/** Statistics about all members' jobs for admins: kinds, states, times and error codes, never owners or contents. */

import { DAY, MINUTE } from '../../base/clock.ts'
import { serviceStatement } from '../../db/statement.ts'
import type { Database } from '../../db/database.ts'

export interface Queue {
  /** Job kinds with unfinished jobs. */
  readonly active: readonly ActiveKind[]
  /** Failures of the last 24 hours, most frequent first. */
  readonly failed: readonly FailedKind[]
  readonly state: QueueState
}

export interface ActiveKind {
  readonly kind: string
  readonly waiting: number
  /** When the oldest queued job was created. */
  readonly waitsSince: number | null
  /** Jobs whose worker holds a valid lease. */
  readonly running: number
  /** Jobs whose lease expired; another worker takes them over. */
  readonly abandoned: number
}

export interface FailedKind {
  readonly kind: string
  readonly code: string
  readonly jobs: number
}

/** `stuck`: jobs wait and no worker runs any. `busy`: jobs wait because all workers are busy. */
export type QueueState = 'idle' | 'moving' | 'busy' | 'stuck'

/** Workers poll every few seconds, so with free capacity no job waits this long. */
const PATIENCE = MINUTE

export async function readQueue({ heavy }: Pick<Database, 'heavy'>, now: number): Promise<Queue> {
  const [active, failed] = await Promise.all([
    heavy.all(ACTIVE, { now }),
    heavy.all(FAILED, { since: now - DAY }),
  ])
  const kinds = active.map((row): ActiveKind => {
    const { kind, waiting, waits_since: waitsSince, running, abandoned } = row
    return { kind, waiting, waitsSince, running, abandoned }
  })
  return {
    active: kinds,
    failed: failed.map(({ kind, code_on, jobs }) => ({ kind, code: codeAt(code_on), jobs })),
    state: stateOf(kinds, now),
  }
}

function stateOf(kinds: readonly ActiveKind[], now: number): QueueState {
  if (kinds.length === 0) return 'idle'
  const waitsSince = Math.min(...kinds.map((one) => one.waitsSince ?? now))
  if (now - waitsSince < PATIENCE) return 'moving'
  return kinds.some(({ running }) => running > 0) ? 'busy' : 'stuck'
}

function codeAt(text: string): string {
  return text.slice(0, text.indexOf('"'))
}

/** Uses the index jobs_active. */
const ACTIVE = serviceStatement<
  { now: number },
  { kind: string; waiting: number; waits_since: number | null; running: number; abandoned: number }
>(`
  select kind,
    count(case when state = 'queued' then 1 end) as waiting,
    min(case when state = 'queued' then created_at end) as waits_since,
    count(case when state = 'running' and lease_until >= :now then 1 end) as running,
    count(case when state = 'running' and lease_until < :now then 1 end) as abandoned
  from jobs where state in ('queued', 'running')
  group by kind order by kind`)

/**
 * An error is stored as `{"code":"…","title":"…","detail":"…"}`. This reads 24 characters starting at the code; the
 * rest may include part of the title, which is the same for all errors of a code. The detail may contain member
 * data, so it is not read.
 */
const FAILED = serviceStatement<
  { since: number },
  { kind: string; code_on: string; jobs: number }
>(`
  select kind, substr(error, 10, 24) as code_on, count(*) as jobs
  from jobs where state = 'failed' and finished_at >= :since
  group by kind, substr(error, 10, 24) order by jobs desc, kind, code_on`)
