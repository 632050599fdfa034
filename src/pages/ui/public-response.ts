/** A page that anyone may read, as people get it or as agents do, with what a cache has to know of it. */

import { sharedHeaders, documentAnswer } from '../../discovery/docs/document-route.ts'
import { prefers } from '../../http/accept.ts'
import { encodingsOf } from '../../http/content-encoding.ts'
import { MARKDOWN_TYPE, type Answer } from '../../http/response.ts'

export interface SharedPage {
  /** The page as it would be answered to one person; only what is asked for is written. */
  readonly html: () => Answer
  readonly markdown: () => Promise<string>
  /** Of both, such as `cache-control`. */
  readonly headers: Readonly<Record<string, string>>
}

/** HTML, or markdown where the Accept header prefers it. */
export async function sharedAnswer(accept: string | undefined, page: SharedPage): Promise<Answer> {
  return prefers(accept, 'text/markdown', 'text/html') ? markdownAnswer(page) : htmlAnswer(page)
}

export async function markdownAnswer({ markdown, headers }: SharedPage): Promise<Answer> {
  return documentAnswer(await markdown(), MARKDOWN_TYPE, { vary: 'Accept', ...headers })
}

function htmlAnswer({ html, headers }: SharedPage): Answer {
  const { page: _personal, ...page } = html()
  if (typeof page.body !== 'string') throw new TypeError('a page is one text')
  const shared = { ...sharedHeaders(page.body), vary: 'Accept', ...headers }
  return {
    ...page,
    headers: { ...page.headers, ...shared },
    encodings: encodingsOf(page.body),
  }
}
