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
    LISTS,
    ...tools.map(section),
  ].join('\n\n')
}

const LISTS = `## Change lists

A list in \`details\` adds its entries to those that the connection has. An entry with the key of an existing one updates it: the name of a relation, the service and value of a handle, the label and date of a date, the company and title of a position, the parts of an address. Entries that are not given stay. The result of \`update_connections\` names what changed.

| value | effect |
|---|---|
| \`relations=[{"name": "Ada", "relation": "sister"}]\` | adds or updates Ada |
| \`relations=[{"connection_id": "c_12", "relation": "manager"}]\` | adds the connection c_12, whose record then has the other side |
| \`dates={"remove": [{"label": "anniversary"}], "add": [{"label": "anniversary", "date": "2019-06-15"}]}\` | removes every entry with these parts, then adds |
| \`handles={"replace": [{"service": "x", "value": "grace"}]}\` | replaces the whole list |
| \`handles=\` | clears the list |`

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
