/** Attempts to connect to a member's account. Only that member can read them. */

import { hash } from 'node:crypto'
import { DAY } from '../../base/clock.ts'
import { insertRow } from '../../db/insert-row.ts'
import { asProperties, memberStatement } from '../../db/statement.ts'
import { sweepOf } from '../../db/sweep-batch.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
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
  const { clientName, redirectHost, startedAt, updatedAt } = after
  const stored = {
    client_hash,
    client_name: clientName,
    redirect_host: redirectHost,
    steps: JSON.stringify(after.steps),
    suspicions: JSON.stringify(after.suspicions),
    started_at: startedAt,
    updated_at: updatedAt,
  }
  await insertRow(tx, 'connection_attempts', stored, 'replace')
  if (!row) await tx.run(DROP_OLDEST, { kept: MAX_ATTEMPTS })
}

type AttemptRow = Omit<ConnectionAttempt, 'steps' | 'suspicions'> & {
  readonly steps: string
  readonly suspicions: string
}

/** Both JSON columns are written only by changeAttempt. */
function attemptOf(row: AttemptRow): ConnectionAttempt {
  return {
    ...row,
    steps: JSON.parse(row.steps) as SeenSteps,
    suspicions: JSON.parse(row.suspicions) as AttemptCause[],
  }
}

const COLUMNS = asProperties(
  'client_name, redirect_host, steps, suspicions, started_at, updated_at',
)

const LIST = memberStatement<object, AttemptRow>()(`
  select ${COLUMNS} from connection_attempts where member_id = :member_id
  order by updated_at desc, client_hash`)

const BY_CLIENT = memberStatement<{ client_hash: string }, AttemptRow>()(`
  select ${COLUMNS} from connection_attempts where member_id = :member_id and client_hash = :client_hash`)

const DROP_OLDEST = memberStatement<{ kept: number }>()(`
  delete from connection_attempts where member_id = :member_id and client_hash not in (
    select client_hash from connection_attempts where member_id = :member_id
    order by updated_at desc, client_hash limit :kept)`)

/** Deletes attempts that are 30 days old. By connection_attempts_by_update. */
export const sweepAttempts = sweepOf(
  'connection_attempts',
  'member_id, client_hash',
  'updated_at',
  KEEP_MS,
)
