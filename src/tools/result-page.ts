/** Paginates a tool's list so that each page stays below the size limits of clients. */

import Type from 'typebox'
import { keepJson, type JsonText } from './result-json.ts'

/** JSON characters. Clients truncate results beyond 25,000 characters; the rest is reserved for the envelope. */
export const MAX_CHARACTERS = 23_000

/** The argument for the next page. Long enough for the longest sort key of a name, in base64url. */
export const CURSOR = Type.String({
  maxLength: 1000,
  description: 'next_cursor of the last page',
  examples: ['WzEyXQ'],
})

const MAX_PAGE_SIZE = 50

/** The argument `limit` of a tool that lists entries. */
export function pageLimit(defaultSize = 20) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: defaultSize,
      description: `1-${MAX_PAGE_SIZE}, default ${defaultSize}`,
    }),
  )
}

/** The fields of a result beside its entries; `truncated` if the page was shortened to fit. */
export const PAGE_END = {
  has_more: Type.Boolean(),
  next_cursor: Type.Optional(Type.String()),
  truncated: Type.Optional(Type.Boolean()),
}

interface PageEnd {
  has_more: boolean
  next_cursor?: string
  truncated?: boolean
}

/** Candidate entries of the page, in their output form. */
interface Listing<Entry> {
  readonly entries: readonly Entry[]
  readonly hasMore: boolean
  /** Cursor of the page after the entry at this index. */
  readonly cursorAfter: (index: number) => string
  /** The JSON of each entry, if it is already known. */
  readonly texts?: readonly JsonText[]
}

/** Returns the entries that fit, at least one if there are any, and the fields that end the page. */
export function pageOf<Entry>(
  { entries, hasMore, cursorAfter, texts }: Listing<Entry>,
  room = MAX_CHARACTERS,
): { items: Entry[]; end: PageEnd } {
  const json = texts?.map((text) => text.json) ?? entries.map((entry) => JSON.stringify(entry))
  let [length, left] = [0, room]
  for (const text of json) {
    left -= text.length + 1
    if (left < 0 && length > 0) break
    length += 1
  }
  const items = entries.slice(0, length)
  const quoted = texts?.slice(0, length).map((text) => text.quoted)
  keepJson(items, {
    json: `[${json.slice(0, length).join(',')}]`,
    quoted: quoted && `[${quoted.join(',')}]`,
  })
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
