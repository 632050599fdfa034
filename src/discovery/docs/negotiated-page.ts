/** A page that is HTML for people and markdown for agents, by the Accept header. */

import { prefers } from '../../http/content/accept.ts'
import { encodingsOf } from '../../http/content-encoding.ts'
import { MARKDOWN_TYPE, type Answer } from '../../http/response.ts'
import { documentAnswer, sharedHeaders } from './document-route.ts'
import type { AnswerDescription } from '../../http/route.ts'

const HTML_TYPE = 'text/html; charset=utf-8'

export interface NegotiatedPage {
  readonly html: Answer
  readonly markdown: Answer
}

export const PAGE_ANSWER: AnswerDescription = {
  description: 'HTML, or markdown if the Accept header prefers text/markdown',
  type: [HTML_TYPE, MARKDOWN_TYPE],
  headers: ['ETag'],
}

export const MARKDOWN_ANSWER: AnswerDescription = {
  description: 'The page',
  type: MARKDOWN_TYPE,
  headers: ['ETag'],
}

/** Makes a page cacheable that is the same for everyone. */
export function cacheablePage(
  html: Answer,
  markdown: string,
  headers: Headers = {},
): NegotiatedPage {
  return { html: sharedHtml(html, headers), markdown: sharedMarkdown(markdown, headers) }
}

type Headers = Readonly<Record<string, string>>

/** Signed-in members get the page in their workspace. */
const VARY = { vary: 'Accept, Accept-Language, Cookie' }

function sharedHtml({ page: _personal, ...html }: Answer, headers: Headers): Answer {
  const { body } = html
  if (typeof body !== 'string') throw new TypeError('a cacheable page must have a string body')
  const shared = { ...sharedHeaders(body), ...VARY, ...headers }
  return { ...html, headers: { ...html.headers, ...shared }, encodings: encodingsOf(body) }
}

function sharedMarkdown(markdown: string, headers: Headers): Answer {
  return documentAnswer(markdown, MARKDOWN_TYPE, { ...VARY, ...headers })
}

/** A page of which only the requested format is rendered. */
export interface LazyPage {
  readonly html: () => Answer
  readonly markdown: () => Promise<string>
  /** Headers of both formats, such as `cache-control`. */
  readonly headers: Headers
}

/** The Markdown format. */
export async function markdownAnswer({ markdown, headers }: LazyPage): Promise<Answer> {
  return sharedMarkdown(await markdown(), headers)
}

/** HTML unless the `Accept` header prefers Markdown. */
export async function sharedAnswer(accept: string | undefined, page: LazyPage): Promise<Answer> {
  return prefers(accept, 'text/markdown', 'text/html')
    ? markdownAnswer(page)
    : sharedHtml(page.html(), page.headers)
}

/** The same for a page of which both formats are kept. */
export function pageFor(accept: string | undefined, page: NegotiatedPage): Answer {
  return prefers(accept, 'text/markdown', 'text/html') ? page.markdown : page.html
}
