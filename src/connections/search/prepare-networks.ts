/**
 * Prepares changed networks for the next search. Every write of searchable data makes its network due
 * (`recordSearchChanges`), and a process that runs jobs looks for due networks every few seconds. It claims one at a time, so
 * that nodes share the work and a restart loses none.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../../base/clock.ts'
import { serviceStatement } from '../../db/statement.ts'
import type { Database } from '../../db/database.ts'
import type { PrepareDeps } from './prepare-network.ts'

const INTERVAL_MS = 2 * SECOND
/** A network that changes all the time is prepared after this time. */
const MAX_DELAY_MS = 30 * SECOND
const STOP_TIMEOUT_MS = 5 * SECOND
/** Networks per round. */
const MAX_DUE = 100

interface RoundDeps extends PrepareDeps {
  readonly database: Database
}

/** Embeds and indexes changed networks every few seconds, until it is disposed. */
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
      // The claim of a network that takes longer ends by itself.
      await Promise.race([running, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

/** Prepares the networks that have not changed since the previous round, and once those with vectors of another model. */
export function preparingRound(deps: RoundDeps, stop: AbortSignal): () => Promise<void> {
  const { database, embedder, clock } = deps
  const { model } = embedder
  let changing = new Map<number, { readonly version: number; readonly since: number }>()
  let after = model.isLocal ? 0 : undefined
  return async () => {
    const [before, now] = [changing, clock.now()]
    changing = new Map()
    const due = await database.all(DUE, { now, limit: MAX_DUE })
    const other =
      after === undefined
        ? []
        : await database.all(OF_OTHER_MODELS, { after, model: model.name, limit: MAX_DUE })
    after = other.at(-1)?.member_id
    if (due.length + other.length === 0) return
    const { prepareNetwork } = await import('./prepare-network.ts')
    for (const { member_id, search_version: version } of due) {
      const known = before.get(member_id) ?? { version: -1, since: now }
      const isChanging = known.version !== version && now - known.since < MAX_DELAY_MS
      if (stop.aborted) return
      if (isChanging) changing.set(member_id, { version, since: known.since })
      else await prepareNetwork(database.member(member_id), deps, stop)
    }
    for (const { member_id } of other)
      if (!stop.aborted) await prepareNetwork(database.member(member_id), deps, stop)
  }
}

/** By networks_to_prepare. A network waits until its member has no job, such as an import, which changes it all the time. */
const DUE = serviceStatement<
  { now: number; limit: number },
  { member_id: number; search_version: number }
>(`
  select member_id, search_version from networks
  where prepare_search_at <= :now and not exists (
    select 1 from jobs j where j.member_id = networks.member_id and j.state in ('queued', 'running'))
  order by prepare_search_at, member_id limit :limit`)

/** By primary key. */
const OF_OTHER_MODELS = serviceStatement<
  { after: number; model: string; limit: number },
  { member_id: number }
>(`
  select member_id from networks
  where member_id > :after and embedded_model <> :model order by member_id limit :limit`)
