/** Stores a card that a client sent, or deletes one, together with what it means for the person or the tag. */

import { reserveNumbers } from '../../tools/network-numbers.ts'
import { memberStatement } from '../../db/statement.ts'
import { readWholeConnection } from '../editing/edit.ts'
import { findDuplicate } from '../editing/find-duplicate.ts'
import { queueReviews } from '../matching/match-reviews.ts'
import {
  findConnection,
  findConnections,
  insertConnections,
  updateConnection,
} from '../model/connection-store.ts'
import { storePhotos } from '../model/photo-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { fullSnapshot, snapshotsOf } from '../person/snapshot.ts'
import { addTags, newTag, removeTags, tagOf } from '../model/tag-store.ts'
import { applyCard, connectionOfCard } from './apply-card.ts'
import { checkCard, type CardProblem } from './card-lines.ts'
import { lockBook, markSeen } from './book-state.ts'
import {
  findCard,
  findCardByUid,
  isSameKnown,
  listGroups,
  readCardContents,
  storeCards,
  type AddressCard,
  type CardContent,
} from './card-store.ts'
import { etagOf } from './card-etag.ts'
import { readCard, type ReadCard } from './card-values.ts'
import { recordDeviceChanges, type DeviceChange } from './device-changes.ts'
import { bareUid, storeTagChanges, tagChangesOf } from './groups.ts'
import { fieldsIn } from './patch-card.ts'
import { isShown, knownValuesOf, refreshCards, shownFields } from './refresh-book.ts'
import { burstProblem, type CardWriter } from './device-burst.ts'
import type { WriteConditions, WriteProblem, WriteResult } from '../../dav/book.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Connection } from '../model/connection.ts'
import type { WholeConnection } from '../person/whole-connection.ts'

interface PutCard {
  readonly name: string
  readonly bytes: Uint8Array
  readonly conditions: WriteConditions
}

const PROBLEMS: Readonly<Record<CardProblem, WriteProblem>> = {
  no_card: { code: 'valid_address_data', reason: 'The body is not a vCard.' },
  several_cards: { code: 'valid_address_data', reason: 'The body has more than one vCard.' },
  no_uid: { code: 'valid_address_data', reason: 'The vCard has no UID.' },
  version: {
    code: 'supported_address_data',
    reason: 'The vCard is of another version than 3.0 and 4.0.',
  },
}

const TOO_LONG: WriteProblem = {
  code: 'valid_address_data',
  reason: 'The vCard has more than 5,000,000 characters beside its photo.',
}

/** Everything is stored in this transaction, so a client that gets an answer has a card that is stored. */
export async function putCard(
  tx: MemberTransaction,
  { name, bytes, conditions }: PutCard,
  writer: CardWriter,
): Promise<WriteResult> {
  const checked = checkCard(bytes)
  if ('problem' in checked) return { problem: PROBLEMS[checked.problem] }
  const stored = await presentCard(tx, name, writer.now)
  const problem =
    failedCondition(stored?.card, conditions) ?? (await uidConflict(tx, name, checked.uid))
  if (problem) return { problem }
  const { card, content } = stored ?? {}
  if (card && card.etag !== null && card.uid !== checked.uid)
    return { problem: { code: 'no_uid_conflict', name } }
  const isNew = card?.etag == null
  // Converted to version 3.0, the card differs from what came.
  const etag = checked.version === '3.0' ? etagOf(bytes) : undefined
  if (!isNew && content && Buffer.compare(bytes, content.text) === 0) return { isNew, etag }
  const read = readCard(bytes)
  if (read.isTooLong) return { problem: TOO_LONG }
  const put = { name, uid: checked.uid, bytes, read, card, content }
  const isGroup = read.group !== undefined
  if (!isNew && isGroup !== (card.groupTag !== null))
    return {
      problem: {
        code: 'valid_address_data',
        reason: 'A card cannot change between a person and a group.',
      },
    }
  const result = isGroup ? await putGroup(tx, put, writer) : await putPerson(tx, put, writer)
  return result.problem
    ? { problem: result.problem }
    : { isNew, etag: result.isChanged ? undefined : etag }
}

interface StoredCard {
  readonly card: AddressCard
  readonly content: CardContent | undefined
}

/** The card as it is now: it says what the connection says. */
async function presentCard(
  tx: MemberTransaction,
  name: string,
  now: number,
): Promise<StoredCard | undefined> {
  const { seenVersion, searchVersion } = await lockBook(tx)
  const found = await findCard(tx, name)
  if (!found) return undefined
  if (seenVersion !== searchVersion && found.connectionId !== null)
    await refreshCards(tx, await findConnections(tx, [found.connectionId]), now)
  const card = (await findCard(tx, name)) ?? found
  return { card, content: (await readCardContents(tx, [card.cardId])).get(card.cardId) }
}

function failedCondition(
  card: AddressCard | undefined,
  { ifMatch, ifNoneMatch }: WriteConditions,
): WriteProblem | undefined {
  const etag = card?.etag ?? null
  const names = (header: string) =>
    etag !== null && (header.trim() === '*' || header.split(',').some((one) => one.trim() === etag))
  if (ifMatch !== undefined && !names(ifMatch)) return { code: 'precondition_failed' }
  if (ifNoneMatch !== undefined && names(ifNoneMatch)) return { code: 'precondition_failed' }
  return undefined
}

async function uidConflict(
  reader: MemberReader,
  name: string,
  uid: string,
): Promise<WriteProblem | undefined> {
  const other = await findCardByUid(reader, uid)
  return other && other.name !== name ? { code: 'no_uid_conflict', name: other.name } : undefined
}

interface PuttingCard {
  readonly card: AddressCard | undefined
  readonly content: CardContent | undefined
  readonly name: string
  readonly uid: string
  readonly bytes: Uint8Array
  readonly read: ReadCard
}

interface Stored {
  readonly problem?: WriteProblem | undefined
  /** Whether the card that is served differs from the one that came. */
  readonly isChanged?: boolean
}

// People

async function putPerson(
  tx: MemberTransaction,
  put: PuttingCard,
  writer: CardWriter,
): Promise<Stored> {
  const { card } = put
  const present =
    card?.connectionId == null ? undefined : await findConnection(tx, card.connectionId)
  // A merged person stays merged; only a deleted one comes back with its card.
  if (!present || present.mergedInto !== null) return addPerson(tx, put, writer)
  const problem = await burstProblem(tx, 1, writer)
  if (problem) return { problem }
  return changePerson(tx, put, present, writer)
}

async function changePerson(
  tx: MemberTransaction,
  put: PuttingCard,
  present: Connection,
  writer: CardWriter,
): Promise<Stored> {
  const { now } = writer
  const whole = await readWholeConnection(tx, present)
  const was = readCard(put.content?.text ?? put.bytes).values
  const photo = await storedPhoto(tx, put.read, now)
  const values = { ...put.read.values, photo }
  const { connection, addedTags, removedTags } = applyCard(
    present,
    whole.tags,
    { was, now: values },
    now,
  )
  const restored = present.deletedAt === null ? connection : restoredFrom(connection, present, now)
  if (restored !== present && restored.version !== present.version)
    await updateConnection(tx, present, restored)
  await removeTags(tx, present.connectionId, addedKeys(removedTags))
  await addTags(tx, present.connectionId, addedTags)
  const after = await readWholeConnection(tx, restored)
  const isChanged =
    restored.version !== present.version || addedTags.length + removedTags.length > 0
  if (isChanged)
    await recordDeviceChanges(
      tx,
      writer.device,
      [{ connectionId: present.connectionId, ...snapshotsOf(whole, after) }],
      now,
    )
  return storePut(tx, put, after, writer)
}

function restoredFrom(connection: Connection, { version }: Connection, now: number): Connection {
  return { ...connection, deletedAt: null, version: version + 1, updatedAt: now }
}

function addedKeys(tags: readonly { readonly key: string }[]): string[] {
  return tags.map(({ key }) => key)
}

/** A new card is always a new person. One who may be known is queued for review. */
async function addPerson(
  tx: MemberTransaction,
  put: PuttingCard,
  writer: CardWriter,
): Promise<Stored> {
  const { now, device } = writer
  const photo = await storedPhoto(tx, put.read, now)
  const { connection: draft, addedTags } = connectionOfCard({ ...put.read.values, photo }, now)
  const known = await findDuplicate(tx, draft)
  const connectionId = await reserveNumbers(tx, 'last_connection')
  const connection = { ...draft, connectionId }
  await insertConnections(tx, [connection])
  await addTags(tx, connectionId, [
    ...addedTags,
    // Otherwise the device would no longer see the person.
    ...(device.tag === null ? [] : [newTag(device.tag)]),
  ])
  if (known)
    await queueReviews(tx, [
      {
        ids: [known.connection.connectionId, connectionId],
        decision: known.decision ?? { score: 0, reasons: [] },
        jobId: null,
        now,
      },
    ])
  const added = await readWholeConnection(tx, connection)
  const change: DeviceChange = { connectionId, before: null, after: fullSnapshot(added) }
  await recordDeviceChanges(tx, device, [change], now)
  return storePut(tx, put, added, writer)
}

/** The ID of the photo, which is stored. Empty without one, and if it is too large for a person: then only the card has it. */
async function storedPhoto(
  tx: MemberTransaction,
  { photo }: ReadCard,
  now: number,
): Promise<string> {
  if (!photo) return ''
  const stored = await storePhotos(tx, [photo], now)
  return stored.has(photo.photoId) ? photo.photoId : ''
}

async function storePut(
  tx: MemberTransaction,
  { name, uid, bytes, read, card }: PuttingCard,
  { connection, tags }: WholeConnection,
  { now, device }: CardWriter,
): Promise<Stored> {
  const { connectionId } = connection
  const book = await lockBook(tx)
  const version = await recordSearchChanges(tx, [connectionId])
  const grouped = new Set((await listGroups(tx)).map(({ groupTag }) => tagOf(groupTag).key))
  const own = { grouped, card: read.values, fields: await shownFields(tx, book) }
  const scope = device.tag === null ? undefined : tagOf(device.tag).key
  const inCard = new Set(read.values.tags.map((tag) => tagOf(tag).key))
  // A tag that the device implies is not in its card yet: the next refresh writes it there.
  const written = tags.filter(({ key }) => key !== scope || inCard.has(key))
  const wanted = knownValuesOf(connection, written, own)
  // What the client made of the custom fields: the next refresh writes them again.
  const known = { ...wanted, fields: fieldsIn(bytes) }
  const isChanged =
    (written.length < tags.length && !grouped.has(scope ?? '')) || !isSameKnown(known, wanted)
  const updated = {
    cardId: card?.cardId ?? 0,
    name,
    uid,
    connectionId,
    groupTag: null,
    etag: isShown(connection, tags) ? etagOf(bytes) : null,
  }
  await storeCards(tx, [{ card: updated, content: { text: bytes, known } }], now)
  const isCurrent = book.seenVersion === book.searchVersion
  if (isCurrent && !isChanged && grouped.size === 0 && version !== undefined)
    await markSeen(tx, version)
  return { isChanged }
}

// Groups

async function putGroup(
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

// Deletion

/** Moves the person to the trash, or removes the tag of a group. */
export async function removeCard(
  tx: MemberTransaction,
  { name, conditions }: Omit<PutCard, 'bytes'>,
  writer: CardWriter,
): Promise<WriteResult> {
  const { now } = writer
  const stored = await presentCard(tx, name, now)
  const problem =
    stored?.card.etag == null
      ? ({ code: 'not_found' } as const)
      : failedCondition(stored.card, conditions)
  if (!stored || problem) return { problem: problem ?? { code: 'not_found' } }
  const { card } = stored
  const held =
    card.connectionId === null
      ? await changeTags(tx, { was: groupOf(stored) }, writer)
      : await deletePerson(tx, card.connectionId, writer)
  if (held) return { problem: held }
  await storeCards(tx, [{ card: { ...card, etag: null, groupTag: null } }], now)
  return { isNew: false }
}

async function deletePerson(
  tx: MemberTransaction,
  connectionId: number,
  writer: CardWriter,
): Promise<WriteProblem | undefined> {
  const problem = await burstProblem(tx, 1, writer)
  if (problem) return problem
  const { now, device } = writer
  const present = await findConnection(tx, connectionId)
  if (!present || present.deletedAt !== null) return undefined
  const before = await readWholeConnection(tx, present)
  const connection = { ...present, deletedAt: now, version: present.version + 1, updatedAt: now }
  await updateConnection(tx, present, connection)
  await recordSearchChanges(tx, [connectionId])
  const change = { connectionId, ...snapshotsOf(before, { ...before, connection }) }
  await recordDeviceChanges(tx, device, [change], now)
  return undefined
}

/** By primary key. */
const FIRST = memberStatement<object, { connection_id: number }>()(`
  select connection_id from connections where member_id = :member_id
  order by connection_id limit 1`)
