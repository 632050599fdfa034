/** The public directory: members found by words or by the beginning of a word, best first, page by page. */

import { hash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { RequestError } from '../base/request-error.ts'
import { tokenize } from '../base/tokenize.ts'
import { profileUrl } from './profile.ts'
import type { Database, Reader } from '../db/database.ts'
import type { Found, TextPosition } from '../db/full-text.ts'

export const DEFAULT_PER_PAGE = 20
export const MAX_PER_PAGE = 100
/** In code points. */
export const MAX_QUERY_LENGTH = 200
/** A numbered page reads everything before it again, so it is for the first thousand entries. */
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
  /** Where the page before ended: its `next_cursor`. */
  readonly cursor?: string
  /** From 1; instead of a cursor, for the first thousand entries. */
  readonly page?: number
}

/**
 * `reader` is that of anonymous callers unless given.
 *
 * @throws Refusal `invalid_request` for a question out of bounds, and for a cursor of another search.
 */
export async function searchDirectory(
  database: Database,
  question: DirectoryQuestion,
  publicUrl: string,
  reader: Reader = database.anonymous,
): Promise<DirectoryPage> {
  const perPage = checkPerPage(question.perPage)
  const asked = checkQuery(question.q ?? '')
  const skipped = countSkipped(question, perPage)
  const mark = markOf(asked)
  const after = question.cursor === undefined ? null : readCursor(question.cursor, mark)
  // One more than the page tells whether there is a next.
  const rows = asked
    ? await database.fullText.searchMembers<SummaryRow>(reader, SUMMARY, {
        words: asked,
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
  throw refusal('per_page', `must be 1 to ${MAX_PER_PAGE}`)
}

/** The folded words; none for everybody; undefined for a text without a word, which nobody has. */
function checkQuery(q: string): string[] | undefined {
  if (q.length > MAX_QUERY_LENGTH && Array.from(q).length > MAX_QUERY_LENGTH)
    throw refusal('q', `must have at most ${MAX_QUERY_LENGTH} characters`)
  const asked = tokenize(q)
  return asked.length === 0 && q.trim() !== '' ? undefined : asked
}

function countSkipped({ page, cursor }: DirectoryQuestion, perPage: number): number {
  if (page === undefined) return 0
  if (!Number.isInteger(page) || page < 1) throw refusal('page', 'must be at least 1')
  if (cursor !== undefined) throw refusal('page', 'cannot stand beside a cursor')
  if (page * perPage > MAX_OFFSET)
    throw refusal(
      'page',
      `reaches only the first ${MAX_OFFSET} entries; go on with cursor=<next_cursor of the page before>`,
    )
  return (page - 1) * perPage
}

/** Which search a cursor belongs to. */
function markOf(asked: readonly string[] | undefined): string {
  return hash('sha256', asked?.join(' ') ?? '\0', 'base64url').slice(0, 8)
}

const CURSOR_VERSION = 'd1'
const CURSOR = /^d1:([\w-]{8}):([0-3]):(\d{1,15})$/

function writeCursor({ tier, place }: TextPosition, mark: string): string {
  return Buffer.from(`${CURSOR_VERSION}:${mark}:${tier}:${place}`).toString('base64url')
}

function readCursor(cursor: string, mark: string): TextPosition {
  const text = Buffer.from(cursor.slice(0, 100), 'base64url').toString('latin1')
  const parts = CURSOR.exec(text)
  // Written back, so that one place has one cursor: base64 readers skip what they do not know.
  if (!parts || Buffer.from(text, 'latin1').toString('base64url') !== cursor)
    throw refusal('cursor', 'is not one that this directory gave')
  if (parts[1] !== mark) throw refusal('cursor', 'belongs to a search for another q')
  return { tier: Number(parts[2]), place: Number(parts[3]) }
}

function refusal(name: string, detail: string): RequestError {
  return new RequestError('invalid_request', `The query parameter ${name} ${detail}.`, {
    errors: [{ pointer: `/${name}`, detail }],
  })
}
