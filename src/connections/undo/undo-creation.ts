/** Undoes and redoes the creation of a connection. */

import { memberStatement } from '../../db/statement.ts'
import { changedSince } from '../../tools/undo.ts'
import { FIELD_NAMES, UNDONE, publicConnectionId, type Connection } from '../model/connection.ts'
import { findConnections } from '../model/connection-store.ts'
import { detailFieldsOf, detailName, detailNamed } from '../../contact-files/contact/details.ts'
import { mergesSince } from './merges-since.ts'
import { notesOf } from '../notes/notes.ts'
import {
  connectionIdOf,
  isSameValue,
  recordNumberIn,
  presentValue,
  type Snapshot,
} from '../person/snapshot.ts'
import { tagsOf, type Tag } from '../model/tag-store.ts'
import { clearUndone, findSuccessors, markUndone } from './undone.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** Removes a connection as if it had never been created, unless it was used since. */
export async function undoCreation(
  tx: MemberTransaction,
  snapshot: Snapshot,
  since: number,
  now: number,
): Promise<void> {
  const { connection, tags } = await readPresent(tx, snapshot)
  const changed = await changedFields(tx, snapshot, connection, tags)
  const merges = await mergesSince(tx, since)
  if (merges.has(connection.connectionId)) changed.push('merged connections')
  if (changed.length > 0) throw changedSince(`${snapshot.connection_id} (${changed.join(', ')})`)
  await markUndone(tx, [connection.connectionId], now)
}

async function readPresent(reader: MemberReader, snapshot: Snapshot) {
  const id = connectionIdOf(snapshot)
  const [connection] = await findConnections(reader, [id])
  if (!connection) throw changedSince(`${snapshot.connection_id} was permanently deleted`)
  const [tags = []] = (await tagsOf(reader, [id])).values()
  return { connection, tags }
}

async function changedFields(
  reader: MemberReader,
  snapshot: Snapshot,
  connection: Connection,
  tags: readonly Tag[],
): Promise<string[]> {
  if (connection.deletedAt !== null) return ['deleted_at']
  const id = connection.connectionId
  const details = detailFieldsOf(connection.details).map(detailName) as (keyof Snapshot)[]
  const known = Object.keys(snapshot).filter((name) => detailNamed(name)) as (keyof Snapshot)[]
  const fields = new Set([...Object.values(FIELD_NAMES), 'tags' as const, ...details, ...known])
  const changed: string[] = [...fields].filter((field) => {
    const [now, then] = [presentValue({ connection, tags }, field), snapshot[field]]
    return !isSameValue(field, now, then ?? (Array.isArray(now) ? [] : null))
  })
  const [notes = []] = (await notesOf(reader, [id])).values()
  if (notes.some(({ noteId }) => !snapshot.notes?.map(recordNumberIn).includes(noteId)))
    changed.push('notes')
  if (await reader.get(INTERACTION_OF, { ids: [id] })) changed.push('interactions')
  if (await reader.get(FOLLOW_UP_OF, { ids: [id] })) changed.push('follow_ups')
  return changed
}

/** Restores an undone connection, unless the same person was added again in the meantime. */
export async function redoCreation(
  tx: MemberTransaction,
  snapshot: Snapshot,
  now: number,
): Promise<void> {
  const { connection } = await readPresent(tx, snapshot)
  if (connection.mergedInto !== UNDONE)
    throw changedSince(`${snapshot.connection_id} already exists again`)
  const successors = await findSuccessors(tx, [connection])
  const successor = successors.get(connection.connectionId)
  if (successor !== undefined)
    throw changedSince(`the same person was added as ${publicConnectionId(successor)}`)
  await clearUndone(tx, [connection], now)
}

/** By primary key. */
const INTERACTION_OF = memberStatement<{ ids: readonly number[] }, { connection_id: number }>()(`
  select p.connection_id from interaction_people p each (connection_id = :ids...bigint)
  where p.member_id = :member_id and p.deleted_at is null limit 1`)

/** By follow_ups_by_connection. */
const FOLLOW_UP_OF = memberStatement<{ ids: readonly number[] }, { connection_id: number }>()(`
  select f.connection_id from follow_ups f each (connection_id = :ids...bigint)
  where f.member_id = :member_id and f.deleted_at is null`)
