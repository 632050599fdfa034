/** The notes shown in results. A person may have thousands, so the newest are read first, and older ones only if needed. */

import { newestNotesOf, olderNotesOf } from '../model/note-store.ts'
import type { MemberReader } from '../../db/database.ts'

/** Notes of a connection that are read at first, together with those of other connections. */
export const FIRST_NOTES = 32
/** Notes of one connection that are read at a time. */
const MAX_NOTES = 1024

/** The snippet of the newest note of each connection that has one. */
export async function noteSnippetsOf(
  reader: MemberReader,
  ids: readonly number[],
  snippetIn: (text: string) => string | undefined,
): Promise<ReadonlyMap<number, string>> {
  const snippets = new Map<number, string>()
  if (ids.length === 0) return snippets
  for (const [connectionId, newest] of await newestNotesOf(reader, ids, FIRST_NOTES)) {
    let notes = newest
    for (let limit = FIRST_NOTES; ;) {
      const snippet = firstOf(notes, ({ text }) => snippetIn(text))
      if (snippet !== undefined) snippets.set(connectionId, snippet)
      const last = notes.at(-1)
      if (snippet !== undefined || !last || notes.length < limit) break
      limit = Math.min(4 * limit, MAX_NOTES)
      notes = await olderNotesOf(reader, { connectionId, before: last.noteId, limit })
    }
  }
  return snippets
}

/** The first text that `read` finds. */
export function firstOf<T>(
  values: readonly T[] | undefined,
  read: (value: T) => string | undefined,
): string | undefined {
  if (!values) return undefined
  for (const value of values) {
    const text = read(value)
    if (text !== undefined) return text
  }
  return undefined
}
