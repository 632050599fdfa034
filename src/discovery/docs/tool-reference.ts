/** The tool reference, generated from the tool definitions. */

import { TOOL_GROUPS } from '../../tools/tool-groups.ts'
import type { Tool } from '../../tools/tool.ts'
import { schemaTable } from './schema-table.ts'

export function toolReference(tools: readonly Tool[]): string {
  const rows = tools.map(
    ({ name, effect, credits, title }) =>
      `| [\`${name}\`](#${name}) | ${effect} | ${credits} | ${title} |`,
  )
  return [
    '# Tools',
    'The tools at `/mcp` and `/mcp/v1`. Every tool has access to exactly one member, the owner of the token. Failed calls are free.',
    ['| tool | effect | credits | purpose |', '|---|---|---|---|', ...rows].join('\n'),
    '## Offer fewer tools',
    'A client can narrow the list with `/mcp?tools=read,notes` or the header `Weft-Tools: read,notes`: groups and names of tools, separated by commas.',
    groupTable(tools),
    ...tools.map(section),
  ].join('\n\n')
}

function groupTable(tools: readonly Tool[]): string {
  const rows = Object.entries(TOOL_GROUPS).map(([group, includes]) => {
    const names = tools.filter(includes).map(({ name }) => `\`${name}\``)
    return `| \`${group}\` | ${names.join(', ')} |`
  })
  return ['| group | tools |', '|---|---|', ...rows].join('\n')
}

function section({ name, description, input }: Tool): string {
  return [`## ${name}`, description, schemaTable('argument', input) ?? 'No arguments.'].join('\n\n')
}
