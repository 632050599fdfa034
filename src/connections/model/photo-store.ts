/**
 * The stored photos of a member's connections, and of the member. A connection names its photo in its details, and the
 * member's row names theirs.
 */

import { insertRows } from '../../db/insert-row.ts'
import { deleteRow, updateRow } from '../../db/change-row.ts'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { recordDeletion } from './record-deletion.ts'
import type { Connection } from './connection.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Photo, PhotoType } from '../../contact-files/contact/photo.ts'

/** The maximum total size of a network's photos. */
const MAX_NETWORK_PHOTO_BYTES = 500 * 1024 * 1024

/**
 * Stores the photos that are not stored yet, up to the quota. They are purged after 30 days unless a connection
 * uses them by then. Returns the IDs of those that are stored.
 */
export async function storePhotos(
  tx: MemberTransaction,
  photos: readonly Photo[],
  now: number,
  most = MAX_NETWORK_PHOTO_BYTES,
): Promise<ReadonlySet<string>> {
  if (photos.length === 0) return NONE
  const ids = photos.map(({ photoId }) => photoId)
  const stored = new Set((await tx.all(AMONG, { ids })).map(({ photo_id }) => photo_id))
  let room = most - ((await tx.get(TOTAL, {}))?.total ?? 0)
  const added = photos.filter(({ photoId, bytes }) => {
    if (stored.has(photoId) || bytes.byteLength > room) return false
    stored.add(photoId)
    room -= bytes.byteLength
    return true
  })
  await insertRows(
    tx,
    'photos',
    added.map(({ photoId, mediaType, bytes }) => ({
      photo_id: photoId,
      media_type: mediaType,
      bytes: bytes.byteLength,
      created_at: now,
      unused_since: now,
      data: bytes,
    })),
  )
  if (added.length > 0) await recordDeletion(tx, now)
  return stored
}

/**
 * Stores all of these photos.
 *
 * @throws {RequestError} `conflict` when the photo quota is used up.
 */
export async function storeAllPhotos(
  tx: MemberTransaction,
  photos: readonly Photo[],
  now: number,
): Promise<void> {
  const stored = await storePhotos(tx, photos, now)
  if (photos.some(({ photoId }) => !stored.has(photoId)))
    throw new RequestError('conflict', 'Your photos take up 500 MB, which is the maximum.', {
      hint: 'Remove some. Removed photos count for 30 days.',
    })
}

const NONE: ReadonlySet<string> = new Set()

/** Records that a photo was removed from a connection. It can be restored for 30 days. */
export async function releasePhoto(
  tx: MemberTransaction,
  photoId: string,
  now: number,
): Promise<void> {
  await updateRow(tx, 'photos', { photoId }, { unusedSince: now })
  await recordDeletion(tx, now)
}

/** The stored sizes of a profile's photo: pixels per side, for lists, for the profile, and for link previews. */
export const PHOTO_SIDES = [96, 256, 512] as const
export type PhotoSide = (typeof PHOTO_SIDES)[number]

/** A size of a profile's photo among the member's stored photos. */
export function profilePhotoId(photo: string, side: PhotoSide): string {
  return `${photo}-${side}`
}

/** Records that a profile no longer shows a photo. It can be restored for 30 days. */
export async function releaseProfilePhoto(
  tx: MemberTransaction,
  photo: string,
  now: number,
): Promise<void> {
  for (const side of PHOTO_SIDES) await releasePhoto(tx, profilePhotoId(photo, side), now)
}

/** With its bytes; undefined if it is not stored. Heavy readers pass rows as JSON, which has no bytes. */
export async function findPhoto(reader: MemberReader, photoId: string): Promise<Photo | undefined> {
  const row = await reader.get(BY_ID, { photo_id: photoId })
  return row && { photoId, mediaType: row.media_type, bytes: row.data }
}

/** The size of lists, the bytes of the photo, and the media type of both. `small` is null until it was stored. */
export async function findSmallPhoto(reader: MemberReader, photoId: string) {
  return reader.get(SMALL, { photo_id: photoId })
}

/** Stores the size of lists, a JPEG. */
export async function storeSmallPhoto(
  tx: MemberTransaction,
  photoId: string,
  small: Uint8Array,
): Promise<void> {
  await updateRow(tx, 'photos', { photoId }, { small })
}

/** True if the photo is stored and has not been purged. */
export async function hasPhoto(reader: MemberReader, photoId: string): Promise<boolean> {
  return (await reader.get(AMONG, { ids: [photoId] })) !== undefined
}

/** The connection to restore, without its photo if that has been purged. */
export async function withStoredPhoto(
  reader: MemberReader,
  restored: Connection,
  present?: Connection,
): Promise<Connection> {
  const { photo, ...details } = restored.details
  if (photo === undefined || photo === present?.details.photo) return restored
  return (await hasPhoto(reader, photo)) ? restored : { ...restored, details }
}

/** The IDs of the photos of these connections. */
export async function photosOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return NONE
  return new Set((await reader.all(PHOTOS_OF, { ids })).map(({ photo }) => photo))
}

/**
 * Deletes photos that no connection has used since `before`, and those of permanently deleted connections. Other unused
 * photos are kept until a later purge.
 */
export async function purgePhotos(
  tx: MemberTransaction,
  { before, now, released }: { before: number; now: number; released: ReadonlySet<string> },
): Promise<void> {
  const stored = await tx.all(STORED, {})
  const isDue = stored.some(
    ({ photo_id, unused_since }) =>
      released.has(photo_id) || (unused_since !== null && unused_since <= before),
  )
  if (!isDue) return
  const used = await usedPhotos(tx)
  for (const { photo_id, unused_since } of stored) {
    if (used.has(photo_id)) {
      if (unused_since !== null) await updateRow(tx, 'photos', { photo_id }, { unusedSince: null })
    } else if (released.has(photo_id) || (unused_since !== null && unused_since <= before))
      await deleteRow(tx, 'photos', { photo_id })
    else if (unused_since === null)
      await updateRow(tx, 'photos', { photo_id }, { unusedSince: now })
  }
}

async function usedPhotos(reader: MemberReader): Promise<Set<string>> {
  const used = new Set((await reader.all(USED, {})).map(({ photo }) => photo))
  const own = (await reader.get(OF_PROFILE, {}))?.photo ?? null
  if (own !== null) for (const side of PHOTO_SIDES) used.add(profilePhotoId(own, side))
  return used
}

const OF_PROFILE = memberStatement<object, { photo: string | null }>()(
  'select photo from members where member_id = :member_id',
)

/** By primary key. */
const BY_ID = memberStatement<{ photo_id: string }, { media_type: PhotoType; data: Uint8Array }>()(
  'select media_type, data from photos where member_id = :member_id and photo_id = :photo_id',
)

/** By primary key. */
const AMONG = memberStatement<{ ids: readonly string[] }, { photo_id: string }>()(
  'select photo_id from photos where member_id = :member_id and photo_id in (:ids...text)',
)

const TOTAL = memberStatement<object, { total: number }>()(
  'select cast(coalesce(sum(bytes), 0) as bigint) as total from photos where member_id = :member_id',
)

const STORED = memberStatement<object, { photo_id: string; unused_since: number | null }>()(
  'select photo_id, unused_since from photos where member_id = :member_id order by photo_id',
)

/** By primary key. */
const PHOTOS_OF = memberStatement<{ ids: readonly number[] }, { photo: string }>()(`
  select photo from connections
  where member_id = :member_id and connection_id in (:ids...bigint) and photo is not null`)

/** Scans the member's connections, also deleted ones. */
const USED = memberStatement<object, { photo: string }>()(
  'select distinct photo from connections where member_id = :member_id and photo is not null',
)

/** By primary key. */
const SMALL = memberStatement<
  { photo_id: string },
  { media_type: PhotoType; bytes: number; small: Uint8Array | null }
>()(
  'select media_type, bytes, small from photos where member_id = :member_id and photo_id = :photo_id',
)
