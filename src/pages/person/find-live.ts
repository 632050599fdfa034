/** Finds the connection of a page. */

import { findConnection } from '../../connections/model/connection-store.ts'
import { readConnectionId, type Connection } from '../../connections/model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

/** A connection that is not deleted. */
export async function findLive(
  reader: MemberReader,
  publicId: string,
): Promise<Connection | undefined> {
  const found = await findConnection(reader, readConnectionId(publicId) ?? 0)
  return found?.deletedAt === null ? found : undefined
}
