/** The photos in a contact file of an export: all of them in a vCard, unless they make it too large. */

import { formatBytes, MEGABYTE } from '../base/format-bytes.ts'
import { findPhoto, photoIdsOf, photoSizes } from '../connections/model/photo-store.ts'
import type { Photo } from '../contact-files/contact/photo.ts'
import type { MemberReader } from '../db/database.ts'

/** All photos of one file, so that it can still be read as one resource. Base64 adds a third. */
const MAX_FILE_PHOTO_BYTES = 4 * MEGABYTE

interface FilePhotos {
  /** Photo IDs by connection ID. */
  readonly ids: ReadonlyMap<number, string>
  readonly bytes: number
}

/** The photos of these connections as they are now. */
async function findFilePhotos(
  reader: MemberReader,
  connectionIds: readonly number[],
): Promise<FilePhotos> {
  const ids = await photoIdsOf(reader, connectionIds)
  const sizes = await photoSizes(reader, [...new Set(ids.values())])
  const stored = [...ids].filter(([, photoId]) => sizes.has(photoId))
  const bytes = stored.reduce((sum, [, photoId]) => sum + (sizes.get(photoId) ?? 0), 0)
  return { ids: new Map(stored), bytes }
}

/** Reads the photo of a connection for its vCard; none if those of all these connections together are too large. */
export async function vcardPhotos(
  reader: MemberReader,
  connectionIds: readonly number[],
): Promise<(connectionId: number) => Promise<Photo | undefined>> {
  const { ids, bytes } = await findFilePhotos(reader, connectionIds)
  return async (connectionId) => {
    const photoId = ids.get(connectionId)
    return photoId === undefined || bytes > MAX_FILE_PHOTO_BYTES
      ? undefined
      : findPhoto(reader, photoId)
  }
}

/** Says whether the file has the photos of these connections; undefined if they have none. */
export async function describePhotos(
  reader: MemberReader,
  format: 'csv' | 'vcard',
  connectionIds: readonly number[],
): Promise<string | undefined> {
  const { ids, bytes } = await findFilePhotos(reader, connectionIds)
  if (ids.size === 0) return undefined
  const count = ids.size === 1 ? '1 photo' : `${ids.size} photos`
  if (bytes > MAX_FILE_PHOTO_BYTES)
    return (
      `${count} (${formatBytes(bytes)}) left out, because a file holds at most ${formatBytes(MAX_FILE_PHOTO_BYTES)}. ` +
      'Export fewer connections as vcard, or everything with a job of the kind export_data (POST /api/jobs).'
    )
  return format === 'vcard'
    ? `${count} included`
    : `${count} left out: only format vcard has photos.`
}
