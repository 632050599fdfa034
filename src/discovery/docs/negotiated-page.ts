/** A page that people read as HTML and agents as markdown, at one address by the Accept header. */

import { prefers } from '../../http/accept.ts'
import { encodingsOf } from '../../http/content-encoding.ts'
import { MARKDOWN_TYPE, type Answer } from '../../http/response.ts'
import { documentAnswer, sharedHeaders } from './document-route.ts'
import type { AnswerDescription } from '../../http/route.ts'

const HTML_TYPE = 'text/html; charset=utf-8'

export interface Page {
  readonly html: Answer
  readonly markdown: Answer
}

export const PAGE_ANSWER: AnswerDescription = {
  description: 'HTML, or markdown where the Accept header prefers text/markdown',
  type: [HTML_TYPE, MARKDOWN_TYPE],
  headers: ['ETag'],
}

export const MARKDOWN_ANSWER: AnswerDescription = {
  description: 'The page',
  type: MARKDOWN_TYPE,
  headers: ['ETag'],
}

/** `html` is the page as it would be answered to one person; here it is the same for everybody, so caches may keep it. */
export function pageOf(
  { page: _personal, ...html }: Answer,
  markdown: string,
  headers: Readonly<Record<string, string>> = {},
): Page {
  if (typeof html.body !== 'string') throw new TypeError('a page is kept only as a whole text')
  const negotiated = { vary: 'Accept', ...headers }
  const shared = sharedHeaders(html.body)
  return {
    html: {
      ...html,
      headers: { ...html.headers, ...shared, ...negotiated },
      encodings: encodingsOf(html.body),
    },
    markdown: documentAnswer(markdown, MARKDOWN_TYPE, negotiated),
  }
}

export function pageFor(accept: string | undefined, page: Page): Answer {
  return prefers(accept, 'text/markdown', 'text/html') ? page.markdown : page.html
}

/** What a program finds before the text: JSON strings are YAML's double-quoted ones. */
export function frontMatter(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return ['---', ...lines, '---', '', ''].join('\n')
}
