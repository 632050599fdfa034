/** `/docs` and its pages, for people and agents; and `/mcp/docs`, where agents search them by MCP. */

import Type from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { createMcpEndpoint } from '../../mcp/server/endpoint.ts'
import { answerMcp, rateLimitResponse } from '../../mcp/server/exchange.ts'
import { RpcFailure, RpcMessage, RpcResponse } from '../../mcp/protocol/message-schema.ts'
import { originCheck } from '../../mcp/protocol/origin.ts'
import { rpcErrorResponse } from '../../mcp/protocol/http-errors.ts'
import { docsPage, DOCS_PATH, foundPage, type DocsLink } from './docs.page.ts'
import { createDocsServer } from './docs-server.ts'
import {
  frontMatter,
  MARKDOWN_ANSWER,
  PAGE_ANSWER,
  pageFor,
  pageOf,
  type Page,
} from './negotiated-page.ts'
import { MAX_QUERY_LENGTH, plainLine } from './docs-search.ts'
import type { Limits } from '../../http/rate-limit-policy.ts'
import type { Log } from '../../base/log.ts'
import type { Library } from './library.ts'
import type { Document } from './document.ts'

export interface DocsDeps {
  readonly library: Library
  readonly publicUrl: string
  readonly version: string
  readonly log: Log
  readonly limits: Limits
}

export function docsRoutes(deps: DocsDeps): Route[] {
  const pages = keptPages(deps)
  return [
    readRoute(deps, pages),
    // First of its path: refusals there are those of the protocol, and the page refuses nothing.
    mcpRoute(deps),
    mcpContentsRoute(pages),
    contentsMarkdownRoute(pages),
    documentPageRoute(pages),
    documentMarkdownRoute(pages),
  ]
}

const CONTENTS_MARKDOWN_PATH = '/docs.md'

interface Pages {
  contents(path: string): Promise<Page>
  /** Refuses (`not_found`) a name that no document has. */
  document(name: string): Promise<Page>
}

/** Each is rendered when it is first asked for. */
function keptPages({ library, publicUrl }: DocsDeps): Pages {
  const kept = new Map<string, Promise<Page>>()
  const keep = (key: string, render: () => Promise<Page>) => {
    const page = kept.get(key) ?? render()
    kept.set(key, page)
    return page
  }
  return {
    contents: (path) => keep(path, () => contentsPage(library, publicUrl, path)),
    async document(name) {
      const document = library.find(name)
      if (!document) throw noSuchDocument(publicUrl)
      return keep(document.url, () => documentPage(library, document))
    },
  }
}

async function contentsPage(library: Library, publicUrl: string, path: string): Promise<Page> {
  const title = 'Documentation'
  const markdown = contentsMarkdown(library, publicUrl)
  const header = frontMatter({ title, url: publicUrl + path })
  const page = {
    title,
    markdown,
    path,
    markdownPath: CONTENTS_MARKDOWN_PATH,
    contents: contentsOf(library),
  }
  return pageOf(await docsPage(page), header + markdown, alternate(CONTENTS_MARKDOWN_PATH))
}

async function documentPage(library: Library, document: Document): Promise<Page> {
  const { name, title, summary, url, markdown } = document
  const path = `/docs/${name}`
  const markdownPath = `${path}.md`
  const header = frontMatter({ title, description: summary, url })
  const html = await docsPage({
    title,
    markdown,
    path,
    markdownPath,
    contents: contentsOf(library),
  })
  return pageOf(html, header + markdown, alternate(markdownPath))
}

function alternate(markdownPath: string): Record<string, string> {
  return { link: `<${markdownPath}>; rel="alternate"; type="text/markdown"` }
}

function contentsOf(library: Library): DocsLink[] {
  return library.documents().map(({ name, title }) => ({ title, path: `/docs/${name}` }))
}

function contentsMarkdown(library: Library, publicUrl: string): string {
  const documents = library
    .documents()
    .map(({ title, summary, url }) => `- [${title}](${url}): ${summary}`)
  return [
    '# Documentation',
    `Weft holds a member's professional network and lets that member's AI agents work with it.`,
    documents.join('\n'),
    `Agents read and search all of this by MCP, without a credential, at \`${publicUrl}/mcp/docs\`.`,
  ].join('\n\n')
}

const Query = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: MAX_QUERY_LENGTH,
      description: 'Words to search the documentation for; without any, the list of its pages.',
    }),
  ),
})

function readRoute({ library, publicUrl }: DocsDeps, pages: Pages): Route {
  return defineRoute({
    method: 'GET',
    path: DOCS_PATH,
    operationId: 'readDocs',
    summary: 'The documentation: all of its pages, or what is found in them',
    access: 'public',
    query: Query,
    answers: {
      200: PAGE_ANSWER,
      400: { description: 'A query that is too long', type: 'problem' },
    },
    async handle({ query: { q = '' }, header }) {
      const page =
        q.trim() === '' ? await pages.contents(DOCS_PATH) : found(library, publicUrl, q.trim())
      return pageFor(header('accept'), page)
    },
  })
}

/** Sections that one search shows. */
const MAX_FOUND = 15

function found(library: Library, publicUrl: string, query: string): Page {
  const title = `Documentation on “${query}”`
  const hits = library.search(query, MAX_FOUND)
  const lines = hits.map(
    ({ title: name, url, excerpt }) => `- [${name}](${url}): ${plainLine(excerpt)}`,
  )
  const markdown =
    hits.length === 0 ? 'Nothing in the documentation has these words.' : lines.join('\n')
  const url = `${publicUrl}${DOCS_PATH}?q=${encodeURIComponent(query)}`
  return pageOf(
    foundPage({ title, query, hits, contents: contentsOf(library) }),
    `${frontMatter({ title, url })}${markdown}\n`,
  )
}

function mcpContentsRoute(pages: Pages): Route {
  return defineRoute({
    method: 'GET',
    path: '/mcp/docs',
    operationId: 'readMcpDocs',
    summary: 'The documentation: all of its pages',
    access: 'public',
    answers: { 200: PAGE_ANSWER },
    async handle({ header }) {
      return pageFor(header('accept'), await pages.contents('/mcp/docs'))
    },
  })
}

function contentsMarkdownRoute(pages: Pages): Route {
  return defineRoute({
    method: 'GET',
    path: CONTENTS_MARKDOWN_PATH,
    operationId: 'readDocsMarkdown',
    summary: 'The documentation: all of its pages, as markdown',
    access: 'public',
    answers: { 200: MARKDOWN_ANSWER },
    async handle() {
      return (await pages.contents(DOCS_PATH)).markdown
    },
  })
}

const BY_NAME = Type.Object({
  name: Type.String({ description: 'As the list at /docs has it, such as connect' }),
})
const NOT_FOUND = { description: 'There is no such document' }

function documentPageRoute(pages: Pages): Route {
  return defineRoute({
    method: 'GET',
    path: '/docs/:name',
    operationId: 'readDocument',
    summary: 'One page of the documentation',
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
    summary: 'One page of the documentation as markdown',
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

/** A question, not a file. */
const MAX_BYTES = 64 * 1024

function mcpRoute(deps: DocsDeps): Route {
  const { limits } = deps
  const endpoint = createMcpEndpoint(createDocsServer(deps))
  const refuseForeign = originCheck(deps.publicUrl)
  return defineRoute({
    method: 'POST',
    path: '/mcp/docs',
    operationId: 'callDocsMcp',
    summary: 'The documentation as an MCP server',
    description: 'Tools that search, list and read the documentation. No credential is needed.',
    access: 'public',
    body: {
      kind: 'bytes',
      types: ['*/*'],
      maxBytes: MAX_BYTES,
      content: { 'application/json': RpcMessage },
    },
    answers: {
      200: { description: 'A JSON-RPC response, or a batch of them', schema: RpcResponse },
      400: { description: 'What was sent is no message of the protocol', schema: RpcFailure },
      202: { description: 'A notification was accepted' },
    },
    limit: LIMITS.docs,
    trailingSlash: true,
    refuse: rpcErrorResponse,
    whenLimited: ({ body }, retryAfter) => rateLimitResponse(body, retryAfter),
    async handle({ body, header, address, signal }) {
      refuseForeign(header)
      const countMore = (messages: number) => limits.take(LIMITS.docs, address, messages)
      return answerMcp(endpoint, undefined, { method: 'POST', header, body, signal, countMore })
    },
  })
}

function noSuchDocument(publicUrl: string): RequestError {
  return new RequestError('not_found', 'There is no such page in the documentation.', {
    hint: `${publicUrl}/docs lists all of them.`,
  })
}
