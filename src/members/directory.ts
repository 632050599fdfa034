/** Search in the public directory, by words and prefixes, best match first, paginated. */

import { hash } from 'node:crypto'
import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../base/request-error.ts'
import { tokenize } from '../base/tokenize.ts'
import { profileUrl } from './profile.ts'
import type { Database, Reader } from '../db/database.ts'
import { searchEntries, type Found, type TextPosition } from './directory-index.ts'

export const DEFAULT_PER_PAGE = 20
export const MAX_PER_PAGE = 100
/** In Unicode code points. */
export const MAX_DIRECTORY_QUERY_LENGTH = 200
/** Numbered pages reread all previous entries, so they are limited. */
export const MAX_OFFSET = 1_000

const TextOrNull = Type.Union([Type.String(), Type.Null()])

export const MemberSummary = Type.Object({
  object: Type.Literal('human_summary'),
  username: Type.String(),
  name: Type.String(),
  headline: TextOrNull,
  location: TextOrNull,
  organization: TextOrNull,
  url: Type.String({ format: 'uri' }),
})
export type MemberSummary = Static<typeof MemberSummary>

export const DirectoryPage = Type.Object({
  object: Type.Literal('list'),
  members: Type.Array(MemberSummary),
  per_page: Type.Integer(),
  has_more: Type.Boolean(),
  next_cursor: TextOrNull,
})
export type DirectoryPage = Static<typeof DirectoryPage>

export interface DirectoryQuestion {
  readonly q?: string
  readonly perPage?: number
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string
  /** Starts at 1. An alternative to the cursor within the first thousand entries. */
  readonly page?: number
}

/**
 * `reader` defaults to the one for anonymous callers.
 *
 * @throws {RequestError} `invalid_request` when a parameter is out of range, or the cursor is of another search.
 */
export async function searchDirectory(
  database: Database,
  question: DirectoryQuestion,
  publicUrl: string,
  reader: Reader = database.anonymous,
): Promise<DirectoryPage> {
  const perPage = checkPerPage(question.perPage)
  const words = checkQuery(question.q ?? '')
  const skipped = countSkipped(question, perPage)
  const mark = markOf(words)
  const after = question.cursor === undefined ? null : readCursor(question.cursor, mark)
  // One extra row shows whether there is a next page.
  const rows = words
    ? await searchEntries<SummaryRow>(reader, SUMMARY, {
        words,
        after,
        limit: skipped + perPage + 1,
      })
    : []
  const page = rows.slice(skipped, skipped + perPage)
  const last = rows.length > skipped + perPage ? page.at(-1) : undefined
  return {
    object: 'list',
    members: page.map((row) => summaryOf(row, publicUrl)),
    per_page: perPage,
    has_more: last !== undefined,
    next_cursor: last ? writeCursor(last, mark) : null,
  }
}

const SUMMARY = 'm.username, m.name, m.headline, m.location, m.organization'

type SummaryRow = Omit<MemberSummary, 'object' | 'url'>

function summaryOf(row: Found<SummaryRow>, publicUrl: string): MemberSummary {
  const { username, name, headline, location, organization } = row
  const url = profileUrl(username, publicUrl)
  return { object: 'human_summary', username, name, headline, location, organization, url }
}

function checkPerPage(perPage = DEFAULT_PER_PAGE): number {
  if (Number.isInteger(perPage) && perPage >= 1 && perPage <= MAX_PER_PAGE) return perPage
  throw parameterError('per_page', `must be 1 to ${MAX_PER_PAGE}`)
}

/** The tokens of `q`; an empty list matches everyone; undefined, for a text without words, matches no one. */
function checkQuery(q: string): string[] | undefined {
  if (q.length > MAX_DIRECTORY_QUERY_LENGTH && Array.from(q).length > MAX_DIRECTORY_QUERY_LENGTH)
    throw parameterError('q', `must have at most ${MAX_DIRECTORY_QUERY_LENGTH} characters`)
  const words = tokenize(q)
  return words.length === 0 && q.trim() !== '' ? undefined : words
}

function countSkipped({ page, cursor }: DirectoryQuestion, perPage: number): number {
  if (page === undefined) return 0
  if (!Number.isInteger(page) || page < 1) throw parameterError('page', 'must be at least 1')
  if (cursor !== undefined) throw parameterError('page', 'cannot be combined with cursor')
  if (page * perPage > MAX_OFFSET)
    throw parameterError(
      'page',
      `reaches only the first ${MAX_OFFSET} entries; continue with cursor=<next_cursor of the previous page>`,
    )
  return (page - 1) * perPage
}

/** Fingerprint of the search that a cursor belongs to. */
function markOf(words: readonly string[] | undefined): string {
  return hash('sha256', words?.join(' ') ?? '\0', 'base64url').slice(0, 8)
}

const CURSOR_VERSION = 'd1'
const CURSOR = /^d1:([\w-]{8}):([0-3]):(\d{1,15})$/

function writeCursor({ tier, place }: TextPosition, mark: string): string {
  return Buffer.from(`${CURSOR_VERSION}:${mark}:${tier}:${place}`).toString('base64url')
}

function readCursor(cursor: string, mark: string): TextPosition {
  const text = Buffer.from(cursor.slice(0, 100), 'base64url').toString('latin1')
  const parts = CURSOR.exec(text)
  // Encode again and compare, because base64 decoders ignore unknown characters.
  if (!parts || Buffer.from(text, 'latin1').toString('base64url') !== cursor)
    throw parameterError('cursor', 'is invalid. Use the next_cursor of the previous page')
  if (parts[1] !== mark) throw parameterError('cursor', 'belongs to a search with another q')
  return { tier: Number(parts[2]), place: Number(parts[3]) }
}

function parameterError(name: string, detail: string): RequestError {
  return new RequestError('invalid_request', `The query parameter ${name} ${detail}.`, {
    errors: [{ pointer: `/${name}`, detail }],
  })
}
