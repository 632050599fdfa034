/** A page that anyone may read: a head with the ways through the site, what it is about, a foot. */

import { SIGN_IN_PATH } from '../http/run-route.ts'
import { documentOf } from './document.ts'
import { html } from './html.ts'
import { brand } from './icon.ts'
import { pageAnswer } from './page-answer.ts'
import type { Answer } from '../http/answer.ts'

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
  readonly status?: number
}

/** It is the same for everybody, so nobody is named on it who is signed in: they go on from "Sign in" at once. */
const WAYS = [
  { label: 'Directory', path: '/network' },
  { label: 'Docs', path: '/docs' },
  { label: 'Sign in', path: SIGN_IN_PATH },
] as const

export function publicPage({
  title,
  head = '',
  body,
  foot,
  path,
  status = 200,
}: PublicPage): Answer {
  const content = html`<a class="skip" href="#content">Skip to the content</a>
    <header>
      <a class="brand" href="/">!${brand()}</a>
      <nav aria-label="Site">
        <ul>
          !${WAYS.map((way) => wayOn(way, path))}
        </ul>
      </nav>
    </header>
    <main id="content">!${body}</main>
    !${foot === undefined ? '' : html`<footer>!${foot}</footer>`}`
  return pageAnswer(documentOf({ title, layout: 'public', head, body: content }), { status })
}

function wayOn({ label, path }: (typeof WAYS)[number], current: string | undefined): string {
  return path === current
    ? html`<li><a href="${path}" aria-current="page">${label}</a></li>`
    : html`<li><a href="${path}">${label}</a></li>`
}
