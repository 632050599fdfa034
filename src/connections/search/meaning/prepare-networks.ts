/**
 * Prepares changed networks for the next search. A search prepares what it needs itself, so changes are gathered for some
 * minutes, and few changes are left to the next search. Every write of searchable data marks its network
 * (`recordSearchChanges`), and a process that runs jobs looks for marked networks.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND, type Clock } from '../../../base/clock.ts'
import { isDeadWorker } from '../../../base/concurrency/worker-id.ts'
import { memberStatement, serviceStatement } from '../../../db/statement.ts'
import type { Log } from '../../../base/log.ts'
import type { Database } from '../../../db/database.ts'
import type { Embedder } from '../../../embeddings/embedder.ts'

const INTERVAL_MS = 10 * SECOND
/** How long changes of a network are gathered. */
export const GATHER_MS = 5 * MINUTE
const STOP_TIMEOUT_MS = 5 * SECOND
/** Networks per round. */
const MAX_DUE = 1000

interface RoundDeps {
  readonly database: Database
  readonly embedder: Embedder
  readonly clock: Clock
  readonly log: Log
}

/** Prepares changed networks until it is disposed. */
export function prepareNetworks(deps: RoundDeps): AsyncDisposable {
  const stopping = new AbortController()
  const prepare = preparingRound(deps, stopping.signal)
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= prepare()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'no search for changed networks'))
      .finally(() => (running = undefined))
  }, INTERVAL_MS).unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopping.abort()
      // The lease of a network that takes longer ends by itself.
      await Promise.race([running, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

/** Prepares the networks whose changes were gathered, and once those with vectors of another model. */
export function preparingRound(deps: RoundDeps, stop: AbortSignal): () => Promise<void> {
  const { database, embedder, clock } = deps
  const { model } = embedder
  let gathering: ReadonlyMap<number, number> = new Map()
  let after = model.isLocal ? 0 : undefined
  return async () => {
    const now = clock.now()
    const dead = await findDeadWorkers(deps, now)
    const found = await database.all(DUE, { now, dead, limit: MAX_DUE })
    const other =
      after === undefined
        ? []
        : await database.all(OF_OTHER_MODELS, { after, model: model.name, limit: MAX_DUE })
    after = other.at(-1)?.member_id
    const since = new Map(
      found
        .filter(({ prepare_search_at: at }) => at === 0)
        .map(({ member_id }) => [member_id, gathering.get(member_id) ?? now]),
    )
    const due = found.filter(
      ({ member_id }) => now - (since.get(member_id) ?? -Infinity) >= GATHER_MS,
    )
    for (const { member_id } of due) since.delete(member_id)
    gathering = since
    if (due.length + other.length > 0)
      await prepareEach(deps, { networks: [...due, ...other], dead }, stop)
  }
}

interface Due {
  readonly networks: readonly { readonly member_id: number }[]
  readonly dead: readonly string[]
}

/** One at a time. */
async function prepareEach(
  { database, embedder, clock, log }: RoundDeps,
  { networks, dead }: Due,
  stop: AbortSignal,
): Promise<void> {
  const { prepareNetwork } = await import('./prepare-network.ts')
  const { versionLeftToSearches } = await import('./embed-network.ts')
  const onFailed = (error: unknown) =>
    log.warn({ err: error }, 'could not prepare a network for searches')
  const deps = { embedder, now: () => clock.now(), dead, onFailed }
  for (const { member_id } of networks) {
    if (stop.aborted) return
    const db = database.member(member_id)
    const version = await versionLeftToSearches(db, embedder.model)
    if (version === undefined)
      await prepareNetwork(db, (step) => db.write(step, { bulk: true }), deps, stop)
    else await db.write((tx) => tx.run(LEAVE, { version }))
  }
}

/** Leaves few changes to the next search. */
const LEAVE = memberStatement<{ version: number }>()(`
  update networks set prepare_search_at = null, prepare_attempts = 0
  where member_id = :member_id and search_version = :version and prepare_worker is null`)

/** Workers that hold leases but are certainly dead, such as an earlier process of this machine. */
async function findDeadWorkers(
  { database, embedder }: RoundDeps,
  now: number,
): Promise<readonly string[]> {
  const holders = await database.all(LEASEHOLDERS, { now })
  return holders.map(({ worker }) => worker).filter((one) => isDeadWorker(one, embedder.worker))
}

/** By networks_to_prepare, as the next. */
const LEASEHOLDERS = serviceStatement<{ now: number }, { worker: string }>(`
  select distinct prepare_worker as worker from networks
  where prepare_search_at is not null and prepare_lease >= :now`)

/** A network waits until its member has no job, such as an import, which changes it all the time. */
const DUE = serviceStatement<
  { now: number; dead: readonly string[]; limit: number },
  { member_id: number; prepare_search_at: number }
>(`
  select member_id, prepare_search_at from networks
  where prepare_search_at <= :now
    and (prepare_worker is null or prepare_lease < :now or prepare_worker in (:dead...text))
    and not exists (
    select 1 from jobs j where j.member_id = networks.member_id and j.state in ('queued', 'running'))
  order by prepare_search_at, member_id limit :limit`)

/** By primary key. */
const OF_OTHER_MODELS = serviceStatement<
  { after: number; model: string; limit: number },
  { member_id: number }
>(`
  select member_id from networks
  where member_id > :after and embedded_model <> :model order by member_id limit :limit`)
