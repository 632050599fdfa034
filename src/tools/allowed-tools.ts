/** Which tools the limits of an agent allow. `runTool` enforces it for every surface that calls tools. */

import { RequestError } from '../base/request-error.ts'
import { isAlwaysOffered, isInGroup } from './tool-groups.ts'
import type { AgentLimits, Caller } from '../http/caller.ts'
import type { Tool } from './tool.ts'

/**
 * The groups of tools that a member chooses from, with their labels. Every tool that can be disallowed is in one of
 * them.
 */
export const ALLOWED_GROUPS = {
  connections: 'Connections and introductions',
  duplicates: 'Duplicates',
  tags: 'Tags',
  notes: 'Notes',
  follow_ups: 'Follow-ups',
  import: 'Imports and jobs',
  export: 'Exports',
  profile: 'Your profile and the member directory',
  undo: 'Activity and undo',
} as const

export type AllowedGroup = keyof typeof ALLOWED_GROUPS

/** Tools such as `whoami` are always allowed. */
export function isToolAllowed({ readOnly, groups }: AgentLimits, tool: Tool): boolean {
  if (isAlwaysOffered(tool)) return true
  if (readOnly && tool.effect !== 'read') return false
  return groups === null || groups.some((group) => isInGroup(group, tool))
}

/** The error for a tool that the member does not allow this agent to use. */
export function notAllowed({ readOnly }: AgentLimits, { name, effect }: Tool): RequestError {
  const isWrite = readOnly && effect !== 'read'
  return new RequestError(
    'forbidden',
    isWrite
      ? `${name} was rejected, because the member only allows this agent to read.`
      : `${name} was rejected, because the member does not allow this agent to use it.`,
    {
      hint: 'tools/list contains the allowed tools. The member can change this under Agents & tokens.',
      members: { limit: isWrite ? 'read_only' : 'tools', tool: name },
    },
  )
}

/** Checks whether a caller may use an endpoint, by the tool that does the same. Throws `forbidden`. */
export type RequireTool = (caller: Pick<Caller, 'limits'>, name: string) => void

/** For surfaces other than tools that do what a tool does, such as downloads. */
export function toolGuard(tools: readonly Tool[]): RequireTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return ({ limits }, name) => {
    const tool = byName.get(name)
    if (!tool) throw new Error(`no tool is named ${name}`)
    if (!isToolAllowed(limits, tool)) throw notAllowed(limits, tool)
  }
}

/** For an archive of everything. Throws `forbidden` if the agent may not read some part of it. */
export function requireAllData({ limits }: Pick<Caller, 'limits'>): void {
  if (limits.groups === null && !limits.withholdsText) return
  throw new RequestError(
    'forbidden',
    'This agent may not read all data of the member, so it cannot export everything.',
    {
      hint: 'The member can change this under Agents & tokens, or export everything under Account.',
      members: { limit: limits.groups === null ? 'free_text' : 'tools' },
    },
  )
}
