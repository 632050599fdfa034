/** `GET /api/network/members`: the public directory. */

import * as Type from '../../base/type.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { json } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import {
  DEFAULT_PER_PAGE,
  DirectoryPage,
  MAX_DIRECTORY_QUERY_LENGTH,
  MAX_OFFSET,
  MAX_PER_PAGE,
  searchDirectory,
  type DirectoryQuestion,
} from '../directory.ts'
import { addressOf, FILTER_PARAMETERS, type DirectoryQuery } from './directory-parameters.ts'
import type { Database } from '../../db/database.ts'

interface DirectoryDeps {
  readonly database: Database
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
}

const PATH = '/api/network/members'
/** The directory may be 30 seconds old. */
const CACHE_CONTROL = 'public, max-age=30'

const Query = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: MAX_DIRECTORY_QUERY_LENGTH,
      description:
        'Words of a name, headline, organization, title, location or skill. The last can be a prefix.',
    }),
  ),
  ...FILTER_PARAMETERS,
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE }),
  ),
  cursor: Type.Optional(Type.String({ description: 'The next_cursor of the previous page.' })),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Page number, as an alternative to a cursor, within the first ${MAX_OFFSET} entries.`,
    }),
  ),
})

export function directoryRoutes({ database, publicUrl }: DirectoryDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      operationId: 'searchDirectory',
      summary: 'Search the public directory',
      description:
        'Exact names first, then partial names, then other fields. More complete profiles rank higher.',
      access: 'public',
      limit: LIMITS.directory,
      batchable: true,
      query: Query,
      answers: {
        200: {
          description: 'A page of members',
          schema: DirectoryPage,
          headers: ['ETag', 'Link'],
        },
        400: { description: 'Invalid parameter; the error names it', type: 'problem' },
      },
      async handle({ query }) {
        const { per_page, page, ...asked } = query
        const question: DirectoryQuestion = {
          ...asked,
          ...(per_page !== undefined && { perPage: per_page }),
          ...(page !== undefined && { page }),
        }
        const found = await searchDirectory(database, question, publicUrl)
        const link = nextLink(found, asked, publicUrl)
        const headers = { 'cache-control': CACHE_CONTROL, ...(link !== undefined && { link }) }
        return json(found, 200, headers)
      },
    }),
  ]
}

/** RFC 8288. */
function nextLink(
  { next_cursor, per_page }: DirectoryPage,
  asked: DirectoryQuery,
  publicUrl: string,
): string | undefined {
  if (next_cursor === null) return undefined
  const next = { ...asked, per_page, cursor: next_cursor }
  return `<${publicUrl}${addressOf(PATH, next)}>; rel="next"`
}
