/**
 * The limits of an agent: which tools they allow, how they are reported, and the groups by which members set them.
 * `runTool` enforces them for every surface.
 */

import { phrase } from '../languages/message.ts'
import { RequestError } from '../base/request-error.ts'
import { CHANGING_TOOLS, type ActivityAction } from './activity-action.ts'
import type { AgentLimits, Caller } from '../http/caller.ts'
import { ALWAYS_OFFERED, isInGroup } from './tool-groups.ts'
import type { Tool } from './tool.ts'

/**
 * The groups of tools that a member chooses from, with their labels. Every tool that can be disallowed is in one of
 * them.
 */
export const ALLOWED_GROUPS = {
  connections: phrase('People and introductions'),
  duplicates: phrase('Duplicates'),
  tags: phrase('Tags'),
  notes: phrase('Notes and contacts'),
  follow_ups: phrase('Follow-ups and cadences'),
  import: phrase('Imports and background jobs'),
  export: phrase('Exports'),
  profile: phrase('Your profile and the member directory'),
  undo: phrase('Activity and undo'),
} as const

export type AllowedGroup = keyof typeof ALLOWED_GROUPS

/** Tools such as `whoami` are always allowed. */
export function isToolAllowed({ readOnly, groups }: AgentLimits, tool: Tool): boolean {
  if (ALWAYS_OFFERED.has(tool.name)) return true
  if (readOnly && tool.effect !== 'read') return false
  return groups === null || groups.some((group) => isInGroup(group, tool))
}

/** Whether errors may show the people that a name may mean. */
export function mayReadConnections({ groups }: AgentLimits): boolean {
  return groups === null || groups.includes('connections') || groups.includes('read')
}

/** Whether results for this agent leave out note texts: all free text, or the agent may not use the notes. */
export function withholdsNotes({ withholdsText, groups }: AgentLimits): boolean {
  return withholdsText || (groups !== null && !groups.includes('notes'))
}

/**
 * For an undo: checks whether the agent may use the tool that makes such changes.
 *
 * @throws {RequestError} `forbidden` when it may not.
 */
export function assertMayUndo({ groups }: AgentLimits, action: string, activityId: string): void {
  const [, name] = Object.entries(CHANGING_TOOLS).find(([made]) => made === action) ?? []
  if (groups === null || name === undefined) return
  const may = (group: string) =>
    isInGroup(group, { name, effect: 'write' }) && (group !== 'tags' || action === TAGGING)
  if (groups.some(may)) return
  throw new RequestError(
    'forbidden',
    `${activityId} was not undone, because the member does not allow this agent to use ${name}.`,
    {
      hint: 'The member can undo it under Activity, or change this under Agents & tokens.',
      members: { limit: 'tools', tool: name },
    },
  )
}

/** The changes of update_connections that an agent may make that may only use the tags. */
const TAGGING: ActivityAction = 'connections.tag'

/**
 * For a tool that changes data of several groups: checks whether the agent may use one of the groups.
 *
 * @throws {RequestError} `forbidden` when it may not.
 */
export function assertMayChange(
  { groups }: AgentLimits,
  argument: string,
  allowed: readonly AllowedGroup[],
): void {
  if (groups === null || allowed.some((group) => groups.includes(group))) return
  throw new RequestError(
    'forbidden',
    `${argument} was rejected, because the member does not allow this agent to change it.`,
    {
      hint: 'Leave it out. The member can change this under Agents & tokens.',
      members: { limit: 'tools' },
    },
  )
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

/** Checks access for an archive of everything. Throws `forbidden` if the agent may not read some part of it. */
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
