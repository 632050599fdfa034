/**
 * Endpoints that offer only some tools: those that the member allows the agent to use, and of these the ones that the
 * client selected, by `?tools=` or the header `Weft-Tools`.
 */

import { isToolAllowed } from '../../tools/allowed-tools.ts'
import { normalizeSelection, selectTools } from '../../tools/tool-groups.ts'
import { createMcpEndpoint, type McpEndpoint } from './endpoint.ts'
import { createMemberServer, type MemberServerDeps } from './member-server.ts'
import type { AgentLimits } from '../../http/caller.ts'
import type { ToolCaller } from './tool-caller.ts'

/** Endpoints kept. Each is some 30 KB of serialized lists; a further one replaces the oldest. */
const MAX_KEPT = 32

/**
 * Returns the endpoint of a request. Every selection narrows the ones before it.
 *
 * @throws {RequestError} `invalid_request` when a group or tool is unknown.
 */
export type EndpointFor = (
  limits: AgentLimits,
  ...selections: readonly (string | undefined)[]
) => McpEndpoint<ToolCaller>

export function narrowedEndpoints(deps: MemberServerDeps): EndpointFor {
  const whole = createMcpEndpoint(createMemberServer(deps))
  const kept = new Map<string, McpEndpoint<ToolCaller>>()
  return (limits, ...selections) => {
    const given = selections.flatMap((selection) =>
      selection === undefined ? [] : [normalizeSelection(selection)],
    )
    const { readOnly, groups } = limits
    const isWhole = !readOnly && groups === null && given.every((selection) => selection === '')
    if (isWhole) return whole
    const key = JSON.stringify([readOnly, groups, given])
    const endpoint =
      kept.get(key) ?? createMcpEndpoint(createMemberServer(narrow(deps, limits, given)))
    kept.set(key, endpoint)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return endpoint
  }
}

/** Also without the resources that are read by tools left out, and the prompts that use a forbidden one. */
function narrow(
  deps: MemberServerDeps,
  limits: AgentLimits,
  selections: readonly string[],
): MemberServerDeps {
  const selected = selections
    .filter((selection) => selection !== '')
    .map((selection) => selectTools(deps.tools, selection))
  const isSelected = (name: string) => selected.every((names) => names.has(name))
  const tools = deps.tools.filter((tool) => isToolAllowed(limits, tool) && isSelected(tool.name))
  const offered = new Set(tools.map(({ name }) => name))
  const forbidden = deps.tools.filter((tool) => !isToolAllowed(limits, tool))
  const isForbidden = (name: string) => forbidden.some((tool) => tool.name === name)
  return {
    ...deps,
    tools,
    forbidden,
    leftOut: new Set(deps.tools.map(({ name }) => name).filter((name) => !isSelected(name))),
    resources: deps.resources.filter(({ tool }) => offered.has(tool.name)),
    prompts: deps.prompts.filter(({ uses }) => !uses.some(isForbidden)),
  }
}
