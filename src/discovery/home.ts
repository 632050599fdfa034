/** `/`: what this is and where to go from here, for a person in ten seconds and for an agent in its headers. */

import { cardPage } from '../html/card-page.ts'
import { html } from '../html/html.ts'
import { SIGN_IN_PATH } from '../http/run-route.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { frontMatter, MARKDOWN_ANSWER, PAGE_ANSWER, pageFor, pageOf, type Page } from './page.ts'
import type { Library } from './library.ts'

export interface HomeParts {
  readonly publicUrl: string
  readonly library: Library
}

export function homeRoutes(parts: HomeParts): Route[] {
  let kept: Page | undefined
  const home = () => (kept ??= homePage(parts))
  return [
    defineRoute({
      method: 'GET',
      path: '/',
      operationId: 'readHome',
      summary: 'What this service is',
      access: 'public',
      answers: { 200: PAGE_ANSWER },
      handle: ({ header }) => Promise.resolve(pageFor(header('accept'), home())),
    }),
    defineRoute({
      method: 'GET',
      path: '/index.md',
      operationId: 'readHomeMarkdown',
      summary: 'What this service is, as markdown',
      access: 'public',
      answers: { 200: MARKDOWN_ANSWER },
      handle: () => Promise.resolve(home().markdown),
    }),
  ]
}

/** RFC 8288: what an agent looks for on the first page of a site. */
const LINKS = [
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</index.md>; rel="alternate"; type="text/markdown"',
  '</sitemap.xml>; rel="sitemap"; type="application/xml"',
].join(', ')

const TITLE = 'Your network, for your agents'

const PURPOSE =
  'Weft holds your professional network and lets the AI agents you choose work with it: find whom you know, remember what matters, follow up in time. You agree to each of them, and see and undo what they did.'

function homePage({ publicUrl, library }: HomeParts): Page {
  const address = `${publicUrl}/mcp`
  const body = html`<p>${PURPOSE}</p>
    <p class="quiet">The address your agent needs:</p>
    <div class="copyable">
      <code>${address}</code>
      <button type="button" class="plain" data-copy="${address}">Copy</button>
    </div>
    <div class="actions even">
      <a class="button" href="${SIGN_IN_PATH}">Sign in</a>
      <a class="button plain" href="/docs/connect">Connect an agent</a>
    </div>`
  const foot = html`<a href="/network">Directory</a> · <a href="/docs">Documentation</a> ·
    <a href="/sandbox">Sandbox</a> · <a href="/llms.txt">llms.txt</a>`
  const page = cardPage({ title: TITLE, body, foot })
  return pageOf(page, homeMarkdown(publicUrl, library), { link: LINKS })
}

function homeMarkdown(publicUrl: string, library: Library): string {
  const documents = library
    .documents()
    .map(({ title, summary, url }) => `- [${title}](${url}.md): ${summary}`)
  return (
    frontMatter({ title: `Weft: ${TITLE}`, description: PURPOSE, url: `${publicUrl}/` }) +
    [
      `# ${TITLE}`,
      PURPOSE,
      `The address an agent needs: \`${publicUrl}/mcp\`. How it gets in: ${publicUrl}/auth.md. To try without an account: \`${publicUrl}/sandbox/mcp\`.`,
      '## Documentation',
      documents.join('\n'),
      `For agents: ${publicUrl}/llms.txt. For programs: ${publicUrl}/openapi.json.`,
      '',
    ].join('\n\n')
  )
}
