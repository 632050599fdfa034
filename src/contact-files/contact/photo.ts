/** Photos of connections: images that are recognized by their first bytes, not by the declared type. */

import { t } from '../../languages/message.ts'
import { hash } from 'node:crypto'

export const MAX_PHOTO_BYTES = 1024 * 1024
/** Pixels of a side. Larger images take browsers long to decode, however small their files are. */
const MAX_PHOTO_SIDE = 8192

export type PhotoType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'

export interface Photo {
  /** The SHA-256 of the bytes in base64url, so that one image is stored once. */
  readonly photoId: string
  readonly mediaType: PhotoType
  readonly bytes: Uint8Array
}

/** Why bytes are not a valid photo. Completes a sentence that starts with the field's label. */
export interface RefusedPhoto {
  readonly refused: string
}

/** The photo in these bytes, or the reason for rejecting them. */
export function readPhoto(
  data: Uint8Array,
  maxBytes: number = MAX_PHOTO_BYTES,
): Photo | RefusedPhoto {
  if (data.byteLength > maxBytes) return tooLarge(maxBytes)
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const mediaType = typeOf(bytes)
  if (mediaType === undefined) return { refused: t('must be a JPEG, PNG, WebP or GIF image') }
  const size = SIZES[mediaType](bytes)
  if (size === undefined || Math.min(...size) < 1)
    return { refused: t('is damaged: its size in pixels cannot be read') }
  if (Math.max(...size) > MAX_PHOTO_SIDE)
    return {
      refused: t('is {value} pixels. The maximum is {maxPhotoSide} pixels per side', {
        value: size.join(' × '),
        maxPhotoSide: MAX_PHOTO_SIDE,
      }),
    }
  return { photoId: hash('sha256', bytes, 'base64url'), mediaType, bytes }
}

/** The reason for rejecting a larger file. */
export function tooLarge(maxBytes: number): RefusedPhoto {
  return { refused: `must not be larger than ${maxBytes / 1024 / 1024} MB` }
}

export const TOO_LARGE = tooLarge(MAX_PHOTO_BYTES)

/** RFC 2397. */
export function photoDataUrl({ mediaType, bytes }: Pick<Photo, 'mediaType' | 'bytes'>): string {
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`
}

/** The bytes of a base64 data URL; undefined for any other text. */
export function dataUrlBytes(text: string): Uint8Array | undefined {
  const head = /^data:[^,]{0,200};base64,/i.exec(text)?.[0]
  return head === undefined ? undefined : Buffer.from(text.slice(head.length), 'base64')
}

/** The photo in a base64 data URL; undefined for any other text. */
export function photoInUrl(url: string): Photo | RefusedPhoto | undefined {
  const bytes = dataUrlBytes(url)
  return bytes && readPhoto(bytes)
}

/** The start of every file of the type: WHATWG MIME Sniffing section 6.1. */
function typeOf(bytes: Buffer): PhotoType | undefined {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (/^GIF8[79]a/.test(start)) return 'image/gif'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined
}

/** Width and height in pixels. */
type Size = readonly [number, number]

/** Read the size from the header; undefined if the header ends before it. */
const SIZES: Readonly<Record<PhotoType, (bytes: Buffer) => Size | undefined>> = {
  'image/png': (bytes) =>
    bytes.length < 24 ? undefined : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
  'image/gif': (bytes) =>
    bytes.length < 10 ? undefined : [bytes.readUInt16LE(6), bytes.readUInt16LE(8)],
  'image/webp': webpSize,
  'image/jpeg': jpegSize,
}

/** RFC 9649: the first chunk is a lossy, a lossless or an extended header. */
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  if (chunk === 'VP8L') {
    const packed = bytes.readUInt32LE(21)
    return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1]
  }
  if (chunk !== 'VP8 ') return undefined
  return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
}

/** ITU T.81 section B.2: the size is in the frame header, after any number of other segments. */
function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1 // a fill byte
      continue
    }
    if (isFrameHeader(marker)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** SOF0 to SOF15, without the tables DHT, JPG and DAC between them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}
