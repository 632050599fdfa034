/** search: finds connections in the form that ChatGPT's connectors and deep research need. */

import * as Type from '../../base/type.ts'
import { connectionPath } from '../../html/site-map.ts'
import { defineReadTool, type Tool } from '../../tools/tool.ts'
import { publicConnectionId, type Listed } from '../model/connection.ts'
import { partialMatchText, type SearchMatch } from '../search/show.ts'
import { searchConnections } from '../search/search.ts'
import { withheldFields } from '../search/filters/withheld-fields.ts'
import type { Embedder } from '../../embeddings/embedder.ts'

interface SearchDeps {
  readonly embedder: Embedder
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
}

const MAX_RESULTS = 20

/** The result has exactly these fields: https://platform.openai.com/docs/mcp. */
export function searchTool({ embedder, publicUrl }: SearchDeps): Tool {
  return defineReadTool({
    name: 'search',
    title: 'Search',
    description: 'For ChatGPT connectors: finds connections as id, title and url.',
    credits: 1,
    input: Type.Closed({
      query: Type.String({
        maxLength: 500,
        description: 'Words or a question',
        examples: ['designer in Berlin'],
      }),
    }),
    output: Type.Closed({
      results: Type.Array(
        Type.Closed({ id: Type.String(), title: Type.String(), url: Type.String() }),
      ),
    }),
    async run({ db, now, signal, network, caller }, { query }) {
      const withheld = withheldFields(caller.limits)
      const search = { query: { query, withheld }, mode: 'auto', limit: MAX_RESULTS } as const
      const { timeZone } = caller
      const deps = { embedder, now, timeZone, signal, network }
      const page = await searchConnections(db, search, deps)
      return {
        results: page.connections.map((one, at) => {
          const id = publicConnectionId(one.connectionId)
          return {
            id,
            title: markedTitle(one, page.matches[at]),
            url: `${publicUrl}${connectionPath(id)}`,
          }
        }),
      }
    },
  })
}

/** The only field that can say why someone is a weaker match. */
function markedTitle(one: Listed, match: SearchMatch | undefined): string {
  const reason = match && partialMatchText(match)
  return reason === undefined ? titleOf(one) : `${titleOf(one)} (weaker match: ${reason})`
}

/** `Grace Hopper, Engineer, Acme`. */
export function titleOf({ name, title, company }: Pick<Listed, 'name' | 'title' | 'company'>) {
  return [name, title, company].filter((part) => part !== null).join(', ')
}
