/** One page of connections as a tool answers it: kept under what a client will read, with the cursor to go on. */

import Type, { type Static } from 'typebox'
import { ConnectionSummary, MOST_CHARACTERS, summaryOf } from './shapes.ts'
import { tagsOf } from './store.ts'
import type { MemberReader } from '../db/database.ts'
import type { ConnectionPage } from './search.ts'

export const PageOfConnections = Type.Object(
  {
    connections: Type.Array(ConnectionSummary),
    count: Type.Integer({ description: 'How many are on this page' }),
    has_more: Type.Boolean(),
    next_cursor: Type.Optional(
      Type.String({
        description: 'Pass it as cursor, with the other arguments unchanged, for the next page',
      }),
    ),
    truncated: Type.Optional(
      Type.Boolean({ description: 'True when the page was cut to keep the answer short' }),
    ),
  },
  { additionalProperties: false },
)
export type PageOfConnections = Static<typeof PageOfConnections>

/** Holds a name's sort key at its longest, in base64url. */
export const CURSOR = Type.String({
  maxLength: 1000,
  description: 'next_cursor of the page before; leave out for the first',
})

export async function pageOfConnections(
  reader: MemberReader,
  page: ConnectionPage,
): Promise<PageOfConnections> {
  const ids = page.connections.map(({ connectionId }) => connectionId)
  const tags = await tagsOf(reader, ids)
  const shown: ConnectionSummary[] = []
  let room = MOST_CHARACTERS
  for (const connection of page.connections) {
    const summary = summaryOf(connection, tags.get(connection.connectionId))
    room -= JSON.stringify(summary).length + 1
    if (room < 0 && shown.length > 0) break
    shown.push(summary)
  }
  const truncated = shown.length < page.connections.length
  const hasMore = truncated || page.hasMore
  return {
    connections: shown,
    count: shown.length,
    has_more: hasMore,
    ...(hasMore && { next_cursor: page.cursorAfter(shown.length - 1) }),
    ...(truncated && { truncated }),
  }
}
