/** Documentation pages for people: a document, the search form and the list of documents. */

import { assetPath } from '../../html/assets.ts'
import { attributes, html, NOTHING, type Html } from '../../html/html.ts'
import { currentLanguage, inLanguage } from '../../languages/language.ts'
import { t } from '../../languages/message.ts'
import { DOCS_PATH } from '../../html/site-map.ts'
import { publicPage } from '../../html/public-layout.ts'
import { LANGUAGE_NOTE, type Library } from './library.ts'
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
  readonly groups: ReturnType<Library['groups']>
  readonly legal: OperatorTexts
}

/** In English, like the documents. */
export async function docsPage(page: DocsPage): Promise<Answer> {
  const { markdown, markdownPath } = page
  const text = await markdownHtml(markdown)
  return frame(page, () => ({ text, ...alternatesOf(markdownPath) }))
}

function alternatesOf(markdownPath: string) {
  return {
    head: html`<link rel="alternate" type="text/markdown" href="${markdownPath}" />`,
    foot: html`<a href="${markdownPath}">View as markdown</a> · <a href="/llms.txt">llms.txt</a> ·
      <a href="/openapi.json">openapi.json</a>`,
  }
}

interface IndexPage extends Omit<DocsPage, 'markdown'> {
  readonly mcpUrl: string
}

/** All documents by readers, each with its summary. */
export function indexPage(page: IndexPage): Answer {
  const { title, groups, mcpUrl, markdownPath } = page
  return frame({ ...page, groups: [] }, () => ({
    text: html`<h1>${title}</h1>
      ${searchForm('', html`<button class="plain">Search</button>`)}
      ${groups.map(
        ([readers, documents]) =>
          html`<h2>${readers}</h2>
            <ul class="index">
              ${documents.map(
                ({ name, title: label, summary }) =>
                  html`<li>
                    <a href="${DOCS_PATH}/${name}">${label}</a>
                    <p>${summary}</p>
                  </li>`,
              )}
            </ul>`,
      )}
      <p class="quiet">
        Agents can search and read this documentation with MCP at <code>${mcpUrl}</code>, without a
        credential.
      </p>`,
    ...alternatesOf(markdownPath),
  }))
}

interface DocsResult extends Pick<DocsPage, 'title' | 'groups' | 'legal'> {
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
  { title, path, groups, legal }: Pick<DocsPage, 'title' | 'path' | 'groups' | 'legal'>,
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
        ${
          groups.length === 0
            ? NOTHING
            : html`<div>
                ${searchForm(query, html`<button class="plain unscripted">Search</button>`)}
                ${contents(groups, path)}
              </div>`
        }
        <article class="panel text">${note} ${text}</article>
      </div>`,
      ...(foot !== undefined && { foot }),
    })
  })
}

/** `button` is a fragment. Enter searches, too. */
function searchForm(query: string, button: Html): Html {
  return html`<form class="search" role="search" action="${DOCS_PATH}">
    <input
      type="search"
      name="q"
      value="${query}"
      maxlength="${MAX_DOCS_QUERY_LENGTH}"
      aria-label="Search the documentation"
      placeholder="Search"
    />
    ${button}
  </form>`
}

function contents(groups: DocsPage['groups'], current: string): Html {
  return html`<nav class="contents" aria-label="Documentation">
    ${groups.map(
      ([readers, documents]) =>
        html`<p>${readers}</p>
          <ul>
            ${documents.map(({ name, title }) => {
              const path = `${DOCS_PATH}/${name}`
              const isCurrent = path === current ? 'page' : undefined
              return html`<li>
                <a href="${path}" ${attributes({ 'aria-current': isCurrent })}>${title}</a>
              </li>`
            })}
          </ul>`,
    )}
  </nav>`
}
