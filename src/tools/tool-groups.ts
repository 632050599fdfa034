/**
 * Groups of tools, with which a client selects the tools it is offered: `/mcp?tools=read,notes` or the header
 * `Weft-Tools`. Members can also limit an agent to some groups: see `allowed-tools.ts`.
 */

import { RequestError } from '../base/request-error.ts'
import { similarName } from '../base/similar-name.ts'
import type { Tool } from './tool.ts'

/** A tool may be in several groups, and is in at least one of the first three. */
export const TOOL_GROUPS: Readonly<Record<string, (tool: Tool) => boolean>> = {
  read: ({ effect }) => effect === 'read',
  write: ({ effect }) => effect === 'write',
  delete: ({ effect }) => effect === 'destructive',
  connections: ({ name }) =>
    /_(connection|custom_field)s?$|^(search|fetch|get_network_summary|find_introductions)$/.test(
      name,
    ) && !/^(im|ex)port/.test(name),
  notes: ({ name }) => /_notes?$/.test(name),
  follow_ups: ({ name }) => /_follow_ups?$/.test(name),
  custom_fields: ({ name }) => /_custom_fields?$/.test(name),
  tags: ({ name }) => /^(list_tags|tag_connections)$/.test(name),
  duplicates: ({ name }) =>
    /^(find_duplicates|mark_not_duplicates|merge_connections|split_connection)$/.test(name),
  profile: ({ name }) => /_profile$|^search_directory$/.test(name),
  import: ({ name }) => /^import_|_jobs?$/.test(name),
  jobs: ({ name }) => /_jobs?$/.test(name),
  export: ({ name }) => name.startsWith('export_'),
  undo: ({ name }) => /^(undo|list_activity|restore_connections)$/.test(name),
  chatgpt: ({ name }) => /^(search|fetch)$/.test(name),
}

/** Always offered: every client needs the costs and the identity of the member. */
const ALWAYS: ReadonlySet<string> = new Set(['whoami', 'get_credits'])

/** A longer text than all names together must repeat one of them. */
const MAX_SELECTION_LENGTH = 2000

/**
 * The names of the tools that a selection such as `read,add_note` allows: groups and names, separated by commas.
 *
 * @throws {RequestError} `invalid_request` when a group or tool is unknown; the message names it.
 */
export function selectTools(tools: readonly Tool[], selection: string): ReadonlySet<string> {
  if (selection.length > MAX_SELECTION_LENGTH)
    throw new RequestError('invalid_request', 'The selection of tools is too long.')
  const wanted = namesIn(selection)
  const isWanted = (tool: Tool) => ALWAYS.has(tool.name) || wanted.some((word) => isIn(word, tool))
  const unknown = wanted.find((word) => !isGroup(word) && !tools.some(({ name }) => name === word))
  if (unknown !== undefined) throw unknownGroup(unknown, tools)
  return new Set(tools.filter(isWanted).map(({ name }) => name))
}

/** Equal for equal selections, regardless of order and spacing. */
export function normalizeSelection(selection: string): string {
  return [...new Set(namesIn(selection))].sort().join(',')
}

function namesIn(selection: string): string[] {
  return selection
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')
}

function isGroup(word: string): boolean {
  return Object.hasOwn(TOOL_GROUPS, word)
}

function isIn(word: string, tool: Tool): boolean {
  return tool.name === word || isInGroup(word, tool)
}

/** False for a word that names no group. */
export function isInGroup(group: string, tool: Tool): boolean {
  return isGroup(group) && TOOL_GROUPS[group]?.(tool) === true
}

/** Whether limits never take the tool away. */
export function isAlwaysOffered({ name }: Tool): boolean {
  return ALWAYS.has(name)
}

function unknownGroup(word: string, tools: readonly Tool[]): RequestError {
  const groups = Object.keys(TOOL_GROUPS)
  const meant = similarName(word, [...groups, ...tools.map(({ name }) => name)])
  const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new RequestError(
    'invalid_request',
    `“${word.slice(0, 60).toWellFormed()}” is neither a group of tools nor a tool.${suggestion}`,
    { hint: `Groups: ${groups.join(', ')}. Example: /mcp?tools=read,notes` },
  )
}
