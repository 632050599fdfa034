/** Opaque cursors: where a page ended, bound to the question it answered. */

import { hash } from 'node:crypto'
import { RequestError } from './request-error.ts'

/** A cursor for the page after `place`, good only for the same `question` (any JSON value). */
export function writeCursor(question: unknown, place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([markOf(question), ...place])).toString('base64url')
}

type Place<Shape> = {
  readonly [Index in keyof Shape]: Shape[Index] extends 'string' ? string : number
}

/** The place a cursor names; refuses one that is garbled, or made for another question, or of another shape. */
export function readCursor<const Shape extends readonly ('string' | 'number')[]>(
  question: unknown,
  cursor: string,
  shape: Shape,
): Place<Shape> {
  const [mark, ...place] = decode(cursor)
  const fits =
    place.length === shape.length && place.every((part, index) => typeof part === shape[index])
  if (mark !== markOf(question) || !fits)
    throw new RequestError('invalid_request', 'The cursor is not one that this search gave.', {
      hint: 'Pass next_cursor unchanged and keep the other arguments the same, or leave the cursor out to begin anew.',
      errors: [{ pointer: '/cursor', detail: 'must be the next_cursor of the same search' }],
    })
  return place as unknown as Place<Shape>
}

function decode(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function markOf(question: unknown): string {
  return hash('sha256', JSON.stringify(question), 'base64url').slice(0, 8)
}
