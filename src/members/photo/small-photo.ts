/** The photos of connections in the size of lists. */

import { KeyedSemaphore } from '../../base/concurrency/keyed-semaphore.ts'
import {
  findPhoto,
  findSmallPhoto,
  PHOTO_SIDES,
  storeSmallPhoto,
} from '../../connections/model/photo-store.ts'
import { loadImageLibrary } from './image-library.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { Photo } from '../../contact-files/contact/photo.ts'

/** Photos up to this size are sent unchanged. */
const SMALL_BYTES = 8 * 1024

const QUALITY = 82
const MAX_SECONDS = 5

/** Resolves to undefined if the photo is not stored. */
type ReadSmallPhoto = (db: MemberDatabase, photoId: string) => Promise<Photo | undefined>

/**
 * Makes the small size of a photo when it is first asked for, and stores it: most photos of a large import are never shown.
 * One image is decoded at a time. A photo that cannot be decoded is sent as it is.
 */
export function smallPhotoReader(): ReadSmallPhoto {
  const turns = new KeyedSemaphore<number>({ permits: 1 })
  return async (db, photoId) =>
    (await findStored(db, photoId)) ??
    turns.run(db.memberId, async () => {
      // A request before this one may have made it.
      const stored = await findStored(db, photoId)
      if (stored) return stored
      const photo = await findPhoto(db, photoId)
      const bytes = photo && (await shrunk(photo.bytes))
      if (!bytes) return photo
      await db.write((tx) => storeSmallPhoto(tx, photoId, bytes))
      return { photoId, mediaType: 'image/jpeg', bytes }
    })
}

/** The stored small size, or the photo itself if it is small. */
async function findStored(db: MemberDatabase, photoId: string): Promise<Photo | undefined> {
  const row = await findSmallPhoto(db, photoId)
  if (row?.small) return { photoId, mediaType: 'image/jpeg', bytes: row.small }
  return row && row.bytes <= SMALL_BYTES ? findPhoto(db, photoId) : undefined
}

async function shrunk(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const library = await loadImageLibrary()
  const [side] = PHOTO_SIDES
  return library?.(bytes)
    .autoOrient()
    .resize(side, side, { fit: 'cover', position: 'attention' })
    .flatten({ background: '#fff' })
    .toColorspace('srgb')
    .timeout({ seconds: MAX_SECONDS })
    .jpeg({ quality: QUALITY, mozjpeg: true })
    .toBuffer()
    .catch(() => undefined)
}
