/** search: finds connections in the form that ChatGPT's connectors and deep research need. */

import * as Type from '../../base/type.ts'
import { connectionPath } from '../../html/site-map.ts'
import { defineReadTool, type Tool } from '../../tools/tool.ts'
import { publicConnectionId, type Listed } from '../model/connection.ts'
import { searchInMode } from '../search/search.ts'
import { withheldFields } from '../search/withheld-fields.ts'
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
      const { connections } = await searchInMode(db, search, { embedder, now, signal, network })
      return {
        results: connections.map((one) => {
          const id = publicConnectionId(one.connectionId)
          return { id, title: titleOf(one), url: `${publicUrl}${connectionPath(id)}` }
        }),
      }
    },
  })
}

/** `Grace Hopper, Engineer, Acme`. */
export function titleOf({ name, title, company }: Pick<Listed, 'name' | 'title' | 'company'>) {
  return [name, title, company].filter((part) => part !== null).join(', ')
}
