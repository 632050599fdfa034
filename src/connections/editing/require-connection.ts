/** Finds the connections that a public ID names, or says why there is none. */

import { RequestError } from '../../base/request-error.ts'
import {
  UNDONE,
  publicConnectionId,
  readConnectionId,
  type Connection,
} from '../model/connection.ts'
import { findConnection, findConnections } from '../model/connection-store.ts'
import type { MemberReader } from '../../db/database.ts'

/**
 * The connection with a public ID.
 *
 * @throws {RequestError} `not_found` when it does not exist, is deleted or belongs to another member. The hint says
 *   what to do next.
 */
export async function requireConnection(
  reader: MemberReader,
  publicId: string,
): Promise<Connection> {
  const id = readConnectionId(publicId)
  const connection = id === undefined ? undefined : await findConnection(reader, id)
  if (connection && connection.deletedAt === null) return connection
  throw new RequestError(
    'not_found',
    `Connection ${publicId.slice(0, 20)} was not found in this network.`,
    { hint: hintFor(connection) },
  )
}

function hintFor(deleted: Connection | undefined): string {
  if (!deleted || deleted.mergedInto === UNDONE)
    return 'Find its connection_id with search_connections or list_connections.'
  return deleted.mergedInto === null
    ? 'It was deleted. Restore it with restore_connections.'
    : `It was merged into ${publicConnectionId(deleted.mergedInto)}.`
}

/**
 * The connections with these public IDs, without duplicates.
 *
 * @throws {RequestError} `not_found` when one of them does not exist.
 */
export async function requireConnections(
  reader: MemberReader,
  publicIds: readonly string[],
): Promise<Connection[]> {
  const wanted = new Map(publicIds.map((publicId) => [readConnectionId(publicId) ?? 0, publicId]))
  const found = await findConnections(reader, [...wanted.keys()])
  const live = found.filter(({ deletedAt }) => deletedAt === null)
  for (const { connectionId } of live) wanted.delete(connectionId)
  if (wanted.size === 0) return live
  const missing = [...wanted.values()].slice(0, 10).join(', ')
  throw new RequestError(
    'not_found',
    `These connections were not found in this network: ${missing}.`,
    {
      hint: 'Remove these IDs, or find the right ones with search_connections. No changes were made.',
    },
  )
}
