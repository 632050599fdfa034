/**
 * The groups of tools, and how a client selects the tools it is offered by them: `/mcp?tools=read,notes`. Members set the
 * limits of an agent by them too (`allowed-tools.ts`).
 */

import { RequestError } from '../base/request-error.ts'
import { similarName } from '../base/spelling/similar-name.ts'
import type { Tool } from './tool.ts'

/** A tool may be in several groups, and is in at least one of the first three. */
export const TOOL_GROUPS: Readonly<
  Record<string, (tool: Pick<Tool, 'name' | 'effect'>) => boolean>
> = {
  read: ({ effect }) => effect === 'read',
  write: ({ effect }) => effect === 'write',
  delete: ({ effect }) => effect === 'destructive',
  connections: ({ name }) =>
    /_(connection|custom_field)s?$|^(search|fetch|get_network_summary|get_briefing|find_introductions)$/.test(
      name,
    ) && !/^(im|ex)port/.test(name),
  notes: ({ name }) => /_notes?$|_interaction$|^list_timeline$/.test(name),
  follow_ups: ({ name }) => /_follow_ups?$|^(keep_in_touch|list_who_to_contact)$/.test(name),
  custom_fields: ({ name }) => /_custom_fields?$/.test(name),
  tags: ({ name }) => /^(list_tags|update_connections)$/.test(name),
  duplicates: ({ name }) => name.endsWith('_duplicates'),
  profile: ({ name }) => /_profile$|^search_directory$/.test(name),
  import: ({ name }) => /^import_|_jobs?$/.test(name),
  jobs: ({ name }) => /_jobs?$/.test(name),
  export: ({ name }) => name.startsWith('export_'),
  undo: ({ name }) => /^(undo|list_activity|restore_connections)$/.test(name),
  chatgpt: ({ name }) => /^(search|fetch)$/.test(name),
}

/** Always offered: every client needs the identity of the member and the costs. */
export const ALWAYS_OFFERED: ReadonlySet<string> = new Set(['whoami'])

/** A longer text than all names together must repeat one of them. */
const MAX_SELECTION_LENGTH = 2000

/**
 * The names of the tools that these words select. Each is a group or the name of a tool.
 *
 * @throws {RequestError} `invalid_request` when a group or tool is unknown; the message names it.
 */
export function selectTools(tools: readonly Tool[], words: readonly string[]): ReadonlySet<string> {
  const isWanted = (tool: Tool) =>
    ALWAYS_OFFERED.has(tool.name) ||
    words.some((word) => word === tool.name || isInGroup(word, tool))
  const unknown = words.find((word) => !isGroup(word) && !tools.some(({ name }) => name === word))
  if (unknown !== undefined) throw unknownGroup(unknown, tools)
  return new Set(tools.filter(isWanted).map(({ name }) => name))
}

/**
 * The words of a selection such as `read,save_note`, each once.
 *
 * @throws {RequestError} `invalid_request` when the selection is too long.
 */
export function wordsIn(selection: string): string[] {
  if (selection.length > MAX_SELECTION_LENGTH)
    throw new RequestError('invalid_request', 'The selection of tools is too long.')
  const words = selection.split(',').map((word) => word.trim().toLowerCase())
  return [...new Set(words.filter((word) => word !== ''))]
}

function isGroup(word: string): boolean {
  return Object.hasOwn(TOOL_GROUPS, word)
}

/** False for a word that names no group. */
export function isInGroup(group: string, tool: Pick<Tool, 'name' | 'effect'>): boolean {
  return isGroup(group) && TOOL_GROUPS[group]?.(tool) === true
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
