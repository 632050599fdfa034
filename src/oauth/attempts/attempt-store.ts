/** Attempts to connect to a member's account. Only that member can read them. */

import { hash } from 'node:crypto'
import { DAY } from '../../base/clock.ts'
import { memberStatement, serviceStatement } from '../../db/statement.ts'
import { SWEEP_BATCH } from '../../db/sweep-batch.ts'
import type { MemberReader, MemberTransaction, Transaction } from '../../db/database.ts'
import type { AttemptCause, ConnectionAttempt, SeenSteps } from './connection-attempt.ts'

/** Per member; the oldest are dropped. */
const MAX_ATTEMPTS = 20
const KEEP_MS = 30 * DAY

/** Most recent first; of several registrations of one app, only the last. */
export async function listAttempts(reader: MemberReader): Promise<ConnectionAttempt[]> {
  const seen = new Set<string>()
  return (await reader.all(LIST, {})).map(attemptOf).filter(({ clientName, redirectHost }) => {
    const app = `${clientName ?? ''}\n${redirectHost ?? ''}`
    const isLast = !seen.has(app)
    seen.add(app)
    return isLast
  })
}

/** Replaces the attempt of this client with the result of `change`; undefined changes nothing. */
export async function changeAttempt(
  tx: MemberTransaction,
  clientId: string,
  change: (before: ConnectionAttempt | undefined) => ConnectionAttempt | undefined,
): Promise<void> {
  const client_hash = hash('sha256', clientId, 'base64url')
  const row = await tx.get(BY_CLIENT, { client_hash })
  const after = change(row && attemptOf(row))
  if (!after) return
  await tx.run(REPLACE, {
    client_hash,
    client_name: after.clientName,
    redirect_host: after.redirectHost,
    steps: JSON.stringify(after.steps),
    suspicions: JSON.stringify(after.suspicions),
    started_at: after.startedAt,
    updated_at: after.updatedAt,
  })
  if (!row) await tx.run(DROP_OLDEST, { kept: MAX_ATTEMPTS })
}

/** Deletes attempts that are 30 days old, a batch at a time. Returns how many. */
export async function sweepAttempts(tx: Transaction, now: number): Promise<number> {
  return tx.run(SWEEP, { before: now - KEEP_MS })
}

interface AttemptRow {
  readonly client_name: string | null
  readonly redirect_host: string | null
  readonly steps: string
  readonly suspicions: string
  readonly started_at: number
  readonly updated_at: number
}

/** Both JSON columns are written only by changeAttempt. */
function attemptOf(row: AttemptRow): ConnectionAttempt {
  return {
    clientName: row.client_name,
    redirectHost: row.redirect_host,
    steps: JSON.parse(row.steps) as SeenSteps,
    suspicions: JSON.parse(row.suspicions) as AttemptCause[],
    startedAt: row.started_at,
    updatedAt: row.updated_at,
  }
}

const COLUMNS = 'client_name, redirect_host, steps, suspicions, started_at, updated_at'

const LIST = memberStatement<object, AttemptRow>()(`
  select ${COLUMNS} from connection_attempts where member_id = :member_id
  order by updated_at desc, client_hash`)

const BY_CLIENT = memberStatement<{ client_hash: string }, AttemptRow>()(`
  select ${COLUMNS} from connection_attempts where member_id = :member_id and client_hash = :client_hash`)

const REPLACE = memberStatement<AttemptRow & { readonly client_hash: string }>()(`
  insert into connection_attempts (member_id, client_hash, ${COLUMNS})
  values (:member_id, :client_hash, :client_name, :redirect_host, :steps, :suspicions, :started_at, :updated_at)
  on conflict (member_id, client_hash) do update set client_name = excluded.client_name,
    redirect_host = excluded.redirect_host, steps = excluded.steps, suspicions = excluded.suspicions,
    started_at = excluded.started_at, updated_at = excluded.updated_at`)

const DROP_OLDEST = memberStatement<{ kept: number }>()(`
  delete from connection_attempts where member_id = :member_id and client_hash not in (
    select client_hash from connection_attempts where member_id = :member_id
    order by updated_at desc, client_hash limit :kept)`)

/** By connection_attempts_by_update. */
const SWEEP = serviceStatement<{ before: number }>(`
  delete from connection_attempts where (member_id, client_hash) in (
    select member_id, client_hash from connection_attempts where updated_at < :before
    order by updated_at limit ${SWEEP_BATCH})`)
