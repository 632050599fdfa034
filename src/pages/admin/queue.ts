/** The jobs of all members as an admin sees them: kinds, states, times and error codes; never whose, or what of. */

import { DAY, MINUTE } from '../../base/clock.ts'
import { serviceStatement } from '../../db/statement.ts'
import type { Database } from '../../db/database.ts'

export interface Queue {
  /** Kinds of which there is a job that has not ended. */
  readonly active: readonly ActiveKind[]
  /** In the last 24 hours, the most frequent first. */
  readonly failed: readonly FailedKind[]
  readonly state: QueueState
}

export interface ActiveKind {
  readonly kind: string
  readonly waiting: number
  /** When the oldest that waits was made. */
  readonly waitsSince: number | null
  /** In the hands of a worker that says it is alive. */
  readonly running: number
  /** Their worker was not heard of in time; another takes them over. */
  readonly abandoned: number
}

export interface FailedKind {
  readonly kind: string
  readonly code: string
  readonly jobs: number
}

/** `stuck`: jobs wait and nobody runs any, so no worker may be there. `busy`: all that run jobs have their hands full. */
export type QueueState = 'idle' | 'moving' | 'busy' | 'stuck'

/** A worker looks every few seconds: with one at hand and a place free, nothing waits as long as this. */
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

/** By jobs_active. */
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
 * An error is stored as `{"code":"…","title":"…","detail":"…"}`: from the code on 24 characters, of which the last may
 * be of its title, which is the same for all of a code. The detail, which may tell of the member's own, is not read.
 */
const FAILED = serviceStatement<
  { since: number },
  { kind: string; code_on: string; jobs: number }
>(`
  select kind, substr(error, 10, 24) as code_on, count(*) as jobs
  from jobs where state = 'failed' and finished_at >= :since
  group by kind, substr(error, 10, 24) order by jobs desc, kind, code_on`)
