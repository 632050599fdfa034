/** Public pages as HTML or Markdown, with caching headers. */

import { sharedHeaders, documentAnswer } from '../../discovery/docs/document-route.ts'
import { prefers } from '../../http/accept.ts'
import { encodingsOf } from '../../http/content-encoding.ts'
import { MARKDOWN_TYPE, type Answer } from '../../http/response.ts'

export interface SharedPage {
  /** The page as a private response. Only the requested format is rendered. */
  readonly html: () => Answer
  readonly markdown: () => Promise<string>
  /** Headers of both formats, such as `cache-control`. */
  readonly headers: Readonly<Record<string, string>>
}

const VARY = 'Accept, Accept-Language'

/** HTML, or Markdown if the Accept header prefers it. */
export async function sharedAnswer(accept: string | undefined, page: SharedPage): Promise<Answer> {
  return prefers(accept, 'text/markdown', 'text/html') ? markdownAnswer(page) : htmlAnswer(page)
}

/** The Markdown form of a page, for agents. */
export async function markdownAnswer({ markdown, headers }: SharedPage): Promise<Answer> {
  return documentAnswer(await markdown(), MARKDOWN_TYPE, { vary: VARY, ...headers })
}

function htmlAnswer({ html, headers }: SharedPage): Answer {
  const { page: _personal, ...page } = html()
  if (typeof page.body !== 'string') throw new TypeError('a page body must be a string')
  const shared = { ...sharedHeaders(page.body), vary: VARY, ...headers }
  return {
    ...page,
    headers: { ...page.headers, ...shared },
    encodings: encodingsOf(page.body),
  }
}
