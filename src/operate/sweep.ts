/** Deletes expired data, so that every table stays bounded, and erases the remains of deleted data. */

import { sweepAgentLimits } from '../access/agent-limits.ts'
import { sweepApiTokens } from '../access/api-token.ts'
import { sweepSessions } from '../access/browser-session.ts'
import { sweepCloudAgents } from '../access/cloud-agent.ts'
import { sweepDevices } from '../access/device-password.ts'
import { sweepCredentialNames } from '../access/credential-name.ts'
import { sweepKnownBrowsers } from '../access/known-browser.ts'
import { sweepLinks } from '../access/one-time-link.ts'
import { sweepChallenges } from '../access/passkey-challenge.ts'
import { sweepPendingIdentities } from '../access/pending-identity.ts'
import { DAY } from '../base/clock.ts'
import { findDuePurges, purgeDeletedJob } from '../connections/deletion/purge-deleted.job.ts'
import { recordSearchChanges } from '../connections/model/search-changes.ts'
import {
  hasPlannedContacts,
  renewPlannedContacts,
} from '../connections/last-contact/contact-times.ts'
import { sweepDeliveries } from '../deliveries/delivery-store.ts'
import { sweepEndpoints } from '../deliveries/endpoint-store.ts'
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
import { sweepAdminLog } from '../members/admin-log.ts'
import { memberPages } from '../members/member.ts'
import { sweepSignInAttempts } from '../sign-in/session/sign-in-attempts.ts'
import { sweepChanges } from '../tools/activity-retention.ts'
import type { Database, MemberTransaction, Transaction } from '../db/database.ts'

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
  sweepDevices,
  sweepCredentialNames,
  sweepAgentLimits,
  sweepConnectionExports,
  sweepIdempotencyRecords,
  sweepEmails,
  sweepDeliveries,
  sweepEndpoints,
  sweepKnownBrowsers,
  sweepAttempts,
  sweepAdminLog,
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

/** Deletes the changes of all members that are older than a number of days. Returns the number of changes. */
export async function sweepActivity(
  database: Database,
  days: number,
  now: number,
  { signal }: SweepOptions = {},
): Promise<number> {
  let swept = 0
  for await (const members of memberPages(database)) {
    for (const { memberId } of members)
      swept += await sweepChanges(database.member(memberId), now - days * DAY, signal)
    if (signal?.aborted === true) break
  }
  return swept
}

/** Counts planned contacts of all members whose time has come. Returns the number of people. */
export async function renewContacts(
  database: Database,
  now: number,
  { signal }: SweepOptions = {},
): Promise<number> {
  let renewed = 0
  for await (const members of memberPages(database)) {
    for (const { memberId } of members) {
      const member = database.member(memberId)
      if (await hasPlannedContacts(member, now))
        renewed += await member.write((tx) => renewMember(tx, now), { bulk: true })
    }
    if (signal?.aborted === true) break
  }
  return renewed
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

/** Search shows the last contact of people. */
async function renewMember(tx: MemberTransaction, now: number): Promise<number> {
  const ids = await renewPlannedContacts(tx, now)
  await recordSearchChanges(tx, ids)
  return ids.length
}
