/** Documentation pages for people: a document, the search form and the list of documents. */

import { assetPath } from '../../html/assets.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { currentLanguage, inLanguage } from '../../languages/language.ts'
import { t } from '../../languages/message.ts'
import { icon } from '../../html/icon.ts'
import { DOCS_PATH } from '../../html/site-map.ts'
import { publicPage } from '../../html/public-layout.ts'
import { LANGUAGE_NOTE } from './library.ts'
import { markdownHtml } from './markdown-html.ts'
import { MAX_DOCS_QUERY_LENGTH, plainLine, type Hit } from './docs-search.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Answer } from '../../http/response.ts'

interface DocsPage {
  readonly title: string
  readonly markdown: string
  /** Paths of this page and of its markdown version. */
  readonly path: string
  readonly markdownPath: string
  readonly contents: readonly DocsLink[]
  readonly legal: OperatorTexts
}

export interface DocsLink {
  readonly title: string
  readonly path: string
}

/** In English, like the documents. */
export async function docsPage(page: DocsPage): Promise<Answer> {
  const { markdown, markdownPath } = page
  const text = await markdownHtml(markdown)
  return frame(page, () => ({
    text,
    head: html`<link rel="alternate" type="text/markdown" href="${markdownPath}" />`,
    foot: html`<a href="${markdownPath}">View as markdown</a> · <a href="/llms.txt">llms.txt</a> ·
      <a href="/openapi.json">openapi.json</a>`,
  }))
}

interface DocsResult extends Pick<DocsPage, 'title' | 'contents' | 'legal'> {
  readonly query: string
  readonly hits: readonly Hit[]
}

/** Search results, the same as from `search_docs`. */
export function foundPage(page: DocsResult): Answer {
  return frame({ ...page, path: DOCS_PATH }, () => found(page))
}

function found({ title, query, hits }: DocsResult): Inside {
  const items = hits.map(
    (hit) =>
      html`<li>
        <h2><a href="${hit.url}">${hit.title}</a></h2>
        <p>${plainLine(hit.excerpt)}</p>
      </li>`,
  )
  const list = html`<ul class="found">
    ${items}
  </ul>`
  const none = html`<p>No results. Try fewer words, or choose a page from the list.</p>`
  return {
    query,
    text: html`<h1>${title}</h1>
      ${hits.length === 0 ? none : list}`,
    head: html`<meta name="robots" content="noindex" />`,
  }
}

interface Inside {
  readonly query?: string
  readonly text: Html
  readonly head: Html
  readonly foot?: Html
}

function frame(
  { title, path, contents, legal }: Pick<DocsPage, 'title' | 'path' | 'contents' | 'legal'>,
  write: () => Inside,
): Answer {
  const language = currentLanguage()
  const note =
    language === 'en' ? NOTHING : html`<p class="quiet" lang="${language}">${t(LANGUAGE_NOTE)}</p>`
  return inLanguage('en', () => {
    const { query = '', text, head, foot } = write()
    return publicPage({
      title,
      legal,
      path: DOCS_PATH,
      head: html`<link rel="stylesheet" href="${assetPath('docs.css')}" /> ${head}`,
      body: html`<div class="docs">
        <div>
          <form class="search" role="search" action="${DOCS_PATH}">
            <input
              type="search"
              name="q"
              value="${query}"
              maxlength="${MAX_DOCS_QUERY_LENGTH}"
              aria-label="Search the documentation"
              placeholder="Search"
            />
            <button class="plain" aria-label="Search">${icon('search')}</button>
          </form>
          <nav aria-label="Documentation">
            <ul class="contents">
              ${contents.map((link) => contentsLink(link, path))}
            </ul>
          </nav>
        </div>
        <article class="panel text">${note} ${text}</article>
      </div>`,
      ...(foot !== undefined && { foot }),
    })
  })
}

function contentsLink({ title, path }: DocsLink, current: string): Html {
  return path === current
    ? html`<li><a href="${path}" aria-current="page">${title}</a></li>`
    : html`<li><a href="${path}">${title}</a></li>`
}
