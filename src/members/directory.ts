/** Search in the public directory, by words and prefixes, best match first, paginated. */

import { hash } from 'node:crypto'
import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../base/request-error.ts'
import { tokenize } from '../base/tokenize.ts'
import { profileUrl } from './profile.ts'
import type { Database, Reader } from '../db/database.ts'
import { FILTER_NAMES, requiredTerms, type DirectoryFilters } from './directory-filters.ts'
import {
  searchEntries,
  type DirectorySearch,
  type PositionedRow,
  type TextPosition,
} from './directory-index.ts'

export const DEFAULT_PER_PAGE = 20
export const MAX_PER_PAGE = 100
/** In Unicode code points. */
export const MAX_DIRECTORY_QUERY_LENGTH = 200
/** In Unicode code points; longer than any value of a profile. */
const MAX_FILTER_LENGTH = 120
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

export interface DirectoryQuestion extends DirectoryFilters {
  readonly q?: string | undefined
  readonly perPage?: number
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Starts at 1. An alternative to the cursor within the first thousand entries. */
  readonly page?: number
  /** True to omit members who have only a name, unless there is a search. */
  readonly isComplete?: boolean
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
  const { members, perPage, nextCursor } = await findMembers(question, reader)
  return {
    object: 'list',
    members: members.map((row) => memberSummary(row, publicUrl)),
    per_page: perPage,
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
  }
}

interface MembersFound {
  readonly members: readonly MemberRowFound[]
  readonly perPage: number
  readonly nextCursor: string | null
  /** Undefined if no one can match. */
  readonly search: Omit<DirectorySearch, 'after' | 'limit'> | undefined
}

/** Throws as `searchDirectory` does. */
export async function findMembers(
  question: DirectoryQuestion,
  reader: Reader,
): Promise<MembersFound> {
  const perPage = checkPerPage(question.perPage)
  const words = checkQuery(question.q ?? '')
  for (const name of FILTER_NAMES) checkLength(name, question[name] ?? '', MAX_FILTER_LENGTH)
  const filters = requiredTerms(question)
  const skipped = countSkipped(question, perPage)
  const mark = markOf(words && filters && [...words, ...filters])
  const after = question.cursor === undefined ? null : readCursor(question.cursor, mark)
  const search = words && filters && { words, filters, isComplete: question.isComplete ?? false }
  // One extra row shows whether there is a next page.
  const limit = skipped + perPage + 1
  const rows = search
    ? await searchEntries<MemberRowFound>(reader, COLUMNS, { ...search, after, limit })
    : []
  const members = rows.slice(skipped, skipped + perPage)
  const last = rows.length > skipped + perPage ? members.at(-1) : undefined
  return { members, perPage, nextCursor: last ? writeCursor(last, mark) : null, search }
}

const COLUMNS = 'm.username, m.name, m.headline, m.location, m.organization, m.photo'

type MemberRowFound = PositionedRow<
  Omit<MemberSummary, 'object' | 'url'> & { readonly photo: string | null }
>

/** The entry of the API. */
export function memberSummary(row: MemberRowFound, publicUrl: string): MemberSummary {
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
  checkLength('q', q, MAX_DIRECTORY_QUERY_LENGTH)
  const words = tokenize(q)
  return words.length === 0 && q.trim() !== '' ? undefined : words
}

function checkLength(name: string, value: string, most: number): void {
  if (value.length > most && Array.from(value).length > most)
    throw parameterError(name, `must have at most ${most} characters`)
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
  if (parts[1] !== mark)
    throw parameterError('cursor', 'belongs to a search with another q or filter')
  return { tier: Number(parts[2]), place: Number(parts[3]) }
}

function parameterError(name: string, detail: string): RequestError {
  return new RequestError('invalid_request', `The query parameter ${name} ${detail}.`, {
    errors: [{ pointer: `/${name}`, detail }],
  })
}
