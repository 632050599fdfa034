import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  gifHeader,
  jpegHeader,
  pngHeader,
  pngOf,
  webpHeader,
} from '../../../test/fixtures/photos.ts'
import { dataUrlBytes, MAX_PHOTO_BYTES, photoDataUrl, readPhoto } from './photo.ts'

const IMAGES = [
  ['image/png', pngHeader],
  ['image/jpeg', jpegHeader],
  ['image/gif', gifHeader],
  ['image/webp', (width: number, height: number) => webpHeader('VP8 ', width, height)],
  ['image/webp', (width: number, height: number) => webpHeader('VP8L', width, height)],
  ['image/webp', (width: number, height: number) => webpHeader('VP8X', width, height)],
] as const

test('images are recognized by their first bytes, and images with large dimensions are rejected', () => {
  for (const [mediaType, imageOf] of IMAGES) {
    const photo = readPhoto(imageOf(300, 200))
    assert.ok('photoId' in photo, mediaType)
    assert.equal(photo.mediaType, mediaType)
    assert.match(photo.photoId, /^[\w-]{43}$/)
    // Lossy and lossless WebP store dimensions in 14 bits.
    const wide = readPhoto(imageOf(9000, 200))
    assert.deepEqual(wide, {
      refused: 'is 9000 × 200 pixels. The maximum is 8192 pixels per side',
    })
    assert.ok('refused' in readPhoto(imageOf(20, 8193)), mediaType)
  }
})

test('files that are not images, truncated images and images over 1 MB are rejected', () => {
  const other = { refused: 'must be a JPEG, PNG, WebP or GIF image' }
  for (const text of ['', 'x', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'BM', '%PDF-1.7'])
    assert.deepEqual(readPhoto(Buffer.from(text)), other, text)
  for (const [mediaType, imageOf] of IMAGES)
    for (let length = 0; length < 10; length += 1)
      assert.ok('refused' in readPhoto(imageOf(300, 200).subarray(0, length)), mediaType)
  assert.match(JSON.stringify(readPhoto(pngHeader(300, 200).subarray(0, 20))), /damaged/)
  assert.match(JSON.stringify(readPhoto(jpegHeader(300, 200).subarray(0, 14))), /damaged/)
  assert.match(JSON.stringify(readPhoto(pngHeader(0, 5))), /damaged/)
  const large = Buffer.concat([pngOf([1, 2, 3]), Buffer.alloc(MAX_PHOTO_BYTES)])
  assert.deepEqual(readPhoto(large), { refused: 'must not be larger than 1 MB' })
  assert.ok('photoId' in readPhoto(large.subarray(0, MAX_PHOTO_BYTES)))
})

test('a photo survives the conversion to a data URL and back', () => {
  const bytes = pngOf([9, 8, 7])
  assert.deepEqual(dataUrlBytes(photoDataUrl({ mediaType: 'image/png', bytes })), bytes)
  assert.equal(dataUrlBytes('https://x.example/p.png'), undefined)
  assert.equal(dataUrlBytes('data:text/plain,hello'), undefined)
})
