/** Deletes expired data, so that every table stays bounded, and erases the remains of deleted data. */

import { sweepAgentLimits } from '../access/agent-limits.ts'
import { sweepApiTokens } from '../access/api-token.ts'
import { sweepSessions } from '../access/browser-session.ts'
import { sweepCloudAgents } from '../access/cloud-agent.ts'
import { sweepCredentialNames } from '../access/credential-name.ts'
import { sweepKnownBrowsers } from '../access/known-browser.ts'
import { sweepLinks } from '../access/one-time-link.ts'
import { sweepChallenges } from '../access/passkey-challenge.ts'
import { sweepPendingIdentities } from '../access/pending-identity.ts'
import { DAY, HOUR, MINUTE, type Clock } from '../base/clock.ts'
import { findDuePurges, purgeDeletedJob } from '../connections/deletion/purge-deleted.job.ts'
import { sweepConnectionExports } from '../exports/connection-export.ts'
import { sweepExports } from '../exports/export-store.ts'
import { sweepIdempotencyRecords } from '../guards/idempotency-record.ts'
import { startJob } from '../jobs/start-job.ts'
import { sweepJobs } from '../jobs/sweep-jobs.ts'
import { sweepAttempts } from '../oauth/attempts/attempt-store.ts'
import { sweepClients } from '../oauth/client.ts'
import { sweepGrants } from '../oauth/grant.ts'
import { sweepTokens } from '../oauth/token-pair.ts'
import { sweepEmails } from '../outbox/outbox.ts'
import { listMembers } from '../members/member.ts'
import { sweepSignInAttempts } from '../sign-in/session/attempts.ts'
import { sweepChanges } from '../tools/sweep-activity.ts'
import type { Log } from '../base/log.ts'
import type { Database, Transaction } from '../db/database.ts'

/** Expired data is never used, so keeping it for another hour costs only disk space. */
const INTERVAL = HOUR
/**
 * The first sweep runs this long after the start, so that processes that restart often also sweep; up to twice as long,
 * so that nodes that start together do not sweep together.
 */
const FIRST_DELAY_MS = 3 * MINUTE

/** Each deletes a limited number of rows per transaction. */
const SWEEPS: readonly ((tx: Transaction, now: number) => Promise<number>)[] = [
  sweepSessions,
  sweepLinks,
  sweepChallenges,
  sweepTokens,
  sweepPendingIdentities,
  sweepSignInAttempts,
  sweepGrants,
  sweepClients,
  sweepApiTokens,
  sweepCloudAgents,
  sweepCredentialNames,
  sweepAgentLimits,
  sweepConnectionExports,
  sweepIdempotencyRecords,
  sweepEmails,
  sweepKnownBrowsers,
  sweepAttempts,
]

/** Data with many dependent rows is deleted in steps. */
const STEPWISE: readonly ((database: Database, now: number) => Promise<number>)[] = [
  sweepExports,
  sweepJobs,
]

interface SweepOptions {
  /** Stops the sweep between two transactions. */
  readonly signal?: AbortSignal
}

/** Uses many small transactions that yield to waiting ones. Returns the number of deleted rows, archives and jobs. */
export async function sweep(
  database: Database,
  now: number,
  { signal }: SweepOptions = {},
): Promise<number> {
  let swept = 0
  for (const one of SWEEPS) swept += await sweepOut(database, one, now, signal)
  for (const one of STEPWISE) if (!signal?.aborted) swept += await one(database, now)
  return swept
}

async function sweepOut(
  database: Database,
  one: (typeof SWEEPS)[number],
  now: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let swept = 0
  for (;;) {
    if (signal?.aborted === true) return swept
    const some = await database.write((tx) => one(tx, now), { bulk: true })
    if (some === 0) return swept
    swept += some
  }
}

/** Members per query. */
const MEMBER_PAGE = 500

/** Deletes the changes of all members that are older than so many days. Returns the number of changes. */
export async function sweepActivity(
  database: Database,
  days: number,
  now: number,
  { signal }: SweepOptions = {},
): Promise<number> {
  let [swept, after] = [0, '']
  for (;;) {
    const members = await listMembers(database, { after, limit: MEMBER_PAGE })
    for (const { memberId } of members)
      swept += await sweepChanges(database.member(memberId), now - days * DAY, signal)
    after = members.at(-1)?.username ?? ''
    if (members.length < MEMBER_PAGE || signal?.aborted === true) return swept
  }
}

/** Starts jobs that purge connections deleted more than 30 days ago. Returns the number of jobs. */
export async function startPurges(
  database: Database,
  now: number,
  wake: (jobId: number) => void,
): Promise<number> {
  let count = 0
  for (const memberId of await findDuePurges(database, now)) {
    const start = { definition: purgeDeletedJob, input: {}, credentialId: null, charge: false }
    const { job, started } = await database
      .member(memberId)
      .write((tx) => startJob(tx, { ...start, quota: 0, now }), { bulk: true })
    if (!started) continue
    wake(job.job_id)
    count += 1
  }
  return count
}

interface SweepDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** Notifies the worker of a new job. */
  readonly wake: (jobId: number) => void
  /** `WEFT_ACTIVITY_RETENTION_DAYS`; null keeps the latest changes of each member, however old. */
  readonly activityRetentionDays: number | null
}

/** Sweeps a few minutes after the start, then every hour. Once a day, also renews matching keys, drops old activity and erases deleted data from the database files. */
export function sweepRegularly({
  database,
  clock,
  log,
  wake,
  activityRetentionDays: days,
}: SweepDeps): AsyncDisposable {
  const stopping = new AbortController()
  let running = Promise.resolve()
  let eraseAt = clock.now()
  const sweepAll = async (now: number): Promise<void> => {
    const swept = await sweep(database, now, { signal: stopping.signal })
    const purges = await startPurges(database, now, wake)
    if (now >= eraseAt) {
      if (days !== null) await sweepActivity(database, days, now, { signal: stopping.signal })
      await database.erase()
      eraseAt = now + DAY
    }
    log.debug({ swept, purges }, 'swept')
  }
  let timer: NodeJS.Timeout
  const sweepIn = (delayMs: number) => {
    timer = setTimeout(() => {
      running = running
        .then(() => sweepAll(clock.now()))
        .catch((error: unknown) => log.error({ err: error }, 'sweep failed'))
      sweepIn(INTERVAL)
    }, delayMs)
    timer.unref()
  }
  sweepIn(FIRST_DELAY_MS * (1 + Math.random()))
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      stopping.abort()
      await running
    },
  }
}
