/**
 * Renews what searches derive from a network: the stored index, if the network is large, and the vectors. The worker holds a
 * lease as for a job: it renews it, the network of a dead worker is taken over, and three attempts in a row without success
 * are the last for a week, because a network that is too large for the machine may end the process.
 */

import { DAY } from '../../../base/clock.ts'
import { memberStatement } from '../../../db/statement.ts'
import { MAX_STALLED_ATTEMPTS, RETRY_FACTOR, RETRY_PAUSE_MS } from '../../../jobs/job-attempts.ts'
import { LEASE, RENEW_INTERVAL_MS } from '../../../jobs/job-lease.ts'
import { embedNetwork } from './embed-network.ts'
import { prepareIndex } from '../index/network-index.ts'
import type { SaveStep } from '../../../db/database.ts'
import type { Embedder } from '../../../embeddings/embedder.ts'
import type { IndexReader } from '../index/network-index.ts'

/** Milliseconds after which a network that could not be prepared is tried again. */
export const GIVEN_UP_MS = 7 * DAY

interface PrepareDeps {
  readonly embedder: Embedder
  readonly now: () => number
  /** Workers whose leases do not count. */
  readonly dead?: readonly string[]
  readonly onFailed?: (error: unknown) => void
}

/**
 * Prepares a network, unless another worker does, a job of the member runs, or it failed a moment ago. Concurrent callers
 * of this process share one preparation. Never rejects.
 */
export function prepareNetwork(
  reader: IndexReader,
  write: SaveStep,
  deps: PrepareDeps,
  stop?: AbortSignal,
): Promise<void> {
  const { preparing } = deps.embedder
  const { memberId } = reader
  let running = preparing.get(memberId)
  if (!running) {
    running = prepareWithLease(reader, write, deps, stop)
      .catch((error: unknown) => deps.onFailed?.(error))
      .finally(() => preparing.delete(memberId))
    preparing.set(memberId, running)
  }
  return running
}

async function prepareWithLease(
  reader: IndexReader,
  write: SaveStep,
  deps: PrepareDeps,
  stop: AbortSignal | undefined,
): Promise<void> {
  const { embedder, now } = deps
  const lease = await claimNetwork(reader, write, deps)
  if (!lease) return
  const lost = new AbortController()
  const signal = stop ? AbortSignal.any([stop, lost.signal]) : lost.signal
  const renew = () =>
    write(async (tx) => {
      const held = await tx.run(RENEW, { ...lease.key, lease: now() + LEASE })
      if (held === 0) lost.abort(new Error('another worker prepares the network'))
    }).catch(() => {})
  const renewal = setInterval(() => void renew(), RENEW_INTERVAL_MS)
  try {
    await prepareIndex(reader)
    signal.throwIfAborted()
    await embedNetwork(reader, embedder, write, signal)
    await write(async (tx) => void (await tx.run(FINISH, { ...lease.key, version: lease.version })))
  } catch (error) {
    if (lost.signal.aborted) return
    const isStopped = stop?.aborted === true
    const attempts = isStopped ? lease.key.attempts - 1 : lease.key.attempts
    const at = isStopped ? now() : now() + pauseAfter(attempts)
    await write(async (tx) => void (await tx.run(RELEASE, { ...lease.key, left: attempts, at })))
    if (!isStopped) throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Milliseconds until the next attempt. */
function pauseAfter(attempts: number): number {
  return attempts >= MAX_STALLED_ATTEMPTS
    ? GIVEN_UP_MS
    : RETRY_PAUSE_MS * RETRY_FACTOR ** (attempts - 1)
}

interface NetworkLease {
  readonly key: LeaseKey
  /** `search_version` of the network when it was claimed. */
  readonly version: number
}

interface LeaseKey {
  readonly worker: string
  /** A fencing token: a lost lease is never valid again. */
  readonly attempts: number
}

/** Undefined if the network is not to be prepared now. */
async function claimNetwork(
  reader: IndexReader,
  write: SaveStep,
  { embedder: { worker }, now, dead = [] }: PrepareDeps,
): Promise<NetworkLease | undefined> {
  // Read first, because most searches of a network that another worker prepares would write in vain.
  if (!(await reader.get(CLAIMABLE, { now: now(), dead }))) return undefined
  let lease: NetworkLease | undefined
  await write(async (tx) => {
    const at = now()
    const row = await tx.get(CLAIM, { worker, lease: at + LEASE, now: at, dead })
    if (!row) return
    const key = { worker, attempts: row.prepare_attempts }
    // The process of the last attempt died.
    if (key.attempts > MAX_STALLED_ATTEMPTS)
      await tx.run(RELEASE, { ...key, left: MAX_STALLED_ATTEMPTS, at: at + GIVEN_UP_MS })
    else lease = { key, version: row.search_version }
  })
  return lease
}

const MAY_CLAIM = `member_id = :member_id and coalesce(prepare_search_at, 0) <= :now
    and (prepare_worker is null or prepare_lease < :now or prepare_worker in (:dead...text))
    and not exists (
      select 1 from jobs j where j.member_id = :member_id and j.state in ('queued', 'running'))` as const

const CLAIMABLE = memberStatement<
  { now: number; dead: readonly string[] },
  { search_version: number }
>()(`select search_version from networks where ${MAY_CLAIM}`)

/** A week after three attempts, they are counted anew. */
const CLAIM = memberStatement<
  { worker: string; lease: number; now: number; dead: readonly string[] },
  { search_version: number; prepare_attempts: number }
>()(`
  update networks set prepare_worker = :worker, prepare_lease = :lease, prepare_search_at = :now,
    prepare_attempts = case
      when prepare_worker is null and prepare_attempts >= ${MAX_STALLED_ATTEMPTS} then 1
      else prepare_attempts + 1 end
  where ${MAY_CLAIM}
  returning search_version, prepare_attempts`)

const HELD = 'member_id = :member_id and prepare_worker = :worker and prepare_attempts = :attempts'

const RENEW = memberStatement<LeaseKey & { lease: number }>()(
  `update networks set prepare_lease = :lease where ${HELD}`,
)

const RELEASE = memberStatement<LeaseKey & { left: number; at: number }>()(`
  update networks set prepare_worker = null, prepare_lease = null, prepare_attempts = :left, prepare_search_at = :at
  where ${HELD}`)

/** Due again if the network has changed since. */
const FINISH = memberStatement<LeaseKey & { version: number }>()(`
  update networks set prepare_worker = null, prepare_lease = null, prepare_attempts = 0,
    prepare_search_at = case when search_version = :version then null else 0 end
  where ${HELD}`)
