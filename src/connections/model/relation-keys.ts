/**
 * Keys by which the people are found whose relations name a connection, by its ID or its name. They are only hints: after
 * the undo of a merge, the key of the kept connection stays.
 */

import { nameKey } from '../../base/tokenize.ts'
import { hashOf } from '../../contact-files/contact/contact-keys.ts'
import { addKeys, findByKeys } from './key-store.ts'
import type { Connection } from './connection.ts'
import type { ConnectionKey } from './connection-key.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** The keys of the people that a connection is related to. */
export function relationKeysOf({
  connectionId,
  details,
}: Pick<Connection, 'connectionId' | 'details'>): ConnectionKey[] {
  const keys = new Set<string>()
  for (const one of details.relations ?? []) {
    if (one.connectionId !== undefined) keys.add(idKey(one.connectionId))
    keys.add(namedKey(one.name))
  }
  return [...keys].map((key) => ({ key, connectionId }))
}

/** Numbers of the connections whose relations may name one of these. */
export async function findRelated(
  reader: MemberReader,
  people: readonly Pick<Connection, 'connectionId' | 'name'>[],
): Promise<readonly number[]> {
  const found = await findByKeys(reader, people.flatMap(keysTo))
  return [...new Set(found.map(({ connection_id }) => connection_id))]
}

/** Numbers of the connections whose relations may have one of these names. */
export async function findRelatedTo(
  reader: MemberReader,
  names: readonly string[],
): Promise<readonly number[]> {
  const found = await findByKeys(reader, names.map(namedKey))
  return [...new Set(found.map(({ connection_id }) => connection_id))]
}

/** Lets the relations to connections that are merged into another one find that one. */
export async function moveRelations(
  tx: MemberTransaction,
  merged: readonly Pick<Connection, 'connectionId' | 'name'>[],
  keptId: number,
): Promise<void> {
  const related = await findRelated(tx, merged)
  await addKeys(
    tx,
    related.map((connectionId) => ({ key: idKey(keptId), connectionId })),
  )
}

function keysTo({ connectionId, name }: Pick<Connection, 'connectionId' | 'name'>): string[] {
  return [idKey(connectionId), namedKey(name)]
}

function idKey(connectionId: number): string {
  return `r${hashOf(`c_${connectionId}`)}`
}

function namedKey(name: string): string {
  return `r${hashOf(nameKey(name) || name)}`
}
