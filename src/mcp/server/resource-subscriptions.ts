/**
 * `notifications/resources/updated` for the resources that a client subscribes to. A stream looks at the counters of the
 * member's network, which every write on any node raises. Only when they have moved are the resources read and compared,
 * without charge: the client learns that a resource changed, and pays when it reads it.
 */

import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND, type Clock } from '../../base/clock.ts'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { readArguments } from '../../tools/arguments/read-arguments.ts'
import { matchResource } from './resource-server.ts'
import type { Caller } from '../../http/caller.ts'
import type { Database, MemberReader } from '../../db/database.ts'
import type { NetworkState } from '../../tools/network-state.ts'
import type { Resource } from '../../tools/resource.ts'
import type { Notify, SubscriptionProvider } from '../protocol/subscription-messages.ts'
import type { ToolCaller } from './tool-caller.ts'

export interface SubscriptionDeps {
  readonly database: Database
  readonly clock: Clock
  /** Throws if the token was revoked or has expired. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>
}

const POLL_INTERVAL_MS = SECOND

/** Maximum per stream. */
const MAX_URIS = 100

/** Per member, on one node. */
const MAX_STREAMS = 20

export function resourceSubscriptions(
  deps: SubscriptionDeps,
  resources: readonly Resource[],
  pollIntervalMs = POLL_INTERVAL_MS,
): SubscriptionProvider<ToolCaller> {
  const streams = new Map<number, number>()
  const isFull = (memberId: number) => (streams.get(memberId) ?? 0) >= MAX_STREAMS
  const count = (memberId: number, more: 1 | -1) => {
    const open = (streams.get(memberId) ?? 0) + more
    if (open === 0) streams.delete(memberId)
    else streams.set(memberId, open)
  }
  return {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    },
    async open({ caller, header }, filter) {
      const { memberId } = caller.caller
      if (isFull(memberId)) return undefined
      count(memberId, 1)
      const uris = acceptedOf(resources, filter['resourceSubscriptions'])
      const lists = LISTS.filter(({ name }) => filter[name] === true)
      const versions = versionReader(deps, resources, caller)
      const limits = JSON.stringify(caller.caller.limits)
      const changed = lists.map(({ method }) => method)
      const limitsNow = async () => limitsOf(deps, header('authorization'))
      const known = await readAll(uris, versions).catch((error: unknown) => {
        count(memberId, -1)
        throw error
      })
      return {
        accepted: {
          ...(uris.length > 0 && { resourceSubscriptions: uris }),
          ...Object.fromEntries(lists.map(({ name }) => [name, true])),
        },
        async watch(notify, closing) {
          try {
            const how = { versions, limits, limitsNow, changed }
            await watch(known, { ...how, notify, closing, pollIntervalMs })
          } finally {
            count(memberId, -1)
          }
        },
      }
    },
  }
}

/** The requested URIs that name a resource, each once. */
function acceptedOf(resources: readonly Resource[], wanted: unknown): string[] {
  if (!Array.isArray(wanted)) return []
  const uris = wanted.filter((uri) => typeof uri === 'string' && matchResource(resources, uri))
  return [...new Set<string>(uris)].slice(0, MAX_URIS)
}

/** What a stream compares: all counters of the network, and one resource. */
interface Versions {
  ofNetwork(): Promise<NetworkCounters>
  ofResource(uri: string, network: NetworkCounters): Promise<string>
}

/** What was last seen: the counters, and the version of each resource by its URI. */
interface Known {
  network: NetworkCounters
  readonly versions: Map<string, string>
}

async function readAll(uris: readonly string[], versions: Versions): Promise<Known> {
  const network = await versions.ofNetwork()
  const known = new Map<string, string>()
  for (const uri of uris) known.set(uri, await versions.ofResource(uri, network))
  return { network, versions: known }
}

interface Watched {
  readonly versions: Versions
  /** Limits of the agent when the stream was opened. */
  readonly limits: string
  /** Undefined if the client may no longer read. */
  readonly limitsNow: () => Promise<string | undefined>
  /** The notifications of lists that change with the limits. */
  readonly changed: readonly string[]
  readonly notify: Notify
  readonly closing: AbortSignal
  readonly pollIntervalMs: number
}

/**
 * Ends when the client disconnects, stops reading, or may no longer read. Also ends when the member changes the limits of
 * the agent, because they decide what can be watched.
 */
async function watch(
  known: Known,
  { versions, limits, limitsNow, changed, notify, closing, pollIntervalMs }: Watched,
): Promise<void> {
  while (!closing.aborted) {
    await sleep(pollIntervalMs, undefined, { signal: closing }).catch(() => {})
    const current = await versions.ofNetwork()
    if (closing.aborted || isSame(current, known.network)) continue
    known.network = current
    const allowed = await limitsNow()
    if (allowed !== limits) {
      if (allowed !== undefined) for (const method of changed) notify(method, {})
      return
    }
    for (const [uri, last] of known.versions) {
      const version = await versions.ofResource(uri, current)
      if (version === last) continue
      known.versions.set(uri, version)
      if (!notify('notifications/resources/updated', { uri })) return
    }
  }
}

function versionReader(
  { database, clock }: SubscriptionDeps,
  resources: readonly Resource[],
  { caller }: ToolCaller,
): Versions {
  const db = database.member(caller.memberId)
  return {
    ofNetwork: () => readCounters(db),
    async ofResource(uri, network) {
      const match = matchResource(resources, uri)
      if (!match || match.resource.tool.effect !== 'read') return ABSENT
      const { tool, watched } = match.resource
      const now = clock.now()
      const read = readArguments(tool, match.given, { timeZone: caller.timeZone, now })
      if (!read.ok) return ABSENT
      try {
        const output = await tool.run({ db, caller, network, now, signal: NEVER }, read.value)
        return hash('sha256', JSON.stringify(watched ? watched(output as object) : output), 'hex')
      } catch (error) {
        if (error instanceof RequestError && error.status < 500) return ABSENT
        throw error
      }
    },
  }
}

/** The version of a resource that does not exist. */
const ABSENT = ''

const NEVER = new AbortController().signal

/** Every write raises one of them. */
interface NetworkCounters extends NetworkState {
  readonly last_activity: number
}

const NO_NETWORK: NetworkCounters = { last_activity: 0, search_version: 0, last_connection: 0 }

async function readCounters(reader: MemberReader): Promise<NetworkCounters> {
  return (await reader.get(COUNTERS, {})) ?? NO_NETWORK
}

const COUNTERS = memberStatement<object, NetworkCounters>()(`
  select last_activity, search_version, last_connection from networks where member_id = :member_id`)

function isSame(one: NetworkCounters, other: NetworkCounters): boolean {
  return one.last_activity === other.last_activity && one.search_version === other.search_version
}

/** The limits of the caller, as text; undefined if the token was revoked or has expired. */
async function limitsOf(
  { authenticate }: SubscriptionDeps,
  authorization: string | undefined,
): Promise<string | undefined> {
  try {
    return JSON.stringify((await authenticate(authorization)).limits)
  } catch (error) {
    if (error instanceof RequestError && error.status < 500) return undefined
    throw error
  }
}

/** Lists that change when the member changes the limits: the field of the filter, and the notification. */
const LISTS = [
  { name: 'toolsListChanged', method: 'notifications/tools/list_changed' },
  { name: 'promptsListChanged', method: 'notifications/prompts/list_changed' },
  { name: 'resourcesListChanged', method: 'notifications/resources/list_changed' },
] as const
