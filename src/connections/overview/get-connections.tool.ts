/** get_connections: everything known about several connections. */

import * as Type from '../../base/type.ts'
import { pageOf } from '../../tools/result-json.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { readWholeConnection } from '../editing/edit.ts'
import { findConnections } from '../model/connection-store.ts'
import { publicConnectionId, readConnectionId } from '../model/connection.ts'
import { ConnectionDetails, ConnectionId, answerOf } from '../model/schemas.ts'
import type { MemberReader } from '../../db/database.ts'

const MAX_PER_CALL = 25

export const getConnectionsTool = defineReadTool({
  name: 'get_connections',
  title: 'Get several connections',
  description:
    'Returns contact data, tags and notes of several connections; not_shown lists IDs that did not fit.',
  credits: 1,
  input: Type.Object(
    {
      connection_ids: Type.Array(ConnectionId, {
        minItems: 1,
        maxItems: MAX_PER_CALL,
        description: `Up to ${MAX_PER_CALL} c_… from search_connections`,
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      connections: Type.Array(ConnectionDetails),
      not_found: Type.Optional(Type.Array(Type.String())),
      not_shown: Type.Optional(Type.Array(Type.String(), { description: 'Call again with these' })),
    },
    { additionalProperties: false },
  ),
  async run({ db }, { connection_ids }) {
    const wanted = [...new Set(connection_ids)]
    const all = await readAll(db, wanted)
    const { items: shown } = pageOf({ entries: all, hasMore: false, cursorAfter: () => '' })
    const found = new Set(all.map(({ connection_id }) => connection_id))
    const notFound = wanted.filter((id) => !found.has(id))
    const notShown = all.slice(shown.length).map(({ connection_id }) => connection_id)
    return {
      connections: shown,
      ...(notFound.length > 0 && { not_found: notFound }),
      ...(notShown.length > 0 && { not_shown: notShown }),
    }
  },
})

/** In the order of the IDs. */
async function readAll(db: MemberReader, wanted: readonly string[]): Promise<ConnectionDetails[]> {
  const connections = await findConnections(
    db,
    wanted.flatMap((id) => readConnectionId(id) ?? []),
  )
  const live = connections.filter(({ deletedAt }) => deletedAt === null)
  const byId = new Map<string, (typeof live)[number]>(
    live.map((one) => [publicConnectionId(one.connectionId), one]),
  )
  const all: ConnectionDetails[] = []
  for (const connection of wanted.flatMap((id) => byId.get(id) ?? [])) {
    all.push(answerOf(await readWholeConnection(db, connection), MAX_CHARACTERS_EACH))
  }
  return all
}

/** A single connection may fill the whole result, so that it can always be read. */
const MAX_CHARACTERS_EACH = 20_000
