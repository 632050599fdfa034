/** A server made ready to answer: its methods per era, with everything static serialized once. */

import { completionsFeature } from '../features/completions.ts'
import { eventsFeature } from '../features/events.ts'
import type { RpcResponse } from '../protocol/json-rpc.ts'
import { legacyLifecycle, modernLifecycle } from '../features/lifecycle.ts'
import type { Feature, MethodHandler, Methods } from '../protocol/method.ts'
import { LEGACY_RESULTS, modernResults, type Results } from '../protocol/results.ts'
import { promptsFeature } from '../features/prompts.ts'
import { resourcesFeature } from '../features/resources.ts'
import type { LegacyAsking } from '../features/client-requests.ts'
import { statelessRounds } from '../features/multi-round-trip.ts'
import type { RunRounds } from '../protocol/input-required.ts'
import type { McpServer } from '../protocol/server.ts'
import { skillsFeature } from '../features/skills.ts'
import { subscriptionsFeature } from '../features/subscriptions.ts'
import { tasksFeature } from '../features/tasks.ts'
import { toolsFeature } from '../features/tools.ts'

export interface McpEndpoint<Caller> {
  readonly legacyMethods: ReadonlyMap<string, MethodHandler<Caller>>
  readonly modernMethods: ReadonlyMap<string, MethodHandler<Caller>>
  /** Accepts a response of a legacy client; without it they are dropped, because no legacy client is asked anything. */
  readonly takeResponse?: (caller: Caller, response: RpcResponse) => void
  readonly onInternalError: (error: unknown) => void
}

interface EndpointOptions<Caller> {
  /** Capabilities of an era that not every server has. */
  readonly more?: (results: Results) => Feature<Caller>
  /** How clients are asked for input. */
  readonly rounds?: RunRounds<Caller>
  /** Also asks legacy clients that declare elicitation. */
  readonly asking?: LegacyAsking<Caller> | undefined
}

/** Do this once per mount, not per request. */
export function createMcpEndpoint<Caller>(
  server: McpServer<Caller>,
  { more, rounds: givenRounds, asking }: EndpointOptions<Caller> = {},
): McpEndpoint<Caller> {
  const { resources, prompts, skills, complete, tasks, subscriptions, events } = server
  const results = modernResults(server.serverInfo)
  const rounds = givenRounds ?? statelessRounds(results, asking)
  const inBothEras = (by: Results) => [
    toolsFeature(server, by, rounds),
    more?.(by),
    server.extensions && { capabilities: { extensions: server.extensions }, methods: {} },
    resources && resourcesFeature(resources, by, rounds),
    prompts && promptsFeature(prompts, by, rounds),
    complete && completionsFeature(complete, by),
    // ChatGPT subscribes after `initialize`.
    events && eventsFeature(events, results),
  ]
  const legacy = joined(inBothEras(LEGACY_RESULTS))
  const modern = joined([
    ...inBothEras(results),
    skills && skillsFeature(skills, results),
    tasks && tasksFeature(tasks, results),
    subscriptions && subscriptionsFeature(subscriptions, results),
  ])
  return {
    legacyMethods: tableOf(
      legacyLifecycle(server, legacy.capabilities, asking !== undefined),
      legacy.methods,
    ),
    modernMethods: tableOf(modernLifecycle(server, modern.capabilities, results), modern.methods),
    ...(asking && {
      takeResponse: (caller: Caller, response: RpcResponse) =>
        asking.requests.take(asking.principalOf(caller), response),
    }),
    onInternalError: (error) => server.onInternalError(error),
  }
}

/** Joins features. A capability that several declare has the settings of all of them. */
function joined<Caller>(given: readonly (Feature<Caller> | undefined)[]): Feature<Caller> {
  const features = given.filter((feature) => feature !== undefined)
  const capabilities: Record<string, object> = {}
  for (const feature of features)
    for (const [name, settings] of Object.entries(feature.capabilities))
      capabilities[name] = { ...capabilities[name], ...(settings as object) }
  return { capabilities, methods: Object.assign({}, ...features.map(({ methods }) => methods)) }
}

/** A map, because a caller may ask for the method `constructor`. */
function tableOf<Caller>(
  ...parts: readonly Methods<Caller>[]
): ReadonlyMap<string, MethodHandler<Caller>> {
  return new Map(parts.flatMap((methods) => Object.entries(methods)))
}
