/** The layout of public pages: navigation, content and footer. */

import { currentLanguage } from '../languages/language.ts'
import { phrase, t } from '../languages/message.ts'
import { DIRECTORY_PATH, DOCS_PATH, SIGN_IN_PATH } from './site-map.ts'
import { renderDocument } from './document.ts'
import { NOTHING, html, type Html } from './html.ts'
import { brand } from './icon.ts'
import { footer, type OperatorTexts } from './legal-links.ts'
import { memberPage } from './member-layout.ts'
import { pageAnswer } from './page-response.ts'
import type { Answer } from '../http/response.ts'

interface PublicPage {
  /** Plain text for the window title. */
  readonly title: string
  /** A fragment for the document head, with metadata. */
  readonly head?: Html
  /** A fragment with the page's only `h1`. */
  readonly body: Html
  /** A fragment below the content. */
  readonly foot?: Html
  readonly legal?: OperatorTexts
  /** The path of the page, if the navigation links to it. */
  readonly path?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The member whose page it is, and a fragment that only they see. */
  readonly owner?: { readonly memberId: number; readonly note: Html }
}

interface Way {
  readonly label: string
  readonly path: string
}

const SIGN_IN = { label: phrase('Sign in'), path: SIGN_IN_PATH }

const LINKS: readonly Way[] = [
  { label: phrase('Directory'), path: DIRECTORY_PATH },
  { label: phrase('Docs'), path: DOCS_PATH },
]

/** The response with a page for everyone. Members see it in their workspace. */
export function publicPage(page: PublicPage): Answer {
  const { title, head = NOTHING, body, foot, legal, path, status = 200, headers = {}, owner } = page
  const content = html`<a class="skip" href="#content">Skip to content</a>
    <header>
      <a class="brand" href="/">${brand()}</a>
      <nav aria-label="Site">
        <ul>
          ${LINKS.map((way) => navItem(way, path))} ${navItem(SIGN_IN, path)}
        </ul>
      </nav>
    </header>
    <main id="content">${body}</main>
    ${footer(foot, legal)}`
  const answer = pageAnswer(renderDocument({ title, layout: 'public', head, body: content }), {
    status,
    headers,
  })
  const language = currentLanguage()
  return {
    ...answer,
    forMember: (browser) =>
      memberPage({
        title,
        head,
        heading: NOTHING,
        body: html`${body} ${owner?.memberId === browser.member.memberId ? owner.note : NOTHING}
        ${footer(foot, legal)}`,
        language,
        browser,
        current: path === DOCS_PATH ? 'help' : path === DIRECTORY_PATH ? 'directory' : undefined,
        status,
      }),
  }
}

function navItem({ label, path }: Way, current: string | undefined): Html {
  return path === current
    ? html`<li><a href="${path}" aria-current="page">${t(label)}</a></li>`
    : html`<li><a href="${path}">${t(label)}</a></li>`
}
