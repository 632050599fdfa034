/** A page that anyone may read: a head with the ways through the site, what it is about, a foot. */

import { SIGN_IN_PATH } from '../http/run-route.ts'
import { documentOf } from './document.ts'
import { html } from './html.ts'
import { brand } from './icon.ts'
import { pageAnswer } from './page-response.ts'
import type { Answer } from '../http/response.ts'
import type { SignedIn } from '../http/browser-request.ts'

export interface PublicPage {
  /** As text, for the window. */
  readonly title: string
  /** A fragment for the head of the document: what programs read. */
  readonly head?: string
  /** A fragment, with the page's one `h1`. */
  readonly body: string
  /** A fragment below it. */
  readonly foot?: string
  /** The path of the page, where one of the ways leads to it. */
  readonly path?: string
  /** Where the page is for somebody who is signed in, and not the same for everybody. */
  readonly member?: SignedIn
  readonly status?: number
}

interface Way {
  readonly label: string
  readonly path: string
}

const WAYS: readonly Way[] = [
  { label: 'Directory', path: '/network' },
  { label: 'Docs', path: '/docs' },
]

/** A page that is the same for everybody names nobody: who is signed in goes on from there at once. */
const SIGN_IN: Way = { label: 'Sign in', path: SIGN_IN_PATH }

export function publicPage({
  title,
  head = '',
  body,
  foot,
  path,
  member,
  status = 200,
}: PublicPage): Answer {
  const content = html`<a class="skip" href="#content">Skip to the content</a>
    <header>
      <a class="brand" href="/">!${brand()}</a>
      <nav aria-label="Site">
        <ul>
          !${[...WAYS, member ? ownWay(member) : SIGN_IN].map((way) => wayOn(way, path))}
        </ul>
      </nav>
    </header>
    <main id="content">!${body}</main>
    !${foot === undefined ? '' : html`<footer>!${foot}</footer>`}`
  return pageAnswer(documentOf({ title, layout: 'public', head, body: content }), { status })
}

function ownWay({ username }: SignedIn): Way {
  return { label: `@${username}`, path: '/user/account' }
}

function wayOn({ label, path }: Way, current: string | undefined): string {
  return path === current
    ? html`<li><a href="${path}" aria-current="page">${label}</a></li>`
    : html`<li><a href="${path}">${label}</a></li>`
}
