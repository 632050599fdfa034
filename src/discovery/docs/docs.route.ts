/** `/docs` and its pages, and `/mcp/docs`, where agents search them with MCP. */

import { currentLanguage } from '../../languages/language.ts'
import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { frontMatter } from '../../http/content/write-markdown.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { createMcpEndpoint } from '../../mcp/server/endpoint.ts'
import { answerMcp } from '../../mcp/server/exchange.ts'
import { messageRoute } from '../../mcp/server/message-route.ts'
import { originCheck } from '../../mcp/protocol/origin.ts'
import { rpcErrorResponse } from '../../mcp/protocol/http-errors.ts'
import { docsPage, foundPage, indexPage } from './docs.page.ts'
import { DOCS_PATH } from '../../html/site-map.ts'
import { noStream, wantsStream } from './mcp-page.route.ts'
import { createDocsServer } from './docs-server.ts'
import type { Library } from './library.ts'
import type { DiscoveryDeps } from './discovery-deps.ts'
import {
  MARKDOWN_ANSWER,
  PAGE_ANSWER,
  pageFor,
  cacheablePage,
  type NegotiatedPage,
} from './negotiated-page.ts'
import { MAX_DOCS_QUERY_LENGTH, plainLine, type Document } from './docs-search.ts'

export function docsRoutes(deps: DiscoveryDeps): Route[] {
  const pages = keptPages(deps)
  return [
    readRoute(deps, pages),
    // Registered before the page, so that errors at this path use the format of the protocol.
    mcpRoute(deps),
    mcpContentsRoute(pages),
    contentsMarkdownRoute(pages),
    documentPageRoute(pages),
    documentMarkdownRoute(pages),
  ]
}

const CONTENTS_MARKDOWN_PATH = '/docs.md'

interface Pages {
  contents(path: string): Promise<NegotiatedPage>
  /** @throws {RequestError} `not_found` when there is no document with this name. */
  document(name: string): Promise<NegotiatedPage>
}

/** Pages are rendered on first use in each language: those that are not English say that the documents are. */
function keptPages(deps: DiscoveryDeps): Pages {
  const { library, publicUrl } = deps
  const kept = new Map<string, Promise<NegotiatedPage>>()
  const keep = (path: string, render: () => Promise<NegotiatedPage>) => {
    const key = `${currentLanguage()} ${path}`
    const page = kept.get(key) ?? render()
    kept.set(key, page)
    return page
  }
  return {
    contents: (path) => keep(path, async () => contentsPage(deps, path)),
    async document(name) {
      const document = library.find(name)
      if (!document) throw noSuchDocument(publicUrl)
      return keep(document.url, () => documentPage(deps, document))
    },
  }
}

function contentsPage(deps: DiscoveryDeps, path: string): NegotiatedPage {
  const { library, publicUrl } = deps
  const title = 'Documentation'
  const markdown = contentsMarkdown(library, publicUrl)
  const header = frontMatter({ title, url: publicUrl + path })
  const html = indexPage({
    title,
    path,
    markdownPath: CONTENTS_MARKDOWN_PATH,
    groups: library.groups(),
    mcpUrl: `${publicUrl}/mcp/docs`,
    legal: deps,
  })
  return cacheablePage(html, header + markdown, alternate(CONTENTS_MARKDOWN_PATH))
}

async function documentPage(deps: DiscoveryDeps, document: Document): Promise<NegotiatedPage> {
  const { name, title, summary, url, markdown } = document
  const path = `/docs/${name}`
  const markdownPath = `${path}.md`
  const header = frontMatter({ title, description: summary, url })
  const html = await docsPage({
    title,
    markdown,
    path,
    markdownPath,
    groups: deps.library.groups(),
    legal: deps,
  })
  return cacheablePage(html, header + markdown, alternate(markdownPath))
}

function alternate(markdownPath: string): Record<string, string> {
  return { link: `<${markdownPath}>; rel="alternate"; type="text/markdown"` }
}

function contentsMarkdown(library: Library, publicUrl: string): string {
  const groups = library.groups().flatMap(([readers, documents]) => {
    const list = documents.map(({ title, summary, url }) => `- [${title}](${url}): ${summary}`)
    return [`## ${readers}`, list.join('\n')]
  })
  return [
    '# Documentation',
    `Weft stores a member's professional network and lets the member's AI agents work with it.`,
    ...groups,
    `Agents can search and read this documentation with MCP at \`${publicUrl}/mcp/docs\`, without a credential.`,
  ].join('\n\n')
}

const Query = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: MAX_DOCS_QUERY_LENGTH,
      description: 'Search terms. Without them, the response is the list of pages.',
    }),
  ),
})

function readRoute(deps: DiscoveryDeps, pages: Pages): Route {
  return defineRoute({
    method: 'GET',
    path: DOCS_PATH,
    operationId: 'readDocs',
    summary: 'List or search the documentation',
    access: 'public',
    query: Query,
    answers: {
      200: PAGE_ANSWER,
      400: { description: 'The query is too long', type: 'problem' },
    },
    async handle({ query: { q = '' }, header }) {
      const page = q.trim() === '' ? await pages.contents(DOCS_PATH) : found(deps, q.trim())
      return pageFor(header('accept'), page)
    },
  })
}

/** Number of results on the search page. */
const MAX_FOUND = 15

function found(deps: DiscoveryDeps, query: string): NegotiatedPage {
  const { library, publicUrl } = deps
  const title = `Documentation on “${query}”`
  const hits = library.search(query, MAX_FOUND)
  const lines = hits.map(
    ({ title: name, url, excerpt }) => `- [${name}](${url}): ${plainLine(excerpt)}`,
  )
  const markdown = hits.length === 0 ? 'No results. Try fewer words.' : lines.join('\n')
  const url = `${publicUrl}${DOCS_PATH}?q=${encodeURIComponent(query)}`
  return cacheablePage(
    foundPage({ title, query, hits, groups: library.groups(), legal: deps }),
    `${frontMatter({ title, url })}${markdown}\n`,
  )
}

function mcpContentsRoute(pages: Pages): Route {
  return defineRoute({
    method: 'GET',
    path: '/mcp/docs',
    operationId: 'readMcpDocs',
    summary: 'List the documentation',
    access: 'public',
    answers: {
      200: PAGE_ANSWER,
      405: { description: 'The client asks for an event stream, such as an MCP client' },
    },
    onError: rpcErrorResponse,
    async handle({ header }) {
      const accept = header('accept')
      // An MCP client takes any success for its stream, and asks again when it ends.
      if (wantsStream(accept)) throw noStream()
      return pageFor(accept, await pages.contents('/mcp/docs'))
    },
  })
}

function contentsMarkdownRoute(pages: Pages): Route {
  return defineRoute({
    method: 'GET',
    path: CONTENTS_MARKDOWN_PATH,
    operationId: 'readDocsMarkdown',
    summary: 'List the documentation as markdown',
    access: 'public',
    answers: { 200: MARKDOWN_ANSWER },
    async handle() {
      return (await pages.contents(DOCS_PATH)).markdown
    },
  })
}

const BY_NAME = Type.Object({
  name: Type.String({ description: 'Name from the list at /docs, such as connect' }),
})
const NOT_FOUND = { description: 'Document not found' }

function documentPageRoute(pages: Pages): Route {
  return defineRoute({
    method: 'GET',
    path: '/docs/:name',
    operationId: 'readDocument',
    summary: 'Read a page of the documentation',
    access: 'public',
    params: BY_NAME,
    answers: { 200: PAGE_ANSWER, 404: NOT_FOUND },
    async handle({ params, header }) {
      return pageFor(header('accept'), await pages.document(params.name))
    },
  })
}

function documentMarkdownRoute(pages: Pages): Route {
  return defineRoute({
    method: 'GET',
    path: '/docs/:name.md',
    operationId: 'readDocumentMarkdown',
    summary: 'Read a page of the documentation as markdown',
    access: 'public',
    params: BY_NAME,
    answers: {
      200: MARKDOWN_ANSWER,
      404: NOT_FOUND,
    },
    async handle({ params }) {
      return (await pages.document(params.name)).markdown
    },
  })
}

/** Large enough for any query. */
const MAX_BYTES = 64 * 1024

function mcpRoute(deps: DiscoveryDeps): Route {
  const { limits } = deps
  const endpoint = createMcpEndpoint(createDocsServer(deps))
  const refuseForeign = originCheck(deps.publicUrl)
  return defineRoute({
    ...messageRoute(MAX_BYTES),
    path: '/mcp/docs',
    operationId: 'callDocsMcp',
    summary: 'MCP server for the documentation',
    description: 'Tools to search, list and read the documentation. No credential is needed.',
    access: 'public',
    limit: LIMITS.docs,
    async handle({ body, header, address, signal }) {
      refuseForeign(header)
      const countMore = (messages: number) => limits.take(LIMITS.docs, address, messages)
      return answerMcp(endpoint, undefined, { method: 'POST', header, body, signal, countMore })
    },
  })
}

function noSuchDocument(publicUrl: string): RequestError {
  return new RequestError('not_found', 'Documentation page not found.', {
    hint: `See ${publicUrl}/docs for all pages.`,
  })
}
