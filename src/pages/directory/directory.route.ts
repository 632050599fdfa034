/** `/network`: the public directory as a searchable page. `.md` or the Accept header returns Markdown. */

import * as Type from '../../base/type.ts'
import {
  MARKDOWN_ANSWER,
  markdownAnswer,
  PAGE_ANSWER,
  sharedAnswer,
  type LazyPage,
} from '../../discovery/docs/negotiated-page.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { prefers } from '../../http/content/accept.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { foundCounter } from '../../members/directory-filters.ts'
import { findMembers, MAX_DIRECTORY_QUERY_LENGTH } from '../../members/directory.ts'
import { fieldErrors } from '../../forms/field-errors.ts'
import {
  addressOf,
  FILTER_PARAMETERS,
  type DirectoryQuery,
} from '../../members/public/directory-parameters.ts'
import { networkMarkdown } from './directory-markdown.ts'
import { directoryPage, invalidQueryPage, type DirectoryView } from './directory.page.ts'
import { DIRECTORY_MARKDOWN_PATH, DIRECTORY_PATH } from '../../html/site-map.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Database } from '../../db/database.ts'

export interface NetworkDeps extends OperatorTexts {
  readonly database: Database
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

const Query = Type.Object({
  q: Type.Optional(
    Type.String({
      description: `Search words, at most ${MAX_DIRECTORY_QUERY_LENGTH} characters. The last word may be incomplete.`,
    }),
  ),
  ...FILTER_PARAMETERS,
  cursor: Type.Optional(Type.String({ description: 'The cursor from the previous page' })),
})

/** In seconds; the same as for the directory as JSON. */
const CACHE_CONTROL = 'public, max-age=30'

export function networkRoutes(deps: NetworkDeps): Route[] {
  const readView = viewReader(deps.database)
  return [pageRoute(deps, readView), markdownRoute(deps, readView)]
}

function pageRoute(deps: NetworkDeps, readView: ReadView): Route {
  return defineRoute({
    method: 'GET',
    path: DIRECTORY_PATH,
    operationId: 'readDirectoryPage',
    summary: 'Read the public directory as a page',
    access: 'public',
    limit: LIMITS.directory,
    query: Query,
    answers: {
      200: { ...PAGE_ANSWER, headers: ['ETag', 'Link'] },
      400: {
        description: 'The query is invalid; the page with the error, or a problem document',
        type: ['text/html; charset=utf-8', 'problem'],
      },
    },
    async handle({ query, header }) {
      const accept = header('accept')
      let found: DirectoryView
      try {
        found = await readView(query)
      } catch (error) {
        // Only clients that accept HTML get the error as a page.
        if (!prefers(accept, 'text/html', 'application/json')) throw error
        return invalidQueryPage(query, fieldErrors(error), deps)
      }
      return sharedAnswer(accept, pageOf(found, query, DIRECTORY_PATH, deps))
    },
  })
}

function markdownRoute(deps: NetworkDeps, readView: ReadView): Route {
  return defineRoute({
    method: 'GET',
    path: DIRECTORY_MARKDOWN_PATH,
    operationId: 'readDirectoryMarkdown',
    summary: 'Read the public directory as Markdown',
    access: 'public',
    limit: LIMITS.directory,
    query: Query,
    answers: {
      200: { ...MARKDOWN_ANSWER, headers: ['ETag', 'Link'] },
      400: { description: 'The query is invalid', type: 'problem' },
    },
    async handle({ query }) {
      const found = await readView(query)
      return markdownAnswer(pageOf(found, query, DIRECTORY_MARKDOWN_PATH, deps))
    },
  })
}

type ReadView = (asked: DirectoryQuery) => Promise<DirectoryView>

/** Members with nothing but a name are found by a search, but not listed. */
function viewReader({ anonymous }: Database): ReadView {
  const countFound = foundCounter(anonymous)
  return async (asked) => {
    const found = await findMembers({ ...asked, isComplete: true }, anonymous)
    return { ...found, counts: found.search && (await countFound(found.search)) }
  }
}

/** `path` is the requested path; the next page uses it too. */
function pageOf(
  found: DirectoryView,
  asked: DirectoryQuery,
  path: string,
  deps: NetworkDeps,
): LazyPage {
  const { publicUrl } = deps
  const next = found.nextCursor === null ? undefined : { ...asked, cursor: found.nextCursor }
  const markdownUrl = publicUrl + addressOf(DIRECTORY_MARKDOWN_PATH, asked)
  const link = [
    `<${markdownUrl}>; rel="alternate"; type="text/markdown"`,
    ...(next ? [`<${publicUrl}${addressOf(path, next)}>; rel="next"`] : []),
  ].join(', ')
  return {
    html: () => directoryPage(found, asked, deps),
    markdown: () => networkMarkdown(found, asked, publicUrl),
    headers: { 'cache-control': CACHE_CONTROL, link },
  }
}
