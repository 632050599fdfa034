/** A server made ready to answer: its methods per era, with everything static serialized once. */

import { completionsFeature } from '../features/completions.ts'
import { eventsFeature } from '../features/events.ts'
import type { JsonObject, RpcResponse } from '../protocol/json-rpc.ts'
import { legacyLifecycle, modernLifecycle } from '../features/lifecycle.ts'
import type { EraFeature, Feature, MethodHandler, Methods } from '../protocol/method.ts'
import { modernResults } from '../protocol/modern-result.ts'
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
  /** Capabilities that not every server has. */
  readonly more?: readonly Feature<Caller>[]
  /** How clients are asked for input. */
  readonly rounds?: RunRounds<Caller>
  /** Also asks legacy clients that declare elicitation. */
  readonly asking?: LegacyAsking<Caller> | undefined
}

/** Do this once per mount, not per request. */
export function createMcpEndpoint<Caller>(
  server: McpServer<Caller>,
  { more = [], rounds: givenRounds, asking }: EndpointOptions<Caller> = {},
): McpEndpoint<Caller> {
  const { resources, prompts, skills, complete, tasks, subscriptions, events } = server
  const results = modernResults(server.serverInfo)
  const rounds = givenRounds ?? statelessRounds(results, asking)
  const features: Feature<Caller>[] = [toolsFeature(server, results, rounds), ...more]
  if (server.extensions) features.push(declared(server.extensions))
  if (resources) features.push(resourcesFeature(resources, results, rounds))
  if (prompts) features.push(promptsFeature(prompts, results, rounds))
  if (complete) features.push(completionsFeature(complete, results))
  if (skills) features.push(skillsFeature(skills, results))
  if (tasks) features.push(tasksFeature(tasks, results))
  if (subscriptions) features.push(subscriptionsFeature(subscriptions, results))
  if (events) features.push(eventsFeature(events, results))
  const legacy = joined(features.flatMap((feature) => feature.legacy ?? []))
  const modern = joined(features.flatMap((feature) => feature.modern ?? []))
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

function declared<Caller>(extensions: JsonObject): Feature<Caller> {
  const declaring = { capabilities: { extensions }, methods: {} }
  return { legacy: declaring, modern: declaring }
}

/** Joins features. A capability that several declare has the settings of all of them. */
function joined<Caller>(features: readonly EraFeature<Caller>[]): EraFeature<Caller> {
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
