/** `/`: the home page for people, with `Link` headers for agents. */

import { phrase, t } from '../../languages/message.ts'
import { html, type Html } from '../../html/html.ts'
import { conversation } from './conversation.ts'
import { perLanguage } from '../../languages/language.ts'
import { icon, type IconName } from '../../html/icon.ts'
import { linkPreview } from '../../html/link-preview.ts'
import { publicPage } from '../../html/public-layout.ts'
import { INTEGRATIONS_PATH, SIGN_IN_PATH, TOUR_PATH, USER_PATH } from '../../html/site-map.ts'
import { frontMatter } from '../../http/content/write-markdown.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import {
  MARKDOWN_ANSWER,
  PAGE_ANSWER,
  pageFor,
  cacheablePage,
  type NegotiatedPage,
} from '../docs/negotiated-page.ts'
import type { DiscoveryDeps } from '../docs/discovery-deps.ts'
import type { Answer } from '../../http/response.ts'
import type { Library } from '../docs/library.ts'

export function homeRoutes(deps: DiscoveryDeps): Route[] {
  const home = perLanguage(() => homePage(deps))
  return [
    defineRoute({
      method: 'GET',
      path: '/',
      operationId: 'readHome',
      summary: 'Home page',
      access: 'public',
      answers: { 200: PAGE_ANSWER },
      handle: ({ header }) => Promise.resolve(pageFor(header('accept'), home())),
    }),
    defineRoute({
      method: 'GET',
      path: '/index.md',
      operationId: 'readHomeMarkdown',
      summary: 'Home page as markdown',
      access: 'public',
      answers: { 200: MARKDOWN_ANSWER },
      handle: () => Promise.resolve(home().markdown),
    }),
  ]
}

/** Links for agents (RFC 8288). */
const LINKS = [
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</index.md>; rel="alternate"; type="text/markdown"',
  '</sitemap.xml>; rel="sitemap"; type="application/xml"',
].join(', ')

const TITLE = phrase('Your network, for your agents')

const PURPOSE = phrase(
  'Weft keeps your professional network and lets the AI agents you choose work with it: find who you know, remember what matters, follow up on time. You approve each agent, and you can see and undo its changes.',
)

/** The benefits, for visitors. */
const REASONS: readonly { icon: IconName; title: string; text: string }[] = [
  {
    icon: 'import',
    title: phrase('Import your contacts'),
    text: phrase(
      'From LinkedIn, Google, Outlook or vCard. A preview shows what will change before anything is written, and you can undo an import.',
    ),
  },
  {
    icon: 'agents',
    title: phrase('Connect agents one at a time'),
    text: phrase(
      'Claude, ChatGPT, Cursor or your own script. Each needs your approval, has access only to your network, and can be disconnected with one click.',
    ),
  },
  {
    icon: 'activity',
    title: phrase('Review and undo changes'),
    text: phrase(
      'Every change is listed with its author and the values before and after, and you can undo it. Deleted people can be restored for 30 days.',
    ),
  },
]

function homePage(deps: DiscoveryDeps): NegotiatedPage {
  const { publicUrl, library } = deps
  const actions = html`<a class="button" href="${SIGN_IN_PATH}">Sign in</a>
    ${deps.demo === 'on' ? html`<a class="button plain" href="${TOUR_PATH}">Look around</a>` : ''}
    <a class="button plain" href="/docs/start">How it works</a>`
  const { html: page, markdown } = cacheablePage(
    homeAnswer(deps, actions),
    homeMarkdown(publicUrl, library),
    { link: LINKS },
  )
  // A tour of the demo account ends here.
  const forMember: Answer['forMember'] = (browser) =>
    browser.member.isTour ? undefined : ownHome(deps).forMember?.(browser)
  return { html: { ...page, forMember }, markdown }
}

/** The home page with links to the pages of a member. */
function ownHome(deps: DiscoveryDeps): Answer {
  const actions = html`<a class="button" href="${USER_PATH}">Today</a>
    <a class="button plain" href="${INTEGRATIONS_PATH}">Agents &amp; tokens</a>`
  return homeAnswer(deps, actions)
}

/** `actions` is a fragment with the main links. */
function homeAnswer(deps: DiscoveryDeps, actions: Html): Answer {
  const { publicUrl } = deps
  const address = `${publicUrl}/mcp`
  const reasons = REASONS.map(
    (reason) =>
      html`<li>
        ${icon(reason.icon)}
        <h2>${t(reason.title)}</h2>
        <p class="quiet">${t(reason.text)}</p>
      </li>`,
  )
  return publicPage({
    title: t(TITLE),
    head: html`${linkPreview({ title: t(TITLE), description: t(PURPOSE), url: `${publicUrl}/` })}
      <link rel="canonical" href="${publicUrl}/" />
      <link rel="alternate" type="text/markdown" href="/index.md" />`,
    body: html`<div class="hero">
        <h1>${t(TITLE)}</h1>
        <p>${t(PURPOSE)}</p>
        <div class="actions">${actions}</div>
        <p class="quiet">The URL for your agent:</p>
        <div class="copyable">
          <code>${address}</code>
          <button type="button" class="plain" data-copy="${address}">Copy</button>
        </div>
      </div>
      ${conversation()}
      <ul class="reasons">
        ${reasons}
      </ul>`,
    foot: html`To try Weft without an account, connect an agent to
      <a href="/docs/connect#without-an-account">the sandbox</a>. For agents and programs:
      <a href="/llms.txt">llms.txt</a> · <a href="/openapi.json">openapi.json</a>`,
    legal: deps,
  })
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
      `The URL for agents: \`${publicUrl}/mcp\`. How to authenticate: ${publicUrl}/auth.md. To try it without an account: \`${publicUrl}/sandbox/mcp\`.`,
      '## Documentation',
      documents.join('\n'),
      `For agents: ${publicUrl}/llms.txt. For programs: ${publicUrl}/openapi.json.`,
      '',
    ].join('\n\n')
  )
}
