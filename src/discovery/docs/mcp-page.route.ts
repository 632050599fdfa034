/** The page of a tool endpoint in a browser, with instructions to connect. MCP clients that send GET get 405. */

import { phrase, t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import type { DiscoveryDeps } from './discovery-deps.ts'
import { RequestError } from '../../base/request-error.ts'
import { html, type Html } from '../../html/html.ts'
import { icon, type IconName } from '../../html/icon.ts'
import { linkPreview } from '../../html/link-preview.ts'
import { publicPage } from '../../html/public-layout.ts'
import { names, prefers } from '../../http/content/accept.ts'
import { EVENT_STREAM_TYPE } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { rpcErrorResponse } from '../../mcp/protocol/http-errors.ts'
import { frontMatter } from '../../http/content/write-markdown.ts'
import { PAGE_ANSWER, pageFor, cacheablePage, type NegotiatedPage } from './negotiated-page.ts'

/** The sandbox mounts the first one, like every path that needs no credential. */
const PATHS = [
  { path: '/mcp', operationId: 'readMcpPage' },
  { path: '/mcp/v1', operationId: 'readMcpV1Page' },
  { path: '/mcp/sandbox', operationId: 'readMcpSandboxPage' },
] as const

/** The pages of all tool endpoints except `/mcp/docs`, whose page is the documentation. */
export function mcpPageRoutes(deps: DiscoveryDeps): Route[] {
  const page = perLanguage(() => connectPage(deps))
  return PATHS.map(({ path, operationId }) =>
    defineRoute({
      method: 'GET',
      path,
      operationId,
      summary: 'Show how to connect to this tool endpoint',
      access: 'public',
      trailingSlash: true,
      forPeople: true,
      ...(path !== '/mcp' && { copyOf: '/mcp' }),
      answers: {
        200: PAGE_ANSWER,
        405: { description: 'The client accepts neither HTML nor markdown, such as an MCP client' },
      },
      onError: rpcErrorResponse,
      async handle({ header }) {
        const accept = header('accept')
        if (!acceptsPage(accept)) throw noStream()
        return pageFor(accept, page())
      },
    }),
  )
}

const READABLE = ['text/html', 'text/markdown'] as const

/** `text/*` includes event streams too, but no MCP client sends it. */
function acceptsPage(accept: string | undefined): boolean {
  return (
    READABLE.some((type) => prefers(accept, type, EVENT_STREAM_TYPE)) ||
    (names(accept, 'text/*') && !wantsStream(accept))
  )
}

/** Whether the client asks for an event stream rather than for a page, as MCP clients do after they connect. */
export function wantsStream(accept: string | undefined): boolean {
  return READABLE.every((type) => prefers(accept, EVENT_STREAM_TYPE, type))
}

/** MCP 2025-03-26, Streamable HTTP: a server without an event stream responds to GET with 405. */
export function noStream(): RequestError {
  return new RequestError(
    'method_not_allowed',
    'This endpoint supports POST and OPTIONS, not GET.',
    {
      hint: 'Send JSON-RPC messages with POST. Open the URL in a browser to see how to connect.',
      headers: { allow: 'POST, OPTIONS', vary: 'Accept' },
    },
  )
}

const TITLE = phrase('Add Weft to your AI app')

const PURPOSE = phrase(
  'This is the URL of an MCP server. Paste it into Claude, ChatGPT, Cursor or another app that supports MCP. You then sign in and allow access.',
)

interface Way {
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly line?: string
}

function waysOf(publicUrl: string): readonly Way[] {
  return [
    {
      icon: 'agents',
      title: t('Claude and ChatGPT'),
      text: t('In the settings, add a custom connector with the URL above.'),
    },
    {
      icon: 'account',
      title: t('Claude Code'),
      text: t('Run this command in a terminal.'),
      line: `claude mcp add --transport http weft ${publicUrl}/mcp`,
    },
    {
      icon: 'search',
      title: t('Try it without an account'),
      text: t('The sandbox has the same tools with 200 invented people and needs no sign-in.'),
      line: `${publicUrl}/mcp/sandbox`,
    },
  ]
}

function connectPage(deps: DiscoveryDeps): NegotiatedPage {
  const { publicUrl } = deps
  const address = `${publicUrl}/mcp`
  const ways = waysOf(publicUrl)
  const page = publicPage({
    title: t(TITLE),
    legal: deps,
    head: html`${linkPreview({ title: t(TITLE), description: t(PURPOSE), url: address })}
      <link rel="canonical" href="${address}" />
      <link rel="alternate" type="text/markdown" href="/docs/connect.md" />`,
    body: html`<div class="hero">
        <h1>${t(TITLE)}</h1>
        <p>${t(PURPOSE)}</p>
        ${copyable(address)}
        <div class="actions">
          <a class="button" href="/docs/connect">Read the guide</a>
          <a class="button plain" href="/user/integrations/mcp">Agents &amp; tokens</a>
        </div>
      </div>
      <ul class="reasons">
        ${ways.map(wayItem)}
      </ul>`,
  })
  return cacheablePage(page, markdownOf(address, ways))
}

function wayItem({ icon: name, title, text, line }: Way): Html {
  return html`<li>
    ${icon(name)}
    <h2>${title}</h2>
    <p class="quiet">${text}</p>
    ${line === undefined ? '' : copyable(line)}
  </li>`
}

function copyable(text: string): Html {
  return html`<div class="copyable">
    <code>${text}</code>
    <button type="button" class="plain" data-copy="${text}">Copy</button>
  </div>`
}

function markdownOf(address: string, ways: readonly Way[]): string {
  return [
    frontMatter({ title: TITLE, description: PURPOSE, url: address }) + `# ${TITLE}`,
    PURPOSE,
    `\`${address}\``,
    ...ways.map(({ title, text, line }) =>
      [`## ${title}`, text, ...(line === undefined ? [] : [`\`${line}\``])].join('\n\n'),
    ),
    'More: [/docs/connect](/docs/connect.md)\n',
  ].join('\n\n')
}
