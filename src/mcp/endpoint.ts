/** A server made ready to answer: its methods per era, with everything static serialised once. */

import { legacyLifecycle, modernLifecycle } from './lifecycle.ts'
import type { Feature, MethodHandler } from './method.ts'
import { modernResults } from './modern-result.ts'
import type { McpServer } from './server.ts'
import { toolsFeature } from './tools.ts'

export interface McpEndpoint<Caller> {
  readonly legacyMethods: ReadonlyMap<string, MethodHandler<Caller>>
  readonly modernMethods: ReadonlyMap<string, MethodHandler<Caller>>
  readonly onInternalError: (error: unknown) => void
}

/** Do this once per mount, not per request. */
export function createMcpEndpoint<Caller>(server: McpServer<Caller>): McpEndpoint<Caller> {
  const results = modernResults(server.serverInfo)
  const features: Feature<Caller>[] = [toolsFeature(server, results)]
  const capabilities = Object.assign({}, ...features.map((feature) => feature.capabilities))
  return {
    legacyMethods: tableOf(
      legacyLifecycle(server, capabilities),
      ...features.map((feature) => feature.legacy),
    ),
    modernMethods: tableOf(
      modernLifecycle(server, capabilities, results),
      ...features.map((feature) => feature.modern),
    ),
    onInternalError: (error) => server.onInternalError(error),
  }
}

/** A map, because a caller may ask for the method `constructor`. */
function tableOf<Caller>(
  ...parts: Readonly<Record<string, MethodHandler<Caller>>>[]
): ReadonlyMap<string, MethodHandler<Caller>> {
  return new Map(parts.flatMap((methods) => Object.entries(methods)))
}
