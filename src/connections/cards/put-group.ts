/** What a client's card of a group means for its tag. */

import { memberStatement } from '../../db/statement.ts'
import { readWholeConnection } from '../editing/edit.ts'
import { findConnections } from '../model/connection-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { snapshotsOf } from '../person/snapshot.ts'
import { storeCards } from './card-store.ts'
import { etagOf } from './card-lines.ts'
import { readCard } from './card-values.ts'
import { recordDeviceChanges, type DeviceChange } from './device-changes.ts'
import { bareUid, storeTagChanges, tagChangesOf } from './group-cards.ts'
import { burstProblem, type CardWriter } from './device-burst.ts'
import type { WriteProblem } from '../../dav/book.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { PuttingCard, Stored } from './put-person.ts'

/** Stores the card of a group. Its members get the tag, and others lose it. */
export async function putGroup(
  tx: MemberTransaction,
  put: PuttingCard,
  writer: CardWriter,
): Promise<Stored> {
  const { now } = writer
  const { group } = put.read
  const former = put.card?.etag == null ? undefined : groupOf(put)
  const is = { tag: group?.name ?? '', members: (group?.members ?? []).map(bareUid) }
  const problem = await changeTags(tx, { was: former, now: is }, writer)
  if (problem) return { problem }
  const { name, uid, bytes, card } = put
  const stored = {
    cardId: card?.cardId ?? 0,
    name,
    uid,
    connectionId: null,
    groupTag: is.tag,
    etag: etagOf(bytes),
  }
  const members = (await tagChangesOf(tx, { now: is })).added.map((one) => one.uid)
  await storeCards(tx, [{ card: stored, content: { text: bytes, members } }], now)
  await touchNetwork(tx)
  return {}
}

/** Removes the tag that a deleted group stood for from its members. */
export function removeGroup(
  tx: MemberTransaction,
  stored: Pick<PuttingCard, 'card' | 'content'>,
  writer: CardWriter,
): Promise<WriteProblem | undefined> {
  return changeTags(tx, { was: groupOf(stored) }, writer)
}

function groupOf({ card, content }: Pick<PuttingCard, 'card' | 'content'>) {
  const members = content ? (readCard(content.text).group?.members ?? []) : []
  return { tag: card?.groupTag ?? '', members: members.map(bareUid) }
}

/** Adds and removes the tag that a group stands for. */
async function changeTags(
  tx: MemberTransaction,
  edit: Parameters<typeof tagChangesOf>[1],
  writer: CardWriter,
): Promise<WriteProblem | undefined> {
  const changes = await tagChangesOf(tx, edit)
  const ids = [...new Set([...changes.added, ...changes.removed].map((one) => one.connectionId))]
  if (ids.length === 0) return undefined
  const problem = await burstProblem(tx, changes.removed.length, writer)
  if (problem) return problem
  const people = await findConnections(tx, ids)
  const before = await Promise.all(people.map((one) => readWholeConnection(tx, one)))
  await storeTagChanges(tx, changes)
  const after = await Promise.all(people.map((one) => readWholeConnection(tx, one)))
  const recorded = before.flatMap((whole, index): DeviceChange[] => {
    const now = after[index]
    if (!now) return []
    return [{ connectionId: whole.connection.connectionId, ...snapshotsOf(whole, now) }]
  })
  await recordDeviceChanges(tx, writer.device, recorded, writer.now)
  await recordSearchChanges(tx, ids)
  return undefined
}

/** Makes the next request look at the groups again. */
async function touchNetwork(tx: MemberTransaction): Promise<void> {
  const [first] = await tx.all(FIRST, {})
  if (first) await recordSearchChanges(tx, [first.connection_id])
}

/** By primary key. */
const FIRST = memberStatement<object, { connection_id: number }>()(`
  select connection_id from connections where member_id = :member_id
  order by connection_id limit 1`)
