/** `/network`: the public directory as a page, searched by a form; `.md` and the Accept header give the markdown. */

import Type from 'typebox'
import { MARKDOWN_ANSWER, PAGE_ANSWER } from '../../discovery/docs/negotiated-page.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { prefers } from '../../http/accept.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { LONGEST_QUERY, searchDirectory, type DirectoryPage } from '../../members/directory.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { markdownAnswer, sharedAnswer, type SharedPage } from '../ui/public-response.ts'
import { addressOf, NETWORK_MARKDOWN_PATH, NETWORK_PATH, type Asked } from './directory-urls.ts'
import { networkMarkdown } from './directory-markdown.ts'
import { networkPage, refusedPage } from './directory.page.ts'
import type { Database } from '../../db/database.ts'

export interface NetworkParts {
  readonly database: Database
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

const Query = Type.Object({
  q: Type.Optional(
    Type.String({
      description: `At most ${LONGEST_QUERY} characters: words, the last may be the beginning of one.`,
    }),
  ),
  cursor: Type.Optional(Type.String({ description: 'As the page before names it' })),
})

/** As the directory as JSON. Seconds. */
const CACHE_CONTROL = 'public, max-age=30'

export function networkRoutes(parts: NetworkParts): Route[] {
  return [pageRoute(parts), markdownRoute(parts)]
}

function pageRoute({ database, publicUrl }: NetworkParts): Route {
  return defineRoute({
    method: 'GET',
    path: NETWORK_PATH,
    operationId: 'readDirectoryPage',
    summary: 'The public directory as a page',
    access: 'public',
    limit: LIMITS.directory,
    query: Query,
    answers: {
      200: { ...PAGE_ANSWER, headers: ['ETag', 'Link'] },
      400: {
        description: 'A question that cannot be answered: the page again, or the problem',
        type: ['text/html; charset=utf-8', 'problem'],
      },
    },
    async handle({ query, header }) {
      const accept = header('accept')
      try {
        const found = await searchDirectory(database, query, publicUrl)
        return sharedAnswer(accept, pageOf(found, query, NETWORK_PATH, publicUrl))
      } catch (error) {
        // Only who shows pages is shown what is wrong on one.
        if (!prefers(accept, 'text/html', 'application/json')) throw error
        return refusedPage(query, fieldErrors(error))
      }
    },
  })
}

function markdownRoute({ database, publicUrl }: NetworkParts): Route {
  return defineRoute({
    method: 'GET',
    path: NETWORK_MARKDOWN_PATH,
    operationId: 'readDirectoryMarkdown',
    summary: 'The public directory as markdown',
    access: 'public',
    limit: LIMITS.directory,
    query: Query,
    answers: {
      200: { ...MARKDOWN_ANSWER, headers: ['ETag', 'Link'] },
      400: { description: 'A question that cannot be answered', type: 'problem' },
    },
    async handle({ query }) {
      const found = await searchDirectory(database, query, publicUrl)
      return markdownAnswer(pageOf(found, query, NETWORK_MARKDOWN_PATH, publicUrl))
    },
  })
}

/** `path` is where it was asked for: the next page is there too. */
function pageOf(found: DirectoryPage, asked: Asked, path: string, publicUrl: string): SharedPage {
  const { q } = asked
  const next = found.next_cursor === null ? undefined : { q, cursor: found.next_cursor }
  const markdownUrl = publicUrl + addressOf(NETWORK_MARKDOWN_PATH, asked)
  const link = [
    `<${markdownUrl}>; rel="alternate"; type="text/markdown"`,
    ...(next ? [`<${publicUrl}${addressOf(path, next)}>; rel="next"`] : []),
  ].join(', ')
  return {
    html: () => networkPage(found, asked, publicUrl),
    markdown: () => networkMarkdown(found, asked, publicUrl),
    headers: { 'cache-control': CACHE_CONTROL, link },
  }
}
