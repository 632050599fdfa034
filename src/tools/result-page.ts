/** One page of a list as a tool answers it: kept under what a client will read, with the cursor to go on. */

import Type from 'typebox'

/** JSON; clients drop answers beyond 25,000 characters, and something stands around it. */
export const MAX_CHARACTERS = 23_000

/** How a tool is asked for the next page. Holds a name's sort key at its longest, in base64url. */
export const CURSOR = Type.String({
  maxLength: 1000,
  description: 'next_cursor of a page',
})

/** What stands in an answer beside the entries of a page; `truncated` when it was cut to keep the answer short. */
export const PAGE_END = {
  has_more: Type.Boolean(),
  next_cursor: Type.Optional(Type.String()),
  truncated: Type.Optional(Type.Boolean()),
}

export interface PageEnd {
  has_more: boolean
  next_cursor?: string
  truncated?: boolean
}

/** What a page could show, as it will be written. */
export interface Listing<Entry> {
  readonly entries: readonly Entry[]
  readonly hasMore: boolean
  /** The cursor of the page that begins behind one of the entries. */
  readonly cursorAfter: (index: number) => string
}

/** The entries that fit into one answer, at least one where there is any, and how the page ends. */
export function pageOf<Entry>(
  { entries, hasMore, cursorAfter }: Listing<Entry>,
  room = MAX_CHARACTERS,
): { shown: Entry[]; end: PageEnd } {
  const shown: Entry[] = []
  let left = room
  for (const entry of entries) {
    left -= written(entry) + 1
    if (left < 0 && shown.length > 0) break
    shown.push(entry)
  }
  const truncated = shown.length < entries.length
  const more = truncated || hasMore
  return {
    shown,
    end: {
      has_more: more,
      ...(more && { next_cursor: cursorAfter(shown.length - 1) }),
      ...(truncated && { truncated }),
    },
  }
}

/** As much of a text as takes `room` characters in JSON, where a line break takes two. */
export function truncate(text: string, room: number): string {
  let kept = text.slice(0, Math.max(0, room))
  while (kept !== '' && written(kept) > room)
    kept = kept.slice(0, Math.floor((kept.length * room) / written(kept)))
  return kept.isWellFormed() ? kept : kept.slice(0, -1)
}

/** Characters of a value as JSON. */
export function written(value: unknown): number {
  return JSON.stringify(value).length
}
