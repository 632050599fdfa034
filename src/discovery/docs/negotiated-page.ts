/** A page that is HTML for people and markdown for agents, by the Accept header. */

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
  { page: _personal, ...html }: Answer,
  markdown: string,
  headers: Readonly<Record<string, string>> = {},
): Page {
  if (typeof html.body !== 'string') throw new TypeError('a cacheable page must have a string body')
  const negotiated = { vary: 'Accept, Accept-Language', ...headers }
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

/** HTML unless the `Accept` header prefers Markdown. */
export function pageFor(accept: string | undefined, page: Page): Answer {
  return prefers(accept, 'text/markdown', 'text/html') ? page.markdown : page.html
}

/** YAML front matter. JSON strings are valid YAML double-quoted strings. */
export function frontMatter(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return ['---', ...lines, '---', '', ''].join('\n')
}
