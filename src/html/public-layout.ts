/** The layout of public pages: navigation, content and footer. */

import { phrase, t } from '../languages/message.ts'
import { CONNECTIONS_PATH, SIGN_IN_PATH } from './site-map.ts'
import { renderDocument } from './document.ts'
import { NOTHING, html, type Html } from './html.ts'
import { brand } from './icon.ts'
import { footer, type OperatorTexts } from './legal-links.ts'
import { pageAnswer } from './page-response.ts'
import type { Answer } from '../http/response.ts'
import type { SignedIn } from '../http/browser-request.ts'

interface PublicPage {
  /** Plain text for the window title. */
  readonly title: string
  /** A fragment for the document head, with metadata. */
  readonly head?: Html
  /** A fragment with the page's only `h1`. */
  readonly body: Html
  /** A fragment below the content. */
  readonly foot?: Html
  readonly legal: OperatorTexts
  /** The path of the page, if the navigation links to it. */
  readonly path?: string
  /** The signed-in member, on pages that are not shared between visitors. */
  readonly member?: SignedIn
  readonly status?: number
}

interface Way {
  readonly label: string
  readonly path: string
}

const LINKS: readonly Way[] = [
  { label: phrase('Directory'), path: '/network' },
  { label: phrase('Docs'), path: '/docs' },
]

/**
 * Shared pages cannot show the member's name. The script replaces this link for members; without it, signed-in members who
 * follow the link are redirected.
 */
function signInItem(): Html {
  return html`<li>
    <a href="${SIGN_IN_PATH}" data-member-href="${CONNECTIONS_PATH}">Sign in</a>
  </li>`
}

/** The response with a page for everyone. */
export function publicPage({
  title,
  head = NOTHING,
  body,
  foot,
  legal,
  path,
  member,
  status = 200,
}: PublicPage): Answer {
  const content = html`<a class="skip" href="#content">Skip to content</a>
    <header>
      <a class="brand" href="/">${brand()}</a>
      <nav aria-label="Site">
        <ul>
          ${LINKS.map((way) => navItem(way, path))}
          ${member ? navItem(accountLink(member), path) : signInItem()}
        </ul>
      </nav>
    </header>
    <main id="content">${body}</main>
    ${footer(foot, legal)}`
  return pageAnswer(renderDocument({ title, layout: 'public', head, body: content }), { status })
}

function accountLink({ username }: SignedIn): Way {
  return { label: `@${username}`, path: '/user/account' }
}

function navItem({ label, path }: Way, current: string | undefined): Html {
  return path === current
    ? html`<li><a href="${path}" aria-current="page">${t(label)}</a></li>`
    : html`<li><a href="${path}">${t(label)}</a></li>`
}
