/** Opaque pagination cursors, bound to the query they belong to. */

import { jsonOf } from './parse-text.ts'
import { hash } from 'node:crypto'
import { RequestError } from './request-error.ts'

/** A cursor for the page after `position`, valid only for the same `query` (any JSON value). */
export function writeCursor(query: unknown, position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([digestOf(query), ...position])).toString('base64url')
}

/** A page of a list. */
export interface Page<Entry> {
  readonly entries: readonly Entry[]
  readonly hasMore: boolean
  /** The cursor of the page that starts after the entry at `index`. */
  readonly cursorAfter: (index: number) => string
}

/** The page with the first `limit` rows of a query, of which one more was read if there is one. */
export function pageFrom<Row>(
  rows: readonly Row[],
  limit: number,
  query: unknown,
  positionOf: (row: Row) => readonly (string | number)[],
): Page<Row> {
  return {
    entries: rows.slice(0, limit),
    hasMore: rows.length > limit,
    cursorAfter: (index) => writeCursor(query, rows.slice(index, index + 1).flatMap(positionOf)),
  }
}

type Position<Shape> = {
  readonly [Index in keyof Shape]: Shape[Index] extends 'string' ? string : number
}

/**
 * Decodes a cursor.
 *
 * @throws {RequestError} `invalid_request` when it is malformed or belongs to another query.
 */
export function readCursor<const Shape extends readonly ('string' | 'number')[]>(
  query: unknown,
  cursor: string,
  shape: Shape,
): Position<Shape> {
  const [digest, ...position] = decode(cursor)
  const fits =
    position.length === shape.length &&
    position.every((part, index) => typeof part === shape[index])
  if (digest !== digestOf(query) || !fits)
    throw new RequestError('invalid_request', 'The cursor does not belong to this query.', {
      hint: 'Pass next_cursor unchanged with the same other arguments, or omit the cursor to start over.',
      errors: [{ pointer: '/cursor', detail: 'must be the next_cursor of the same query' }],
    })
  return position as unknown as Position<Shape>
}

function decode(cursor: string): unknown[] {
  const value = jsonOf(Buffer.from(cursor, 'base64url').toString('utf8'))
  return Array.isArray(value) ? value : []
}

function digestOf(query: unknown): string {
  return hash('sha256', JSON.stringify(query), 'base64url').slice(0, 8)
}
