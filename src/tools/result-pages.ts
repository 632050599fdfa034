/** Pages of results within a size limit. */

import { PLAIN_KEYWORD } from './arguments/schema-part.ts'
import * as Type from '../base/type.ts'
import type { Page } from '../base/cursor.ts'

/** JSON characters. Clients truncate results beyond 25,000 characters; the rest is reserved for the envelope. */
export const MAX_CHARACTERS = 23_000

/** The argument for the next page. Long enough for the longest sort key of a name, in base64url. */
export const CURSOR = Type.String({
  maxLength: 1000,
  description: 'From next_cursor',
  examples: ['WzEyXQ'],
  [PLAIN_KEYWORD]: true,
})

/** Entries of a page unless the caller says `limit`. */
export const DEFAULT_PAGE_SIZE = 20
const MAX_PAGE_SIZE = 50

/** The argument `limit` of a tool that lists entries. */
export function pageLimit(defaultSize = DEFAULT_PAGE_SIZE, maximum = MAX_PAGE_SIZE) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      default: defaultSize,
      description: `Up to ${maximum}`,
      [PLAIN_KEYWORD]: true,
    }),
  )
}

export const HINT = Type.Optional(
  Type.String({ description: 'If nothing was found, or less than asked for' }),
)

/** The fields of a result beside its entries; `truncated` if the page was shortened to fit. */
export const PAGE_END = {
  hint: HINT,
  has_more: Type.Boolean(),
  next_cursor: Type.Optional(Type.String()),
  truncated: Type.Optional(Type.Boolean()),
}

interface PageEnd {
  has_more: boolean
  next_cursor?: string
  truncated?: boolean
}

/** Returns the entries of a page, in their output form, that fit, at least one if there are any, and the fields that end the page. */
export function pageOf<Entry>(
  { entries, hasMore, cursorAfter }: Page<Entry>,
  room = MAX_CHARACTERS,
): { items: Entry[]; end: PageEnd } {
  const items = entries.slice(0, fittingIn(entries, room))
  const truncated = items.length < entries.length
  const more = truncated || hasMore
  return {
    items,
    end: {
      has_more: more,
      ...(more && { next_cursor: cursorAfter(items.length - 1) }),
      ...(truncated && { truncated }),
    },
  }
}

/** The entries of a result without further pages, as far as they fit, and `truncated` if some do not. */
export function fittingOf<Entry>(
  entries: readonly Entry[],
  room = MAX_CHARACTERS,
): { items: Entry[]; end: { truncated?: boolean } } {
  const items = entries.slice(0, fittingIn(entries, room))
  return { items, end: items.length < entries.length ? { truncated: true } : {} }
}

/** The number of entries that fit, at least one if there are any. */
function fittingIn(entries: readonly unknown[], room: number): number {
  // Most pages fit, and one text is written sooner than many.
  if (written(entries) <= room) return entries.length
  let [length, left] = [0, room]
  for (const entry of entries) {
    left -= written(entry) + 1
    if (left < 0 && length > 0) break
    length += 1
  }
  return length
}

/** A hint for a result without entries. */
export function hintIfEmpty(items: readonly unknown[], hint: string): { hint?: string } {
  return items.length === 0 ? { hint } : {}
}

/** Truncates a text to `room` JSON characters; a line break takes two. */
export function truncate(text: string, room: number): string {
  let kept = text.slice(0, Math.max(0, room))
  while (kept !== '' && written(kept) > room)
    kept = kept.slice(0, Math.floor((kept.length * room) / written(kept)))
  return kept.isWellFormed() ? kept : kept.slice(0, -1)
}

/** Length of a value as JSON. Characters. */
export function written(value: unknown): number {
  return JSON.stringify(value).length
}
