/** Gives a connection a photo and records the change. */

import { changeConnection, readWholeConnection } from './edit.ts'
import { requireConnection } from './require-connection.ts'
import { storeAllPhotos } from '../model/photo-store.ts'
import { changeOfOne } from '../person/snapshot.ts'
import type { Photo } from '../../contact-files/contact/photo.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Connection } from '../model/connection.ts'
import type { Changing } from '../../tools/tool.ts'

/**
 * Resolves to the ID of the change in the activity log; undefined if it already has this photo.
 *
 * @throws {RequestError} `not_found` when the connection does not exist.
 * @throws {RequestError} `conflict` when the photo quota is used up.
 */
export async function setPhoto(
  { tx, now, record }: Changing,
  publicId: string,
  photo: Photo,
): Promise<number | undefined> {
  const present = await requireConnection(tx, publicId)
  if (present.details.photo === photo.photoId) return undefined
  await storeAllPhotos(tx, [photo], now)
  const { before, after } = await showPhoto(tx, present, photo.photoId, now)
  return record(changeOfOne(after, before))
}

/** Gives a connection a stored photo. Returns it before and after, for the activity log. */
export async function showPhoto(
  tx: MemberTransaction,
  connection: Connection,
  photoId: string,
  now: number,
) {
  const before = await readWholeConnection(tx, connection)
  const changes = { values: {}, lists: {}, details: [['photo', photoId] as const] }
  return { before, after: await changeConnection(tx, connection, changes, now) }
}
