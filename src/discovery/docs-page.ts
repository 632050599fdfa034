/** How a document looks to people: its text in a wide card, and the list of all documents beside it. */

import { documentOf } from '../html/document.ts'
import { html } from '../html/html.ts'
import { brand } from '../html/icon.ts'
import { pageAnswer } from '../html/page-answer.ts'
import { markdownHtml } from './markdown-html.ts'
import type { Answer } from '../http/answer.ts'

export interface DocsPage {
  readonly title: string
  readonly markdown: string
  /** The address of this page, and of the same as markdown. */
  readonly path: string
  readonly markdownPath: string
  readonly contents: readonly DocsLink[]
}

export interface DocsLink {
  readonly title: string
  readonly path: string
}

export const STYLE_PATH = '/assets/docs.css'

export async function docsPage(page: DocsPage): Promise<Answer> {
  const { title, markdown, path, markdownPath, contents } = page
  const text = await markdownHtml(markdown)
  const body = html`<link rel="stylesheet" href="${STYLE_PATH}" />
    <a class="skip" href="#text">Skip to the text</a>
    <main class="docs">
      <a class="brand" href="/">!${brand()}</a>
      <nav aria-label="Documentation">
        <ul class="contents">
          !${contents.map((link) => contentsLink(link, path))}
        </ul>
      </nav>
      <article id="text">!${text}</article>
      <footer>
        <a href="${markdownPath}">This page as markdown</a> · <a href="/llms.txt">llms.txt</a> ·
        <a href="/openapi.json">openapi.json</a>
      </footer>
    </main>`
  return pageAnswer(documentOf({ title, layout: 'card', body }), { status: 200 })
}

function contentsLink({ title, path }: DocsLink, current: string): string {
  return path === current
    ? html`<li><a href="${path}" aria-current="page">${title}</a></li>`
    : html`<li><a href="${path}">${title}</a></li>`
}
