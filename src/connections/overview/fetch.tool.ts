/** fetch: one connection as a document, in the form that ChatGPT's connectors and deep research need. */

import * as Type from '../../base/type.ts'
import { connectionPath } from '../../html/site-map.ts'
import { truncate } from '../../tools/result-pages.ts'
import { withholdsNotes } from '../../tools/allowed-tools.ts'
import { defineReadTool, type Tool } from '../../tools/tool.ts'
import { readWholeConnection } from '../editing/edit.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { ConnectionId } from '../person/people-argument.ts'
import { detailsOf, type ConnectionDetails } from '../person/connection-schemas.ts'
import { titleOf } from './search.tool.ts'
import { detailLines } from '../person/detail-lines.ts'
import type { WholeConnection } from '../person/whole-connection.ts'

/** JSON characters of the text; the other fields are short. */
const MAX_TEXT_CHARACTERS = 20_000

/** The result has exactly these fields: https://platform.openai.com/docs/mcp. */
export function fetchTool({ publicUrl }: { readonly publicUrl: string }): Tool {
  return defineReadTool({
    name: 'fetch',
    title: 'Fetch',
    description: 'For ChatGPT connectors: returns one result of search as text.',
    credits: 1,
    input: Type.Closed({ id: { ...ConnectionId, description: 'c_… from search' } }),
    output: Type.Closed({
      id: Type.String(),
      title: Type.String(),
      text: Type.String(),
      url: Type.String(),
      metadata: Type.Record(Type.String(), Type.String()),
    }),
    async run({ db, caller }, { id }) {
      const found = await readWholeConnection(db, await requireConnection(db, id))
      const whole = withholdsNotes(caller.limits) ? { ...found, notes: [] } : found
      const { source, updated_at } = detailsOf({ ...whole, notes: [] })
      return {
        id,
        title: titleOf(whole.connection),
        text: truncate(textOf(whole, !caller.limits.withholdsText), MAX_TEXT_CHARACTERS),
        url: `${publicUrl}${connectionPath(id)}`,
        metadata: { source, updated_at },
      }
    },
  })
}

/** One fact per line, then the notes, newest first. */
function textOf(whole: WholeConnection, withDetails: boolean): string {
  const details = detailsOf(whole)
  const facts = FACTS.flatMap(([label, field]) => {
    const value = details[field]
    const text = Array.isArray(value) ? value.join(', ') : value
    return text === undefined ? [] : [`${label}: ${text}`]
  })
  const told = (details.notes ?? []).map(
    ({ on, created_at, text }) => `Note (${on ?? created_at}): ${text}`,
  )
  return [...facts, ...(withDetails ? detailLines(whole) : []), ...told].join('\n')
}

type TextField = Exclude<keyof ConnectionDetails, 'notes' | 'version' | 'truncated' | 'details'>

const FACTS: readonly (readonly [label: string, field: TextField])[] = [
  ['Name', 'name'],
  ['Title', 'title'],
  ['Company', 'company'],
  ['Location', 'location'],
  ['Emails', 'emails'],
  ['Phones', 'phones'],
  ['Profile', 'profile_url'],
  ['Links', 'links'],
  ['Birthday', 'birthday'],
  ['Connected', 'connected_on'],
  ['Tags', 'tags'],
]
