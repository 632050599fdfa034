/**
 * Endpoints that offer only some tools: those that the member allows the agent to use, and of these the ones that the
 * client selected, by `?tools=` or the header `Weft-Tools`.
 */

import { BoundedMap } from '../../base/memoize.ts'
import { isToolAllowed } from '../../tools/allowed-tools.ts'
import { selectTools, wordsIn } from '../../tools/tool-groups.ts'
import { ClientRequests, type LegacyAsking } from '../features/client-requests.ts'
import { CHATGPT_TOOLS, isForChatGpt } from './chatgpt-tools.ts'
import { createMcpEndpoint, type McpEndpoint } from './endpoint.ts'
import { createMemberServer, type MemberServerDeps } from './member-server.ts'
import type { AgentLimits } from '../../http/caller.ts'
import type { Tool } from '../../tools/tool.ts'
import type { ToolCaller } from './tool-caller.ts'

/** Endpoints kept. Each is some 30 KB of serialized lists; a new one replaces the least recently used. */
const MAX_KEPT = 32

/**
 * Returns the endpoint of a request. Every selection narrows the ones before it.
 *
 * @throws {RequestError} `invalid_request` when a group or tool is unknown.
 */
export type EndpointFor = (
  limits: AgentLimits & { readonly isChatGpt?: boolean },
  ...selections: readonly (string | undefined)[]
) => McpEndpoint<ToolCaller>

export function narrowedEndpoints(deps: MemberServerDeps): EndpointFor {
  const asking = deps.asksLegacyClients ? legacyAsking() : undefined
  const serve = (server: MemberServerDeps) =>
    createMcpEndpoint(createMemberServer(server), { asking })
  const whole = serve({ ...deps, unlisted: CHATGPT_TOOLS })
  const kept = new BoundedMap<string, McpEndpoint<ToolCaller>>(MAX_KEPT)
  return (limits, ...selections) => {
    // An empty selection is none.
    const lists = selections
      .map((selection = '') => (selection === '' ? [] : wordsIn(selection)))
      .filter((words) => words.length > 0)
    const leftOut = leftOutBy(deps.tools, lists)
    const { readOnly, groups, isChatGpt = false } = limits
    const unlisted = isChatGpt || lists.flat().some(isForChatGpt) ? NONE : CHATGPT_TOOLS
    const isWhole = unlisted.size > 0 && leftOut.size === 0
    if (isWhole && !readOnly && groups === null) return whole
    // By what is left out, so that every spelling of a selection shares an endpoint.
    const key = JSON.stringify([readOnly, groups?.toSorted(), unlisted.size, ...leftOut])
    const endpoint = kept.get(key) ?? serve({ ...narrow(deps, limits, leftOut), unlisted })
    kept.set(key, endpoint)
    return endpoint
  }
}

/** The names of the tools that some list does not select, in the order of the tools. */
function leftOutBy(
  tools: readonly Tool[],
  lists: readonly (readonly string[])[],
): ReadonlySet<string> {
  if (lists.length === 0) return NONE
  const selected = lists.map((words) => selectTools(tools, words))
  const isSelected = ({ name }: Tool) => selected.every((names) => names.has(name))
  return new Set(tools.filter((tool) => !isSelected(tool)).map(({ name }) => name))
}

const NONE: ReadonlySet<string> = new Set()

/** Shared by all endpoints: the response can reach another one than the request. */
function legacyAsking(): LegacyAsking<ToolCaller> {
  return {
    requests: new ClientRequests(),
    principalOf: ({ caller }) => caller.credential.id,
  }
}

/** Also without the resources that are read by tools left out, and the prompts that use a forbidden one. */
function narrow(
  deps: MemberServerDeps,
  limits: AgentLimits,
  leftOut: ReadonlySet<string>,
): MemberServerDeps {
  const tools = deps.tools.filter((tool) => isToolAllowed(limits, tool) && !leftOut.has(tool.name))
  const offered = new Set(tools.map(({ name }) => name))
  const forbidden = deps.tools.filter((tool) => !isToolAllowed(limits, tool))
  const isForbidden = (name: string) => forbidden.some((tool) => tool.name === name)
  return {
    ...deps,
    tools,
    forbidden,
    leftOut,
    resources: deps.resources.filter(({ tool }) => offered.has(tool.name)),
    prompts: deps.prompts.filter(({ uses }) => !uses.some(isForbidden)),
  }
}
