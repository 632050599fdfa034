/** Turns an image of any size into the stored sizes of a profile's photo. */

import { hash } from 'node:crypto'
import { KeyedSemaphore } from '../../base/concurrency/keyed-semaphore.ts'
import { PHOTO_SIDES, profilePhotoId } from '../../connections/model/photo-store.ts'
import { readPhoto, type Photo, type RefusedPhoto } from '../../contact-files/contact/photo.ts'
import { loadImageLibrary, type ImageLibrary } from './image-library.ts'

/** Phones take photos of up to 15 MB. */
export const MAX_SOURCE_BYTES = 20 * 1024 * 1024

const QUALITY = 82
const MAX_SECONDS = 10

/** The stored sizes of a photo. */
export interface CroppedPhoto {
  /** The SHA-256 of all sizes in base64url. */
  readonly photo: string
  /** By `profilePhotoId`. */
  readonly sizes: readonly Photo[]
}

type CropPhoto = (memberId: number, data: Uint8Array) => Promise<CroppedPhoto | RefusedPhoto>

/**
 * Crops one image at a time, because each can take up to 200 MB while it is decoded. The
 * library writes pixels only, so nothing else in the file, such as where the photo was
 * taken, is kept.
 *
 * @throws {RequestError} `rate_limited` when too many images of this member are waiting.
 */
export function photoCropper(): CropPhoto {
  const turns = new KeyedSemaphore<number>({ permits: 1, waitingPerKey: 2 })
  return (memberId, data) =>
    turns.run(memberId, async () => {
      const read = readPhoto(data, MAX_SOURCE_BYTES)
      if ('refused' in read) return read
      const library = await loadImageLibrary()
      if (!library) return NOT_INSTALLED
      try {
        return await cropWith(library, read.bytes)
      } catch {
        return { refused: 'is damaged. Open it in another program and save it again' }
      }
    })
}

const NOT_INSTALLED: RefusedPhoto = {
  refused:
    'cannot be processed on this server. Ask your administrator to install Weft with its optional packages',
}

/** A square around what stands out most, such as a face, on white where the image is transparent. */
async function cropWith(library: ImageLibrary, bytes: Uint8Array): Promise<CroppedPhoto> {
  const largest = PHOTO_SIDES.at(-1)
  const square = await library(bytes, { failOn: 'error' })
    .autoOrient()
    .resize(largest, largest, { fit: 'cover', position: 'attention' })
    .flatten({ background: '#fff' })
    .toColorspace('srgb')
    .timeout({ seconds: MAX_SECONDS })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const sizes: Buffer[] = []
  for (const side of PHOTO_SIDES)
    sizes.push(
      await library(square).resize(side, side).jpeg({ quality: QUALITY, mozjpeg: true }).toBuffer(),
    )
  const photo = hash('sha256', Buffer.concat(sizes), 'base64url')
  return {
    photo,
    sizes: PHOTO_SIDES.map((side, index) => ({
      photoId: profilePhotoId(photo, side),
      mediaType: 'image/jpeg',
      // One buffer for every side.
      bytes: sizes[index] as Buffer,
    })),
  }
}
