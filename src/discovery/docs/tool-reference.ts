/** The tool reference, generated from the tool definitions. */

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
    ...tools.map(section),
  ].join('\n\n')
}

function section({ name, description, input }: Tool): string {
  return [`## ${name}`, description, schemaTable('argument', input) ?? 'No arguments.'].join('\n\n')
}
