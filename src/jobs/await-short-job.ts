/** Waits for the end of a short job, so that the call that started it answers with the result. */

import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../base/clock.ts'
import { memberStatement } from '../db/statement.ts'
import { isTerminal, JOB_COLUMNS, type StoredJob } from './job-record.ts'
import type { MemberReader } from '../db/database.ts'

/** A job that reads at most this much is short: a file of some hundred contacts. */
const MAX_SHORT_BYTES = 200_000

const MAX_WAIT_MS = 3 * SECOND
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 250

/**
 * The job once it has ended. Undefined if it is not a short one, has not ended after some seconds, or `signal` fires. Any
 * worker may run it, so this looks at the stored job, without a transaction between two looks.
 */
export async function awaitShortJob(
  reader: MemberReader,
  jobId: number,
  signal: AbortSignal,
): Promise<StoredJob | undefined> {
  let pause = FIRST_PAUSE_MS
  for (let waited = 0; !signal.aborted; waited += pause) {
    const job = await reader.get(SHORT_JOB, { job_id: jobId, max_bytes: MAX_SHORT_BYTES })
    if (!job || isTerminal(job.state)) return job
    if (waited >= MAX_WAIT_MS) return undefined
    pause = Math.min(pause * 2, MAX_PAUSE_MS)
    // An abort rejects the pause; the loop then ends.
    await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}

/** By primary key. */
const SHORT_JOB = memberStatement<{ job_id: number; max_bytes: number }, StoredJob>()(`
  select ${JOB_COLUMNS} from jobs
  where member_id = :member_id and job_id = :job_id and bytes <= :max_bytes`)
