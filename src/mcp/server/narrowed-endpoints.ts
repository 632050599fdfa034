/** Endpoints that offer only the tools that a client selected, by `?tools=` or the header `Weft-Tools`. */

import { normalizeSelection, selectTools } from '../../tools/tool-groups.ts'
import { createMcpEndpoint, type McpEndpoint } from './endpoint.ts'
import { createMemberServer, type MemberServerDeps } from './member-server.ts'
import type { ToolCaller } from './tool-caller.ts'

/** Endpoints kept for selections. Each is some 30 KB of serialized lists; a further one replaces the oldest. */
const MAX_KEPT = 32

/**
 * Returns the endpoint of a request. Every selection narrows the ones before it.
 *
 * @throws {RequestError} `invalid_request` for an unknown group or tool
 */
export type EndpointFor = (
  ...selections: readonly (string | undefined)[]
) => McpEndpoint<ToolCaller>

export function narrowedEndpoints(deps: MemberServerDeps): EndpointFor {
  const whole = createMcpEndpoint(createMemberServer(deps))
  const kept = new Map<string, McpEndpoint<ToolCaller>>()
  return (...selections) => {
    const given = selections.flatMap((selection) =>
      selection === undefined ? [] : [normalizeSelection(selection)],
    )
    if (given.every((selection) => selection === '')) return whole
    const key = given.join(' ')
    const endpoint = kept.get(key) ?? createMcpEndpoint(createMemberServer(narrow(deps, given)))
    kept.set(key, endpoint)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return endpoint
  }
}

/** Also without the resources that are read by tools left out. */
function narrow(deps: MemberServerDeps, selections: readonly string[]): MemberServerDeps {
  const allowed = selections
    .filter((selection) => selection !== '')
    .map((selection) => selectTools(deps.tools, selection))
  const isAllowed = (name: string) => allowed.every((names) => names.has(name))
  return {
    ...deps,
    tools: deps.tools.filter(({ name }) => isAllowed(name)),
    leftOut: new Set(deps.tools.map(({ name }) => name).filter((name) => !isAllowed(name))),
    resources: deps.resources.filter(({ tool }) => isAllowed(tool.name)),
  }
}
