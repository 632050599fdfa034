/** The tools as a page of the documentation, made from their records. */

import type { Tool } from '../../tools/tool.ts'
import { schemaTable } from './schema-table.ts'

export function toolReference(tools: readonly Tool[]): string {
  const rows = tools.map(
    ({ name, effect, credits, title }) =>
      `| [\`${name}\`](#${name}) | ${effect} | ${credits} | ${title} |`,
  )
  return [
    '# Tools',
    'What an agent can do at `/mcp` and `/mcp/v1`. Every tool sees exactly one member: the one whose token it is. A call that fails is free.',
    ['| tool | effect | credits | what for |', '|---|---|---|---|', ...rows].join('\n'),
    ...tools.map(section),
  ].join('\n\n')
}

function section({ name, description, input }: Tool): string {
  return [`## ${name}`, description, schemaTable('argument', input) ?? 'No arguments.'].join('\n\n')
}
