/** What a client's card means for its person: an edit, a new connection, or a deletion. */

import { reserveNumbers } from '../../tools/network-numbers.ts'
import { readWholeConnection } from '../editing/edit.ts'
import { findDuplicate } from '../editing/find-duplicate.ts'
import { dayAt } from '../../dates/calendar-day.ts'
import { localNowOf } from '../last-contact/contact-times.ts'
import { queueReviews } from '../matching/match-reviews.ts'
import { findConnection, insertConnections, updateConnection } from '../model/connection-store.ts'
import { storePhotos } from '../model/photo-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { fullSnapshot, snapshotsOf } from '../person/snapshot.ts'
import { addTags, newTag, removeTags, tagOf } from '../model/tag-store.ts'
import { applyCard, connectionOfCard } from './apply-card.ts'
import { lockBook, markSeen } from './book-state.ts'
import { isSameKnown, listGroups, storeCards } from './card-store.ts'
import { etagOf } from './card-lines.ts'
import { isShown, knownValuesOf, readCard, shownFields, type ReadCard } from './card-values.ts'
import { recordDeviceChanges, type DeviceChange } from './device-changes.ts'
import { fieldsIn } from './patch-card.ts'
import { burstProblem, type CardWriter } from './device-burst.ts'
import type { WriteProblem } from '../../dav/book.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Connection } from '../model/connection.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import type { AddressCard, CardContent } from './card-store.ts'

/** A card that a client sends, and the one that is stored. */
export interface PuttingCard {
  readonly card: AddressCard | undefined
  readonly content: CardContent | undefined
  readonly name: string
  readonly uid: string
  readonly bytes: Uint8Array
  readonly read: ReadCard
}

export interface Stored {
  readonly problem?: WriteProblem | undefined
  /** Whether the card that is served differs from the one that came. */
  readonly isChanged?: boolean
}

/** Stores the card of a person, who is changed or added. */
export async function putPerson(
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
    { was, now: values, today: dayAt(await localNowOf(tx, now)) },
    now,
  )
  const restored =
    present.deletedAt === null
      ? connection
      : { ...connection, deletedAt: null, version: present.version + 1, updatedAt: now }
  if (restored.version !== present.version) await updateConnection(tx, present, restored)
  await removeTags(
    tx,
    present.connectionId,
    removedTags.map(({ key }) => key),
  )
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

/** Moves a person to the trash, unless a burst of changes pauses the device. */
export async function deletePerson(
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
