/** Marks connections whose creation was undone. They are kept, so that the undo can be undone. */

import { idsOf, UNDONE, type Connection } from '../model/connection.ts'
import { findPresent } from '../model/connection-store.ts'
import { findByKeys } from '../model/key-store.ts'
import { addressKeysOf } from '../model/match-keys.ts'
import { setDeleted } from '../model/record-deletion.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** Deletes connections whose creation was undone. Trash does not show them, and `clearUndone` restores them. */
export async function markUndone(
  tx: MemberTransaction,
  ids: readonly number[],
  now: number,
): Promise<void> {
  await setDeleted(tx, ids, { deletedAt: now, mergedInto: UNDONE }, now)
}

/** The inverse of `markUndone`. */
export async function clearUndone(
  tx: MemberTransaction,
  connections: readonly Connection[],
  now: number,
): Promise<void> {
  await setDeleted(tx, idsOf(connections), { deletedAt: null }, now)
}

/**
 * For undone connections: the connections added later with the same email or profile URL. One of the same import that was there
 * when the import was undone is someone else, such as a spouse.
 */
export async function findSuccessors(
  reader: MemberReader,
  connections: readonly Connection[],
): Promise<Map<number, number>> {
  const keys = connections.flatMap((one) => addressKeysOf(one))
  const holders = Map.groupBy(await findByKeys(reader, [...new Set(keys)]), ({ key }) => key)
  const present = await findPresent(reader, [
    ...new Set([...holders.values()].flat().map(({ connection_id }) => connection_id)),
  ])
  const successors = new Map<number, number>()
  for (const connection of connections) {
    const { connectionId, importJobId, deletedAt } = connection
    const people = addressKeysOf(connection)
      .flatMap((key) => holders.get(key) ?? [])
      .flatMap(({ connection_id }) => present.get(connection_id) ?? [])
    const successor = people.find(
      (one) =>
        one.deletedAt === null &&
        one.connectionId > connectionId &&
        (one.importJobId !== importJobId || one.createdAt >= (deletedAt ?? 0)),
    )
    if (successor) successors.set(connectionId, successor.connectionId)
  }
  return successors
}
