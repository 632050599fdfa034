/** The documentation as an MCP server with three tools for anonymous callers. */

import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { docsTool, type DocsTool } from './docs-tool.ts'
import { MAX_DOCS_QUERY_LENGTH } from './docs-search.ts'
import { iconsOf } from '../../mcp/protocol/server-info.ts'
import type { DiscoveryDeps } from './discovery-deps.ts'
import type { McpServer } from '../../mcp/protocol/server.ts'
import type { Library } from './library.ts'

export function createDocsServer(deps: DiscoveryDeps): McpServer<undefined> {
  const tools = [searchDocs(deps.library), readDoc(deps.library), listDocs(deps.library)]
  return {
    serverInfo: {
      name: 'weft-docs',
      title: 'Weft documentation',
      version: deps.version,
      websiteUrl: `${deps.publicUrl}/docs`,
      icons: iconsOf(deps.publicUrl),
    },
    instructions: `Documentation of Weft: its tools, its HTTP API, and how agents authenticate. Search with search_docs, read with read_doc. The tools themselves are at ${deps.publicUrl}/mcp.`,
    toolsList: tools.map(({ listing }) => listing),
    async callTool(_caller, { name, arguments: input }) {
      const tool = tools.find(({ listing }) => listing.name === name)
      return tool ? tool.call(input) : { kind: 'unknown-tool' }
    },
    onInternalError: (error) => deps.log.error({ err: error }, 'documentation endpoint failed'),
  }
}

/** Results of one search. */
const MAX_HITS = 20
const DEFAULT_HITS = 5

function searchDocs(library: Library): DocsTool {
  return docsTool({
    name: 'search_docs',
    title: 'Search the documentation',
    description:
      'Searches the documentation. Returns sections, best match first, each with an excerpt and the document name for read_doc.',
    input: Type.Closed({
      query: Type.String({
        minLength: 1,
        maxLength: MAX_DOCS_QUERY_LENGTH,
        description: 'Search terms, such as "refresh token"',
      }),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_HITS,
          default: DEFAULT_HITS,
          description: 'Maximum number of sections',
        }),
      ),
    }),
    output: Type.Object({
      results: Type.Array(
        Type.Object({
          name: Type.String(),
          title: Type.String(),
          url: Type.String(),
          excerpt: Type.String(),
          score: Type.Number(),
        }),
      ),
    }),
    run: ({ query, limit = DEFAULT_HITS }) => ({ results: library.search(query, limit) }),
  })
}

function readDoc(library: Library): DocsTool {
  return docsTool({
    name: 'read_doc',
    title: 'Read a document',
    description: 'Returns a complete document as markdown.',
    input: Type.Closed({
      name: Type.String({
        maxLength: 100,
        description: 'Name from list_docs or search_docs, such as connect',
      }),
    }),
    output: Type.Object({
      name: Type.String(),
      title: Type.String(),
      url: Type.String(),
      markdown: Type.String(),
    }),
    run({ name }) {
      const found = library.find(name)
      if (!found) throw noSuchDocument(library)
      const { title, url, markdown } = found
      return { name, title, url, markdown }
    },
  })
}

function listDocs(library: Library): DocsTool {
  return docsTool({
    name: 'list_docs',
    title: 'List the documents',
    description: 'Lists every document with its name, title and summary.',
    input: Type.Closed({}),
    output: Type.Object({
      documents: Type.Array(
        Type.Object({
          name: Type.String(),
          title: Type.String(),
          summary: Type.String(),
          url: Type.String(),
        }),
      ),
    }),
    run: () => ({
      documents: library
        .documents()
        .map(({ name, title, summary, url }) => ({ name, title, summary, url })),
    }),
  })
}

function noSuchDocument(library: Library): RequestError {
  const names = library.documents().map(({ name }) => name)
  return new RequestError('not_found', 'Document not found.', {
    hint: `Available documents: ${names.join(', ')}.`,
  })
}
