/** One page of connections in a tool result. */

import Type, { type Static } from 'typebox'
import { PAGE_END, pageOf } from '../../tools/result-page.ts'
import { ConnectionSummary, summaryOf } from '../model/schemas.ts'
import { tagsOf } from '../model/connection-store.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ConnectionPage } from './search.ts'

export const PageOfConnections = Type.Object(
  {
    connections: Type.Array(ConnectionSummary),
    count: Type.Integer(),
    ...PAGE_END,
  },
  { additionalProperties: false },
)
export type PageOfConnections = Static<typeof PageOfConnections>

export async function pageOfConnections(
  reader: MemberReader,
  page: ConnectionPage,
): Promise<PageOfConnections> {
  const ids = page.connections.map(({ connectionId }) => connectionId)
  const tags = await tagsOf(reader, ids)
  const { items, end } = pageOf({
    ...page,
    entries: page.connections.map((one) => summaryOf(one, tags.get(one.connectionId))),
  })
  return { connections: items, count: items.length, ...end }
}
